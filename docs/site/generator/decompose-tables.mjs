// @ts-check
/** Tables of the results of `npm run bench -- decompose`. Their rows are those of the published lists, so that none can be lost. */
import { AFFINE, RIGID } from '../../../benchmarks/published/decomposition.mjs';
import { DEM_BONES } from '../../../benchmarks/published/dem-bones.mjs';
import {
  corrected,
  errorOf,
  errorWith,
  ISLAND_CASES,
  OUTSIDE_REGIONS,
  REGIONS_PER_BONE,
} from '../../../benchmarks/tasks/decompose/metrics.mjs';
import { origin, referenceOf, rowOf, rowsOf } from './measured.mjs';
import { figure, geometricMean, markdownTable } from './tables.mjs';

/** @typedef {import('./measured.mjs').Measured} Measured @typedef {import('./measured.mjs').Row} Row */

const TASK = 'decompose';
const [KEEP, NEAR] = [errorWith('keep'), errorWith('near')];
const MEAN = 'geometric mean of the ratios';

/** Rows of the tables in the guide: one or several numbers of bones of every animation that papers have. */
const GUIDE = ['horse-gallop 10', 'horse-gallop 20', 'horse-gallop 33', 'cat-poses 25', 'lion-poses 21']
  .concat(['elephant-gallop 27', 'pcow 24'])
  .map((place) => place.split(' '));

/** @param {number} value */
const bold = (value) => `**${figure(value)}**`;
/** A figure that was published as it was printed; nothing where none was. @param {number | undefined} value */
const printed = (value) => (value === undefined ? '' : String(value));

/** @param {Measured} measured */
export function rigid(measured) {
  const rows = rowsOf(measured, TASK);
  const fitted = RIGID.filter(({ ssdr, experiment }) => ssdr !== undefined || experiment !== undefined);
  const lines = fitted.map(({ data, bones, ssdr }) => {
    const place = `${data} ${bones}`;
    return [
      data,
      String(bones),
      printed(ssdr?.[0]),
      figure(rowOf(rows, place, KEEP).value),
      bold(rowOf(rows, place, NEAR).value),
      printed(ssdr?.[1]),
      ssdr ? bold(rowOf(rows, place, corrected(NEAR)).value) : '',
    ];
  });
  const headings = ['animation', 'bones', 'published', 'rest pose kept', 'pelt', 'published, EigenSkin 5'];
  return `${markdownTable([...headings, 'pelt, EigenSkin 5'], lines, 'lrrrrrr')}

Geometric mean of the ratios to the published figures: ${meanOf(rows, 'all rigid, rest pose near')}, with the rest pose kept ${meanOf(rows, 'all rigid, rest pose keep')}.

${origin(measured, TASK)}`;
}

/** @param {Measured} measured */
export function affine(measured) {
  const rows = rowsOf(measured, TASK);
  const lines = AFFINE.map(({ data, bones, affine: published }) => [
    data,
    String(bones),
    printed(published),
    bold(rowOf(rows, `${data} ${bones}, affine`, 'E_RMS').value),
  ]);
  const table = markdownTable(['animation', 'bones', 'published', 'pelt'], lines, 'lrrr');
  return `${table}\n\nGeometric mean of the ratios: ${meanOf(rows, 'all affine')}.\n\n${origin(measured, TASK)}`;
}

/** SMA and LSSP, without and with EigenSkin. @param {Measured} measured */
export function others(measured) {
  const rows = rowsOf(measured, TASK);
  const lines = RIGID.flatMap(({ data, bones, sma, lssp }) =>
    Object.entries({ sma, lssp }).flatMap(([method, published]) => {
      if (published === undefined) return [];
      const of = (/** @type {string} */ metric) => bold(rowOf(rows, `${data} ${bones}`, metric).value);
      const [plain = '', eigen = ''] = published.map(printed);
      const metric = errorOf(method);
      return [[method.toUpperCase(), data, String(bones), plain, of(metric), eigen, of(corrected(metric))]];
    }),
  ).sort(([a = ''], [b = '']) => (a < b ? -1 : Number(a > b)));
  const headings = ['method', 'animation', 'bones', 'published', 'here', 'published, EigenSkin 5', 'here, EigenSkin 5'];
  return `${markdownTable(headings, lines, 'llrrrrr')}\n\n${origin(measured, TASK)}`;
}

/** Known rigs, islands, frames that were left out, threads. @param {Row} row */
export function isOther(row) {
  return /^known rig|islands$|frames left out$|one thread and two$/.test(row.case);
}

/** @param {Measured} measured */
export function demBones(measured) {
  const lines = demBonesRows(measured);
  const table = markdownTable(
    [
      'animation',
      'bones',
      'Dem Bones',
      'tuned by hand',
      'pelt, rest pose kept',
      'pelt',
      'kept / tuned',
      'pelt / tuned',
    ],
    lines.map(({ data, bones, defaults, tuned, kept, own }) => [
      data,
      String(bones),
      String(defaults),
      printed(tuned),
      figure(kept),
      bold(own),
      tuned === undefined ? '' : figure(kept / tuned),
      tuned === undefined ? '' : figure(own / tuned),
    ]),
    'lrrrrrrr',
  );
  const { kept, own } = demBonesMeans(measured);
  const summary = `Geometric mean of the ratios: to its defaults ${own.defaults} (${kept.defaults} with the rest pose kept), without the rows at 141.5; to its tuned settings ${own.tuned} (${kept.tuned}).`;
  return `${table}\n\n${summary}\n\n${origin(measured, TASK)}`;
}

/** @param {Measured} measured */
function demBonesRows(measured) {
  const rows = rowsOf(measured, TASK);
  return DEM_BONES.map(({ data, bones, defaults, tuned }) => {
    const place = `${data} ${bones}`;
    const [kept, own] = [rowOf(rows, place, KEEP).value, rowOf(rows, place, NEAR).value];
    return { data, bones, defaults, tuned, kept, own };
  });
}

/** Geometric means of the ratios to Dem Bones, by its defaults and as it was tuned by hand. @param {Measured} measured */
export function demBonesMeans(measured) {
  const lines = demBonesRows(measured);
  const sound = lines.filter(({ defaults }) => defaults < COLLAPSED);
  const mean = (/** @type {'kept' | 'own'} */ key) => ({
    defaults: figure(geometricMean(sound.map((line) => line[key] / line.defaults))),
    tuned: figure(geometricMean(lines.flatMap((line) => (line.tuned ? [line[key] / line.tuned] : [])))),
  });
  return { kept: mean('kept'), own: mean('own') };
}

/** An E_RMS above this is a start that collapsed to one bone. */
const COLLAPSED = 100;

/** @param {Measured} measured */
export function guideErrors(measured) {
  const rows = rowsOf(measured, TASK);
  const lines = GUIDE.map(([data = '', bones = '']) => {
    const [kept, near] = [rowOf(rows, `${data} ${bones}`, KEEP), rowOf(rows, `${data} ${bones}`, NEAR)];
    return [data, bones, printed(referenceOf(kept)), figure(kept.value), figure(near.value)];
  });
  const compared = rows.filter(({ metric, reference }) => metric === NEAR && reference !== undefined).length;
  const means = [meanOf(rows, 'all rigid, rest pose keep'), meanOf(rows, 'all rigid, rest pose near')];
  lines.push([`geometric mean of the ratios, ${compared} rows`, '', '1', ...means]);
  return markdownTable(['animation', 'bones', 'published', '`--rest-pose keep`', '`near` (default)'], lines, 'lrrrr');
}

/** @param {Measured} measured */
export function guideIslands(measured) {
  const rows = rowsOf(measured, TASK);
  const lines = ISLAND_CASES.map(({ data, bones }) => {
    const place = `${data} ${bones}, islands`;
    const [outside, regions] = [rowOf(rows, place, OUTSIDE_REGIONS), rowOf(rows, place, REGIONS_PER_BONE)];
    const figures = [referenceOf(outside), outside.value, referenceOf(regions), regions.value].map(figure);
    return [data, String(bones), ...figures];
  });
  const headings = ['animation', 'bones', 'pairs outside, no price', 'pairs outside', 'regions per bone, no price'];
  return markdownTable([...headings, 'regions per bone'], lines, 'lrrrrr');
}

/** @param {readonly Row[]} rows @param {string} place */
function meanOf(rows, place) {
  return figure(rowOf(rows, place, MEAN).value);
}
