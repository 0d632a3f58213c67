/**
 * Skinning decomposition with four weights a vertex and the default options, beside the published figures: rigid bones
 * with the rest pose kept, as in the papers, and near, medians over perturbed copies of the data; affine bones, SMA, LSSP,
 * EigenSkin of rank 5, rigs that are known, islands of weights, frames that were left out, the time on two threads, and
 * whether one thread gives the same bytes.
 */
import { openNumerics } from '@pelt/math';
import { decompose, eigenSkin } from '@pelt/skin';
import { AFFINE, RIGID } from '../published/decomposition.mjs';
import { heldOut } from './decompose/held-out.mjs';
import { islands } from './decompose/islands.mjs';
import { knownRigs } from './decompose/known-rigs.mjs';
import { dataNeeded, loadAnimation } from './decompose/load-animation.mjs';
import { corrected, EIGENSKIN_RANK, errorOf, errorWith } from './decompose/metrics.mjs';
import { fitCopies, medianAndSpread } from './decompose/perturbed-copies.mjs';
import { sameBytes } from './decompose/same-bytes.mjs';

const PUBLISHED = 'published';
const EXPERIMENT = 'experiment in C++';
const THREADS = 2;
/** Seconds on two threads that a fit may take. */
const SECONDS = { 'horse-gallop 20': 4, 'horse-gallop 33': 9, 'elephant-gallop 27': 25, 'samba 20': 9 };

export default {
  name: 'decompose',
  needs: [...new Set([...RIGID, ...AFFINE].flatMap(({ data }) => dataNeeded(data)))],
  async run(context) {
    const numerics = await openNumerics({ threads: THREADS });
    try {
      const rigid = [];
      for (const row of RIGID) rigid.push(...(await rigidRows(context, numerics, row)));
      const affine = AFFINE.flatMap((row) => affineRows(context, numerics, row));
      return [
        ...rigid,
        ...meanRows(context, 'all rigid, rest pose keep', rigid, isErrorOf('keep'), 'ratio <= 0.7'),
        ...meanRows(context, 'all rigid, rest pose near', rigid, isErrorOf('near'), 'ratio <= 0.62'),
        ...affine,
        ...meanRows(context, 'all affine', affine, () => true, 'ratio <= 0.85'),
        ...knownRigs(context, numerics),
        ...islands(context, numerics),
        ...heldOut(context, numerics),
        ...(await sameBytes(context, numerics)),
      ];
    } finally {
      numerics.close();
    }
  },
};

async function rigidRows(context, numerics, { data, bones, ssdr, sma, lssp, experiment }) {
  const place = `${data} ${bones}`;
  if (!context.wants(place)) return [];
  context.log(place);
  const sequence = loadAnimation(context, data);
  const rows = [];
  if (ssdr !== undefined || experiment !== undefined) {
    for (const restPose of ['keep', 'near']) {
      rows.push(...(await fitRows(place, sequence, { bones, restPose }, ssdr, experiment)));
    }
  }
  for (const [method, published] of [
    ['sma', sma],
    ['lssp', lssp],
  ]) {
    if (published === undefined) continue;
    const { rig, clip, error } = decompose(sequence, { bones, method }, { numerics });
    const withEigenSkin = eigenSkin({ sequence, rig, clip }, { rank: EIGENSKIN_RANK }, { numerics }).error.eRms;
    const metric = errorOf(method);
    const row = { case: place, metric, value: error.eRms, unit: '', ...against(published[0], PUBLISHED, 1) };
    const reference = against(published[1], PUBLISHED, 1);
    rows.push(row, { ...row, metric: corrected(metric), value: withEigenSkin, ...reference });
  }
  return rows;
}

/** Medians over perturbed copies of the data, each fitted by the job of `pelt fit`. */
async function fitRows(place, sequence, options, ssdr, experiment) {
  const reports = await fitCopies(sequence, { ...options, eigenskin: EIGENSKIN_RANK }, THREADS);
  const { restPose } = options;
  const of = (value) => medianAndSpread(reports.map(value));
  const { median, spread } = of(({ error }) => error.eRms);
  const rowOf = (metric, value, more) => ({ case: place, metric, value, unit: '', ...more });
  const row = (metric, value, more) => rowOf(`${metric}, rest pose ${restPose}`, value, more);
  const rows = [
    rowOf(errorWith(restPose), median, ssdr && against(ssdr[0], PUBLISHED, 1)),
    row('spread of E_RMS', spread, { target: 'value <= 0.05' }),
  ];
  if (restPose === 'keep') {
    if (experiment !== undefined)
      rows.push(row('E_RMS beside the experiment', median, against(experiment, EXPERIMENT, 1.03)));
    return rows;
  }
  const moved = Math.max(...reports.map(({ restMoved, error }) => restMoved.eRms / error.eRms));
  rows.push(row('displacement of the rest pose in E_RMS', moved, { target: 'value <= 1' }));
  if (ssdr !== undefined) {
    const withEigenSkin = of(({ error }) => error.eigenskin.eRms).median;
    rows.push(rowOf(corrected(errorWith(restPose)), withEigenSkin, against(ssdr[1], PUBLISHED, 1)));
  }
  const limit = SECONDS[place];
  const seconds = of(({ seconds: { fit } }) => fit).median;
  rows.push({ ...row('time', seconds), unit: 's', ...(limit && { target: `value <= ${limit}` }) });
  return rows;
}

function affineRows(context, numerics, { data, bones, affine }) {
  const place = `${data} ${bones}, affine`;
  if (!context.wants(place)) return [];
  context.log(place);
  const { error } = decompose(loadAnimation(context, data), { bones, method: 'affine' }, { numerics });
  return [{ case: place, metric: 'E_RMS', value: error.eRms, unit: '', ...against(affine, PUBLISHED, 1) }];
}

const isErrorOf =
  (restPose) =>
  ({ metric }) =>
    metric === errorWith(restPose);

function against(reference, referenceName, most) {
  return { reference, referenceName, target: `ratio <= ${most}` };
}

/** Geometric mean of the ratios to the published figures; of no use where only some of the cases were run. */
function meanRows(context, place, rows, chosen, target) {
  if (context.only !== undefined) return [];
  const logs = rows
    .filter((row) => row.referenceName === PUBLISHED && chosen(row))
    .map(({ value, reference }) => Math.log(value / reference));
  const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  const metric = 'geometric mean of the ratios';
  return [{ case: place, metric, value: mean, unit: '', reference: 1, referenceName: PUBLISHED, target }];
}
