// @ts-check
/** The tables of docs/benchmarks.md and docs/beside.md. */
import { DEM_BONES } from '../../../benchmarks/published/dem-bones.mjs';
import { figure, geometricMean, markdownTable } from './tables.mjs';

/**
 * @typedef {import('./tables.mjs').Measured} Measured
 * @typedef {import('./tables.mjs').Row} Row
 */

/**
 * @param {Measured} measured
 * @param {string} name  of the table; that of a task gives all of its rows
 */
export function tableOf(measured, name) {
  const make = TABLES[name];
  if (make) return make(measured);
  const results = measured.get(name);
  if (!results) throw new Error(`docs: there is no table '${name}', and no results of a task of that name`);
  return `${allRows(results.rows)}\n\n${origin(measured, name)}`;
}

/** @type {Readonly<Record<string, (measured: Measured) => string>>} */
const TABLES = {
  'dem-bones': demBones,
  gltfpack,
  'decompose-rigid': (measured) =>
    `${decomposeRigid(rowsOf(measured, 'decompose'))}\n\n${origin(measured, 'decompose')}`,
  'decompose-affine': (measured) =>
    `${decomposeAffine(rowsOf(measured, 'decompose'))}\n\n${origin(measured, 'decompose')}`,
  targets,
  missed,
};

/** @param {Measured} measured @param {string} task */
function rowsOf(measured, task) {
  const results = measured.get(task);
  if (!results) throw new Error(`docs: no results of '${task}' in docs/site/data; run npm run docs:tables -- ${task}`);
  return results.rows;
}

/** @param {Measured} measured @param {string} task */
function origin(measured, task) {
  const results = measured.get(task);
  const without = results?.times ? '' : ' Times are left out: the machine was busy.';
  return `*Measured on ${results?.measured} by \`${results?.command}\`.${without}*`;
}

/** @param {readonly Row[]} rows @param {string} place @param {string} metric */
function find(rows, place, metric) {
  return rows.find((row) => row.case === place && row.metric === metric);
}

/** @param {Measured} measured */
function demBones(measured) {
  const rows = rowsOf(measured, 'decompose');
  const lines = DEM_BONES.flatMap(({ data, bones, defaults, tuned }) => {
    const own =
      find(rows, `${data} ${bones}`, 'E_RMS') ?? find(rows, `${data} ${bones}`, 'E_RMS beside the experiment');
    return own ? [{ data, bones, defaults, tuned, own: own.value }] : [];
  });
  const table = markdownTable(
    ['animation', 'bones', 'Dem Bones', 'tuned by hand', 'pelt', 'pelt / tuned'],
    lines.map(({ data, bones, defaults, tuned, own }) => [
      data,
      String(bones),
      String(defaults),
      tuned ? String(tuned) : '',
      `**${figure(own)}**`,
      tuned ? figure(own / tuned) : '',
    ]),
    'lrrrrr',
  );
  const sound = lines.filter(({ defaults }) => defaults < 100);
  const tuned = lines.flatMap(({ own, tuned: best }) => (best ? [own / best] : []));
  const summary = `Geometric mean of the ratios: ${figure(geometricMean(sound.map(({ own, defaults }) => own / defaults)))} to its defaults, without the rows at 141.5; ${figure(geometricMean(tuned))} to its tuned settings.`;
  return `${table}\n\n${summary}\n\n${origin(measured, 'decompose')}`;
}

/** @param {Measured} measured */
function gltfpack(measured) {
  const rows = rowsOf(measured, 'assets');
  const size = 'size without images';
  const files = [...new Set(rows.filter(({ metric }) => metric === size).map((row) => row.case))];
  const lines = files.map((file) => {
    const [own, same] = [find(rows, file, size), find(rows, file, `${size} at the rms distance of gltfpack -cc`)];
    const away = find(rows, file, 'rms distance');
    return [
      file,
      figure(own?.reference),
      figure(away?.reference),
      figure(own?.value),
      figure(away?.value),
      `**${figure(same?.value)}**`,
      figure(same && same.value / /** @type {number} */ (same.reference)),
    ];
  });
  const ratios = files.flatMap((file) => {
    const row = find(rows, file, `${size} at the rms distance of gltfpack -cc`);
    return row?.reference ? [row.value / row.reference] : [];
  });
  const table = markdownTable(
    [
      'file',
      'gltfpack, KB',
      'its rms distance, %',
      'pelt, KB',
      'its rms distance, %',
      'pelt at the distance of gltfpack, KB',
      'ratio',
    ],
    lines,
    'lrrrrrr',
  );
  return `${table}\n\nGeometric mean of the ratios at the same distance: ${figure(geometricMean(ratios))}.\n\n${origin(measured, 'assets')}`;
}

/** @param {readonly Row[]} rows */
function decomposeRigid(rows) {
  const places = [...new Set(rows.filter(({ metric }) => /^E_RMS(?: beside.*)?$/.test(metric)).map((row) => row.case))];
  const lines = places
    .filter((place) => /^[\w-]+ \d+$/.test(place))
    .map((place) => {
      const own = find(rows, place, 'E_RMS');
      const plain = own ?? find(rows, place, 'E_RMS beside the experiment');
      const eigen = find(rows, place, 'E_RMS with EigenSkin 5');
      const published = (/** @type {Row | undefined} */ row) =>
        row?.referenceName === 'published' ? String(row.reference) : '';
      const at = place.lastIndexOf(' ');
      return [
        place.slice(0, at),
        place.slice(at + 1),
        published(own),
        `**${figure(plain?.value)}**`,
        published(eigen),
        eigen ? `**${figure(eigen.value)}**` : '',
      ];
    });
  return markdownTable(
    ['animation', 'bones', 'published', 'pelt', 'published, EigenSkin 5', 'pelt, EigenSkin 5'],
    lines,
    'lrrrrr',
  );
}

/** @param {readonly Row[]} rows */
function decomposeAffine(rows) {
  const lines = rows
    .filter((row) => row.case.endsWith(', affine') && row.metric === 'E_RMS')
    .map((row) => {
      const place = row.case.slice(0, -', affine'.length);
      const at = place.lastIndexOf(' ');
      return [place.slice(0, at), place.slice(at + 1), String(row.reference), `**${figure(row.value)}**`];
    });
  return markdownTable(['animation', 'bones', 'published', 'pelt'], lines, 'lrrr');
}

/** @param {readonly Row[]} rows */
function allRows(rows) {
  return markdownTable(
    ['case', 'metric', 'value', 'beside', 'target'],
    rows.map((row) => [
      row.case,
      row.metric,
      `**${figure(row.value)}**${row.unit ? ` ${row.unit}` : ''}`,
      row.reference === undefined ? '' : `${figure(row.reference)} (${row.referenceName})`,
      row.target ? `${row.target.replace('<=', '≤').replace('>=', '≥')}${row.ok ? '' : ', **missed**'}` : '',
    ]),
    'llrrl',
  );
}

/** How many targets are met, by task. @param {Measured} measured */
function targets(measured) {
  const lines = [...measured.values()].map(({ task, rows, measured: day, command }) => {
    const judged = rows.filter(({ ok }) => ok !== undefined);
    return [`\`${task}\``, `${judged.filter(({ ok }) => ok).length} of ${judged.length}`, day, `\`${command}\``];
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
        row.reference === undefined ? '' : `${figure(row.reference)} (${row.referenceName})`,
        `\`${row.target}\``,
      ]),
  );
  return lines.length === 0
    ? 'None.'
    : markdownTable(['task', 'case', 'metric', 'value', 'beside', 'target'], lines, 'lllrrl');
}
