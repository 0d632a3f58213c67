/**
 * Skinning decomposition with four weights a vertex and the default options, beside the published figures: rigid and
 * affine bones, SMA, LSSP, EigenSkin of rank 5, rigs that are known, frames that were left out, the time on two threads,
 * and whether one thread gives the same bytes.
 */
import { openNumerics } from '@pelt/math';
import { decompose, eigenSkin } from '@pelt/skin';
import { AFFINE, RIGID } from '../published/decomposition.mjs';
import { heldOut } from './decompose/held-out.mjs';
import { knownRigs } from './decompose/known-rigs.mjs';
import { dataNeeded, loadAnimation } from './decompose/load-animation.mjs';
import { sameBytes } from './decompose/same-bytes.mjs';

const PUBLISHED = 'published';
const EXPERIMENT = 'experiment in C++';
const EIGENSKIN_RANK = 5;
/** Seconds on two threads that a fit may take. */
const SECONDS = { 'horse-gallop 20': 4, 'horse-gallop 33': 9, 'elephant-gallop 27': 25, 'samba 20': 9 };

export default {
  name: 'decompose',
  needs: [...new Set([...RIGID, ...AFFINE].flatMap(({ data }) => dataNeeded(data)))],
  async run(context) {
    const numerics = await openNumerics({ threads: 2 });
    try {
      const rigid = RIGID.flatMap((row) => rigidRows(context, numerics, row));
      const affine = AFFINE.flatMap((row) => affineRows(context, numerics, row));
      return [
        ...rigid,
        ...meanRows(context, 'all rigid', rigid, ({ metric }) => metric === 'E_RMS', 'ratio <= 0.72'),
        ...affine,
        ...meanRows(context, 'all affine', affine, () => true, 'ratio <= 0.85'),
        ...knownRigs(context, numerics),
        ...heldOut(context, numerics),
        ...(await sameBytes(context, numerics)),
      ];
    } finally {
      numerics.close();
    }
  },
};

function rigidRows(context, numerics, { data, bones, ssdr, sma, lssp, experiment }) {
  const place = `${data} ${bones}`;
  if (!context.wants(place)) return [];
  context.log(place);
  const sequence = loadAnimation(context, data);
  const rows = [];
  const corrected = ({ rig, clip }) =>
    eigenSkin({ sequence, rig, clip }, { rank: EIGENSKIN_RANK }, { numerics }).error.eRms;
  if (ssdr !== undefined || experiment !== undefined) {
    const limit = SECONDS[place];
    // A time that is judged is a median.
    const { seconds, result: fitted } = context.medianRun(
      () => decompose(sequence, { bones }, { numerics }),
      limit === undefined ? 1 : 3,
    );
    const row = { case: place, metric: 'E_RMS', value: fitted.error.eRms, unit: '' };
    if (ssdr !== undefined) rows.push({ ...row, ...against(ssdr[0], PUBLISHED, 1) });
    if (experiment !== undefined) {
      rows.push({ ...row, metric: 'E_RMS beside the experiment', ...against(experiment, EXPERIMENT, 1.03) });
    }
    rows.push({
      case: place,
      metric: 'time',
      value: seconds,
      unit: 's',
      ...(limit && { target: `value <= ${limit}` }),
    });
    if (ssdr !== undefined) {
      const metric = `E_RMS with EigenSkin ${EIGENSKIN_RANK}`;
      rows.push({ ...row, metric, value: corrected(fitted), ...against(ssdr[1], PUBLISHED, 1) });
    }
  }
  for (const [method, published] of [
    ['sma', sma],
    ['lssp', lssp],
  ]) {
    if (published === undefined) continue;
    const fitted = decompose(sequence, { bones, method }, { numerics });
    const metric = `E_RMS of ${method.toUpperCase()}`;
    const row = { case: place, metric, value: fitted.error.eRms, unit: '', ...against(published[0], PUBLISHED, 1) };
    const withEigenSkin = { value: corrected(fitted), ...against(published[1], PUBLISHED, 1) };
    rows.push(row, { ...row, metric: `${metric} with EigenSkin ${EIGENSKIN_RANK}`, ...withEigenSkin });
  }
  return rows;
}

function affineRows(context, numerics, { data, bones, affine }) {
  const place = `${data} ${bones}, affine`;
  if (!context.wants(place)) return [];
  context.log(place);
  const { error } = decompose(loadAnimation(context, data), { bones, method: 'affine' }, { numerics });
  return [{ case: place, metric: 'E_RMS', value: error.eRms, unit: '', ...against(affine, PUBLISHED, 1) }];
}

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
