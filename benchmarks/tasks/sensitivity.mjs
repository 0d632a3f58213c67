/**
 * How much each number of the three searches matters: it is halved and doubled alone, and error and processor time are
 * compared with those of the plan as it is. What chance decides is measured beside it, on the same data with its vertices
 * in another order, turned, and with a duplicate. A number whose rows stay within that is a candidate for removal.
 *
 * The names of the cases begin with the plan: --only='fit, samba 20' runs one subject, --only='seed' one number.
 */
import { openNumerics } from '@pelt/math';
import { COPIES, medianAndSpread } from './decompose/perturbed-copies.mjs';
import { doubled, halved, shown } from './sensitivity/changed-numbers.mjs';
import { dataOfSubjects, SUBJECTS } from './sensitivity/subjects.mjs';

export default {
  name: 'sensitivity',
  /** Takes an hour and judges nothing. */
  onlyIfNamed: true,
  needs: dataOfSubjects(),
  async run(context) {
    const numerics = await openNumerics({ threads: 1 });
    try {
      return SUBJECTS.flatMap((subject) => subjectRows(context, numerics, subject));
    } finally {
      numerics.close();
    }
  },
};

function subjectRows(context, numerics, { name, plan, numbers, load, prepare, run }) {
  const cases = numbers.flatMap((number) =>
    [halved, doubled].map((change) => {
      const value = change(plan[number]);
      return { number, value, place: `${name}: ${number} ${shown(plan[number])} to ${shown(value)}` };
    }),
  );
  const wanted = cases.filter(({ place }) => context.wants(place));
  if (wanted.length === 0) return [];
  const data = load(context);
  const measured = (sequence, search) => {
    const input = prepare(sequence, numerics);
    const cpu = process.cpuUsage();
    const { error, rig } = run(input, search, numerics);
    const { user, system } = process.cpuUsage(cpu);
    return { error: error.eRms, bones: rig.bones.length, seconds: (user + system) / 1e6 };
  };
  measured(data, {}); // Compiles the kernels.
  const copies = COPIES.map(([, change]) => measured(change(data), {}));
  const error = medianAndSpread(copies.map((copy) => copy.error));
  const seconds = medianAndSpread(copies.map((copy) => copy.seconds));
  const spreads = [
    { case: `${name}: as it is`, metric: 'spread of E_RMS over copies', value: error.spread, unit: '' },
    { case: `${name}: as it is`, metric: 'spread of time over copies', value: seconds.spread, unit: '' },
  ];
  const plain = measured(data, {});
  const rows = wanted.flatMap(({ number, value, place }) => {
    const found = attempt(() => measured(data, { [number]: value }));
    if (!found) return [{ case: place, metric: 'failed', value: 1, unit: '' }];
    const against = (reference) => ({ reference, referenceName: 'as it is' });
    const bones = found.bones - plain.bones;
    context.log(
      `${place}: error × ${ratio(found.error, plain.error)}, time × ${ratio(found.seconds, seconds.median)}` +
        (bones === 0 ? '' : `, ${bones} bones more`),
    );
    return [
      { case: place, metric: 'E_RMS', value: found.error, unit: '', ...against(plain.error) },
      { case: place, metric: 'time', value: found.seconds, unit: 's', ...against(seconds.median) },
      ...(bones === 0 ? [] : [{ case: place, metric: 'bones more', value: bones, unit: '' }]),
    ];
  });
  return [...spreads, ...rows];
}

function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function ratio(value, reference) {
  return (value / reference).toFixed(3);
}
