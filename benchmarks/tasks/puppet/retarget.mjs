/**
 * Direct retargets of captured and tracked people to characters that were made elsewhere, and the same with twelve pairs as
 * style on top, beside the performer. Parameters were chosen on four of the captures (walk, run, jump, dance); the clips of
 * the Kinect served to find faults, and are no held-out data either.
 */
import { findBodyJoints } from '@pelt/model';
import { createPuppet, suggestKeyPoses, suggestNeutral } from '@pelt/skin';
import { captureOf, registrationOf } from './captured-motion.mjs';
import { characterOf, measureFollowing, play, recordingOf } from './follow.mjs';

const CHARACTERS = ['Soldier', 'CesiumMan'];
/** Captures need no smoothing. */
const CLIPS = [
  ['cmu-08_01.bvh', 0],
  ['cmu-16_17.bvh', 0],
  ['cmu-49_06.bvh', 0],
  ['cmu-walk.bvh', 0],
  ['cmu-run.bvh', 0],
  ['cmu-jump.bvh', 0],
  ['cmu-dance.bvh', 0],
  ['kinect20-action.txt', undefined],
  ['kinect25-point.csv', undefined],
  ['kinect25-wave.csv', undefined],
];
const STYLED = ['08_01', '16_17', '49_06'];
const PAIRS = 12;
export const needs = [...CHARACTERS.map((name) => `gltf/${name}.glb`), ...CLIPS.map(([file]) => `motion/${file}`)];

export async function measure(context) {
  const rows = [];
  for (const name of CHARACTERS) {
    for (const [file, delay] of CLIPS) {
      const place = `${name}, ${file}`;
      if (context.wants(place)) rows.push(...(await direct(context, place, name, file, delay)));
    }
  }
  for (const clip of STYLED) {
    const place = `twelve pairs as style, ${clip}`;
    if (context.wants(place)) rows.push(...styled(context, place, clip));
  }
  return rows;
}

async function direct(context, place, name, file, delay) {
  context.log(place);
  const rig = await characterOf(context, name);
  const motion = recordingOf(context, file);
  const data = { character: rig, performer: motion.joints, neutral: suggestNeutral(motion) };
  const [free, planted] = ['none', 'auto'].map((contacts) => {
    const puppet = createPuppet(data, { delay, contacts });
    return measureFollowing(rig, bonesOf(puppet.humanoid, rig), play(puppet, motion), motion);
  });
  const isCapture = delay === 0;
  return [
    { case: place, metric: 'limb angle', value: free.limbs, unit: '°', ...(isCapture && { target: 'value <= 0.5' }) },
    { case: place, metric: 'trunk angle', value: free.trunk, unit: '°' },
    {
      case: place,
      metric: 'limb angle added by contacts',
      value: planted.limbs - free.limbs,
      unit: '°',
      target: 'value <= 1',
    },
    { case: place, metric: 'jitter, out/in', value: planted.jitter, unit: '', target: 'value <= 1.2' },
    { case: place, metric: 'largest step, out/in', value: planted.step, unit: '', target: 'value <= 1.5' },
    ...[
      ['foot slide', 'slide'],
      ['foot slide, at the sole', 'soles'],
    ].map(([metric, key]) => ({
      case: place,
      metric,
      value: planted[key],
      unit: '% of the height per second',
      reference: free[key],
      referenceName: 'without contacts',
      target: 'value <= 8',
    })),
  ];
}

/** The capture's own skeleton, with pairs from the clip itself, beside the pairs alone. */
function styled(context, place, clip) {
  context.log(place);
  const capture = captureOf(context, clip);
  const { rig, motion } = capture;
  const pairs = registrationOf(capture, suggestKeyPoses(motion, { count: PAIRS }));
  const bones = {};
  findBodyJoints(rig.bones.map((bone) => bone.name)).forEach((joint, j) => {
    if (joint !== undefined) bones[joint] = j;
  });
  const [onTop, alone] = ['auto', 'pairs'].map((base) => {
    const puppet = createPuppet(
      { character: rig, pairs, performer: motion.joints },
      { base, parts: 'limbs', delay: 0 },
    );
    return measureFollowing(rig, bones, play(puppet, motion), motion);
  });
  const row = (metric, key, unit, target) => ({
    case: place,
    metric,
    value: onTop[key],
    unit,
    reference: alone[key],
    referenceName: 'pairs alone',
    target,
  });
  return [
    row('limb angle', 'limbs', '°', 'ratio <= 1'),
    row('trunk angle', 'trunk', '°', 'value <= 5'),
    row('jitter, out/in', 'jitter', '', 'ratio <= 1'),
    row('largest step, out/in', 'step', '', 'value <= 1.5'),
    row('foot slide', 'slide', '% of the height per second', 'value <= 8'),
  ];
}

/** Index of a bone by the name of a body joint. */
function bonesOf({ bones }, rig) {
  return Object.fromEntries(
    Object.entries(bones).map(([place, name]) => [place, rig.bones.findIndex((bone) => bone.name === name)]),
  );
}
