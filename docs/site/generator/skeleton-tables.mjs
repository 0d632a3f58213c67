// @ts-check
/** Tables of the results of `npm run bench -- skeleton`. */
import { SKELETONS } from '../../../benchmarks/published/skeletons.mjs';
import { origin, rowOf, rowsOf } from './measured.mjs';
import { figure, markdownTable } from './tables.mjs';

/** @typedef {import('./measured.mjs').Measured} Measured @typedef {import('./measured.mjs').Row} Row */

const TASK = 'skeleton';
const METHODS = /** @type {const} */ (['le-deng', 'schaefer-yuksel', 'de-aguiar', 'hasler']);
const WORDS = {
  'le-deng': 'Le, Deng',
  'schaefer-yuksel': 'Schaefer, Yuksel',
  'de-aguiar': 'de Aguiar',
  hasler: 'Hasler',
};

/** RMSE by method, each beside what was published for it. @param {Measured} measured */
export function skeletons(measured) {
  const rows = rowsOf(measured, TASK);
  const lines = SKELETONS.map(({ data, bones, ...published }) => [
    data,
    String(bones),
    `**${figure(rowOf(rows, `${data} ${bones}`, 'RMSE').value)}**`,
    ...METHODS.flatMap((method) => [
      String(published[method]),
      figure(rowOf(rows, `${data} ${bones}, ${method}`, 'RMSE').value),
    ]),
  ]);
  const headings = ['animation', 'bones', 'pelt', ...METHODS.flatMap((method) => [WORDS[method], 'here'])];
  const mean = rowOf(rows, 'all', 'geometric mean of the ratios').value;
  return `${markdownTable(headings, lines, 'lrrrrrrrrrr')}

Geometric mean of the ratios to Le and Deng: ${figure(mean)}.

${origin(measured, TASK)}`;
}

/** Whether a row is not in the table above. @param {Row} row */
export function isOther(row) {
  return !(row.metric === 'RMSE' && /^[\w-]+ \d+(?:, [\w-]+)?$/.test(row.case));
}

/** The default method in the guide: error, spread and, where they were measured, processor times. @param {Measured} measured */
export function guideSkeletons(measured) {
  const rows = rowsOf(measured, TASK);
  const times = measured.get(TASK)?.times;
  const lines = SKELETONS.map(({ data, bones, 'le-deng': published }) => {
    const place = `${data} ${bones}`;
    const of = (/** @type {string} */ metric) => rowOf(rows, place, metric).value;
    const range = `${(100 * of('spread of E_RMS')).toFixed(1)} %`;
    const cells = [data, String(bones), String(published), figure(of('RMSE')), range];
    return times ? [...cells, `${figure(of('time of all cores'))} s`] : cells;
  });
  const headings = ['animation', 'bones', 'published (Le, Deng)', 'pelt', 'range'];
  return markdownTable(times ? [...headings, 'processor time'] : headings, lines, 'lrrrrr');
}
