/**
 * Posing by handles on a reduced model: how well examples are reproduced, what an iteration costs beside full MeshIK on
 * the same examples, how near poses come to frames that were no examples, and how it stands being pulled too far.
 */
import { openNumerics } from '@pelt/math';
import { frameCount } from '@pelt/model';
import { along, distortions, heldOut, proxiesAgainstAll } from './ik/accuracy.mjs';
import { farPull } from './ik/far-pull.mjs';
import { locality } from './ik/locality.mjs';
import { clipOf, evenly, learn, leftOut, needs, pick, posesOf, SUBJECTS, Subjects } from './ik/subjects.mjs';
import { costs, iterationTime, sameCost } from './ik/times.mjs';

/** How many times as long one iteration of full MeshIK takes, at least. */
const LEAST_GAIN = { horse: 40, elephant: 150 };
/** Clips, and the examples beside which their other frames are looked for. */
const HELD_OUT = [
  { name: 'horse', data: 'horse-gallop', controls: 33, examplesOf: (context) => posesOf(context, 'horse') },
  { name: 'samba', data: 'samba', controls: 60, examplesOf: (_, clip) => pick(clip, evenly(frameCount(clip), 20)) },
  { name: 'jumping', data: 'jumping', controls: 60, examplesOf: (_, clip) => pick(clip, evenly(frameCount(clip), 20)) },
  {
    name: 'elephant',
    data: 'elephant-gallop',
    controls: 23,
    examplesOf: (_, clip) => pick(clip, evenly(frameCount(clip), 11)),
  },
];
/** Sculpted poses, of which each is left out in turn. */
const LEFT_OUT = ['lion'];

export default {
  name: 'ik',
  needs,
  async run(context) {
    const numerics = await openNumerics({ threads: 2 });
    try {
      const subjects = new Subjects(context, numerics);
      const wanted = (names) => names.filter((name) => context.wants(name));
      // Rivals have the examples alone, without their mirror images.
      const plain = (name) => ({ ...subjects.get(name), poser: subjects.get(name).plain });
      const rows = [];
      for (const name of wanted(Object.keys(SUBJECTS))) rows.push(...distortions(name, plain(name), numerics));
      for (const name of wanted(Object.keys(LEAST_GAIN))) {
        context.log(`${name}: timing`);
        rows.push(...costs(name, plain(name), LEAST_GAIN[name], numerics));
      }
      if (context.wants('horse, elephant')) {
        context.log('horse, elephant: timing in turn');
        rows.push(sameCost(plain('horse'), plain('elephant'), numerics));
      }
      for (const name of wanted(Object.keys(LEAST_GAIN))) {
        context.log(`${name}: proxies against all vertices`);
        rows.push(proxiesAgainstAll(name, plain(name), numerics));
      }
      for (const { name, data, controls, examplesOf } of HELD_OUT) {
        if (!context.wants(name)) continue;
        context.log(`${name}: held-out frames`);
        const clip = clipOf(context, data);
        const examples = examplesOf(context, clip);
        const model = learn(examples, controls, numerics);
        rows.push(...heldOut(name, [{ ...model, examples, clip }], numerics));
        if (name in SUBJECTS) continue;
        rows.push(along(name, model, clip, numerics), iterationTime(name, model, clip, numerics));
        rows.push(...farPull(name, { ...model, examples }, numerics));
      }
      for (const name of wanted(LEFT_OUT)) {
        context.log(`${name}: each pose left out`);
        const folds = leftOut(posesOf(context, name)).map((fold) => ({
          ...learn(fold.examples, SUBJECTS[name].controls, numerics),
          ...fold,
        }));
        rows.push(...heldOut(`${name}, each pose left out`, folds, numerics));
      }
      for (const name of wanted(Object.keys(SUBJECTS))) {
        context.log(`${name}: one foot pulled`);
        rows.push(...locality(name, subjects.get(name), numerics));
      }
      for (const name of wanted(Object.keys(SUBJECTS))) {
        context.log(`${name}: pulled far`);
        rows.push(...farPull(name, subjects.get(name), numerics));
      }
      return rows;
    } finally {
      numerics.close();
    }
  },
};
