// @ts-check
/** The tables of the pages that show measured figures, by name. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/packages/public-packages.mjs';
import * as decompose from './decompose-tables.mjs';
import { origin, referenceOf, rowOf, rowsOf } from './measured.mjs';
import { sensitivity } from './sensitivity-table.mjs';
import * as skeleton from './skeleton-tables.mjs';
import { figure, geometricMean, markdownTable } from './tables.mjs';

/** @typedef {import('./measured.mjs').Measured} Measured @typedef {import('./measured.mjs').Row} Row */

/** Pages with measured tables or figures, from the root of the repository. */
export const PAGES = [
  'README.md',
  'docs/benchmarks.md',
  'docs/beside.md',
  'docs/guide/fit.md',
  'docs/guide/reduce.md',
  'docs/guide/skeleton.md',
];

/** Names of the tasks of `npm run bench`. */
export const TASKS = readdirSync(join(ROOT, 'benchmarks/tasks'))
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => name.slice(0, -'.mjs'.length));

/**
 * @param {Measured} measured
 * @param {string} name  of the table; that of a task gives all of its rows
 */
export function tableOf(measured, name) {
  const make = TABLES[name];
  if (make) return make(measured);
  if (!TASKS.includes(name)) throw new Error(`docs: there is no table '${name}', and no task of that name`);
  if (!measured.has(name)) return unmeasured(name);
  return `${allRows(rowsOf(measured, name))}\n\n${origin(measured, name)}`;
}

/** @type {Readonly<Record<string, (measured: Measured) => string>>} */
const TABLES = {
  'dem-bones': decompose.demBones,
  gltfpack,
  overview,
  'decompose-rigid': decompose.rigid,
  'decompose-affine': decompose.affine,
  'decompose-methods': decompose.others,
  'decompose-others': (measured) => allRows(rowsOf(measured, 'decompose').filter(decompose.isOther)),
  'fit-errors': decompose.guideErrors,
  'fit-islands': decompose.guideIslands,
  skeletons: skeleton.skeletons,
  'skeleton-others': (measured) => allRows(rowsOf(measured, 'skeleton').filter(skeleton.isOther)),
  'skeleton-errors': skeleton.guideSkeletons,
  sensitivity: (measured) => (measured.has('sensitivity') ? sensitivity(measured) : unmeasured('sensitivity')),
  targets,
  missed,
};

/** @param {string} task */
function unmeasured(task) {
  return `*Not measured yet; \`npm run bench -- ${task}\` does.*`;
}

/** A line each for what others do as well, in the README. @param {Measured} measured */
function overview(measured) {
  const { own, kept } = decompose.demBonesMeans(measured);
  const sizes = gltfpackRatios(measured);
  const joints = rowOf(rowsOf(measured, 'skeleton'), 'all', 'geometric mean of the ratios').value;
  return markdownTable(
    ['what', 'beside', 'pelt relative to it'],
    [
      ['error of bones and weights', 'Dem Bones, tuned by hand', `**${own.tuned}** (rest pose kept: ${kept.tuned})`],
      [
        'error of bones and weights',
        'Dem Bones, its defaults',
        `**${own.defaults}** (rest pose kept: ${kept.defaults})`,
      ],
      ['error of skeletons', 'Le, Deng 2014, as published', `**${figure(joints)}**`],
      ['bytes of packed assets at the same error', 'gltfpack -cc', `**${figure(geometricMean(sizes))}**`],
    ],
    'llr',
  );
}

/** Bytes at the distance of gltfpack, relative to its own, by file. @param {Measured} measured */
function gltfpackRatios(measured) {
  return rowsOf(measured, 'assets')
    .filter(({ metric }) => metric === 'size without images at the rms distance of gltfpack -cc')
    .map((row) => row.value / referenceOf(row));
}

/** @param {Measured} measured */
function gltfpack(measured) {
  const rows = rowsOf(measured, 'assets');
  const size = 'size without images';
  const files = [...new Set(rows.filter(({ metric }) => metric === size).map((row) => row.case))];
  const ratios = gltfpackRatios(measured);
  const lines = files.map((file) => {
    const [own, away] = [rowOf(rows, file, size), rowOf(rows, file, 'rms distance')];
    const same = rowOf(rows, file, `${size} at the rms distance of gltfpack -cc`);
    const ratio = same.value / referenceOf(same);
    const beside = [referenceOf(own), referenceOf(away), own.value, away.value].map(figure);
    return [file, ...beside, `**${figure(same.value)}**`, figure(ratio)];
  });
  const headings = ['file', 'gltfpack, KB', 'its rms distance, %', 'pelt, KB', 'its rms distance, %'];
  const table = markdownTable([...headings, 'pelt at the distance of gltfpack, KB', 'ratio'], lines, 'lrrrrrr');
  return `${table}\n\nGeometric mean of the ratios at the same distance: ${figure(geometricMean(ratios))}.\n\n${origin(measured, 'assets')}`;
}

/** @param {readonly Row[]} rows */
function allRows(rows) {
  return markdownTable(
    ['case', 'metric', 'value', 'beside', 'target'],
    rows.map((row) => [
      row.case,
      row.metric,
      `**${figure(row.value)}**${row.unit ? ` ${row.unit}` : ''}`,
      beside(row),
      row.target ? `${row.target.replace('<=', '≤').replace('>=', '≥')}${row.ok ? '' : ', **missed**'}` : '',
    ]),
    'llrrl',
  );
}

/** @param {Row} row */
function beside(row) {
  return row.reference === undefined ? '' : `${figure(row.reference)} (${row.referenceName})`;
}

/** How many targets are met, by task, and which tasks have no results yet. @param {Measured} measured */
function targets(measured) {
  const lines = TASKS.map((task) => {
    const results = measured.get(task);
    if (!results) return [`\`${task}\``, '', 'not yet', `\`npm run bench -- ${task}\``];
    const judged = results.rows.filter(({ ok }) => ok !== undefined);
    const met = judged.length === 0 ? 'has none' : `${judged.filter(({ ok }) => ok).length} of ${judged.length}`;
    return [
      `\`${task}\``,
      met,
      `${results.measured}${results.times ? '' : ', without times'}`,
      `\`${results.command}\``,
    ];
  });
  return markdownTable(['task', 'targets met', 'measured', 'by'], lines);
}

/** Every target that is missed, with what was measured. @param {Measured} measured */
function missed(measured) {
  const lines = [...measured.values()].flatMap(({ task, rows }) =>
    rows
      .filter(({ ok }) => ok === false)
      .map((row) => [
        `\`${task}\``,
        row.case,
        row.metric,
        `${figure(row.value)} ${row.unit ?? ''}`.trim(),
        beside(row),
        `\`${row.target}\``,
      ]),
  );
  return lines.length === 0
    ? 'None.'
    : markdownTable(['task', 'case', 'metric', 'value', 'beside', 'target'], lines, 'lllrrl');
}
