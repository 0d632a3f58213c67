/**
 * Skeletons at the published numbers of bones with one setting, beside the published errors: the default method, by the
 * job of `pelt skeleton` on perturbed copies of the data; the others, frames that were left out, rigs that are known, other numbers of clusters to begin with, time on two threads.
 */
import { openNumerics } from '@pelt/math';
import { extractSkeleton, SKELETON_METHODS } from '@pelt/skin';
import { SKELETONS } from '../published/skeletons.mjs';
import { dataNeeded, loadAnimation } from './decompose/load-animation.mjs';
import { medianAndSpread, runOnCopies } from './decompose/perturbed-copies.mjs';
import { clusterAgreement } from './skeleton/cluster-agreement.mjs';
import { errorLeftOut } from './skeleton/frames-left-out.mjs';
import { diagonalOf, widestGapAsRead } from './skeleton/joints-hold.mjs';
import { KNOWN_RIGS, knownSkeletons } from './skeleton/known-skeletons.mjs';

const PUBLISHED = 'published';
/** Seconds on two threads that the default method may take. */
const SECONDS = 40;
const THREADS = 2;

export default {
  name: 'skeleton',
  needs: [...SKELETONS.map(({ data }) => data), ...KNOWN_RIGS.map(({ data }) => data)].flatMap(dataNeeded),
  async run(context) {
    const numerics = await openNumerics({ threads: THREADS });
    try {
      const found = [];
      for (const row of SKELETONS) found.push(...(await defaultRows(context, numerics, row)));
      const compared = SKELETONS.flatMap((row) => comparedRows(context, numerics, row));
      return [
        ...found,
        ...(context.only === undefined ? [meanRow(found)] : []),
        ...compared,
        ...(context.wants('known') ? knownSkeletons(context, numerics) : []),
        ...(context.wants('clusters') ? clusterAgreement(context, numerics) : []),
      ];
    } finally {
      numerics.close();
    }
  },
};

async function defaultRows(context, numerics, { data, bones, ...published }) {
  const place = `${data} ${bones}`;
  if (!context.wants(`${place}, default`)) return [];
  context.log(place);
  const sequence = loadAnimation(context, data);
  const cpu = process.cpuUsage();
  const done = await runOnCopies('skeleton', sequence, { bones }, THREADS);
  const { user, system } = process.cpuUsage(cpu);
  const of = (value) => medianAndSpread(done.map(({ report }) => value(report)));
  const { median } = of(({ error }) => error.rmsePercent);
  // By E_RMS: the box of the rest pose, whose diagonal is the unit of the other, changes when the model is turned.
  const { spread } = of(({ error }) => error.eRms);
  const seconds = of(({ seconds: { fit } }) => fit).median;
  const gap = (await widestGapAsRead(done[0].glb)) / diagonalOf(sequence.rest.positions);
  return [
    { case: place, metric: 'RMSE', value: median, unit: '%', ...against(published['le-deng']) },
    { case: place, metric: 'spread of E_RMS', value: spread, unit: '', target: 'value <= 0.05' },
    { case: place, metric: 'joints apart, as read back', value: gap, unit: 'diagonals', target: 'value <= 1e-6' },
    { case: place, metric: 'time', value: seconds, unit: 's', target: `value <= ${SECONDS}` },
    { case: place, metric: 'time of all cores', value: (user + system) / 1e6 / done.length, unit: 's' },
    {
      case: `${place}, frames left out`,
      metric: 'RMSE',
      unit: '%',
      ...errorLeftOut(sequence, data, bones, numerics),
    },
  ];
}

function comparedRows(context, numerics, { data, bones, ...published }) {
  return SKELETON_METHODS.filter((method) => method !== 'strict').flatMap((method) => {
    const place = `${data} ${bones}, ${method}`;
    if (!context.wants(place)) return [];
    context.log(place);
    const { error } = extractSkeleton(loadAnimation(context, data), { bones, method }, { numerics });
    const { target, ...reference } = against(published[method]);
    // A reproduction of the method whose figure the default has to beat is shown beside it, and judged by nobody.
    const judged = method === 'le-deng' ? reference : { ...reference, target };
    return [{ case: place, metric: 'RMSE', value: error.rmsePercent, unit: '%', ...judged }];
  });
}

function against(reference) {
  return { reference, referenceName: PUBLISHED, target: 'ratio <= 1' };
}

/** Geometric mean of the ratios to the published figures. */
function meanRow(rows) {
  const logs = rows
    .filter(({ referenceName }) => referenceName === PUBLISHED)
    .map(({ value, reference }) => Math.log(value / reference));
  return {
    case: 'all',
    metric: 'geometric mean of the ratios',
    value: Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length),
    unit: '',
    reference: 1,
    referenceName: PUBLISHED,
    target: 'ratio <= 0.86',
  };
}
