/** What people see of a report: lines, the last of which says what came out. */
import type { CommandName, Report } from '@pelt/jobs';
import { formatBytes, formatCount, formatFrames, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';
import { describeFile } from './describe-file.ts';
import { study } from './study.ts';

export const SUMMARIES: { readonly [C in CommandName]: (report: Report<C>) => readonly string[] } = {
  info: ({ files }) => files.flatMap(describeFile),
  convert,
  fit,
  skeleton,
  reduce,
  sliders,
  envelope,
  volume,
  puppet,
  clean,
  pose,
  compare,
  study,
  view,
};

/** `in.obj (3.7 MB) → out.glb (410 KB)` */
function made(input: string, inputBytes: number, { file, bytes }: Report<'fit'>['output']): string {
  return `${input} (${formatBytes(inputBytes)}) → ${file} (${formatBytes(bytes)})`;
}

function total(seconds: object): string {
  return formatSeconds(Object.values(seconds).reduce((sum, value) => sum + value, 0));
}

function convert({ input, output, rmsePercent, vat, seconds }: Report<'convert'>): string[] {
  const error = rmsePercent === undefined ? '' : `RMSE ${formatNumber(rmsePercent)} %  `;
  const count = output.files.length > 1 ? `${output.files.length} files, ` : '';
  return [
    ...alignRows(vatRows(vat)),
    `${input.name} (${formatBytes(input.bytes)}) → ${output.file} (${count}${formatBytes(output.bytes)})  ` +
      `${error}${formatFrames(output.frames)}  ${total(seconds)}`,
  ];
}

/** What the frames take as a texture, beside the bones that move them. */
function vatRows(vat: Report<'convert'>['vat']): [string, string][] {
  if (!vat) return [];
  const { width, height, textureMegabytes, bones } = vat;
  return [
    ['texture', `${width} × ${height} texels, ${formatBytes(1e6 * textureMegabytes)} on the graphics card`],
    ['bones', bones ? `${bones.count}, ${formatBytes(bones.bytes)} with skin and clips` : 'none; pelt fit finds some'],
  ];
}

function fit(report: Report<'fit'>): string[] {
  const { input, output, error, bones, clips, limit, seconds, restMoved, displacements, tried } = report;
  return [
    ...alignRows([
      ...errorRows(error),
      ...restRows(restMoved),
      ...limitRows(limit),
      ...(displacements ? [['displacements', `${displacements}`] as [string, string]] : []),
      ...(tried ? [['tried', `${tried} fits`] as [string, string]] : []),
      ...clipRows(clips),
      ...sampleRows(report),
    ]),
    `${made(input.name, input.bytes, output)}  ` +
      `E_RMS ${formatNumber(error.eRms)}  ${bones} bones  ${total(seconds)}`,
  ];
}

function sliders({
  input,
  output,
  error,
  mixtures,
  transfer,
  unit,
  bones,
  maps,
  corrections,
  seconds,
}: Report<'sliders'>): string[] {
  const row = ({ rms, mean, max }: NonNullable<typeof error>) =>
    `RMS ${formatNumber(rms)} ${unit}, mean ${formatNumber(mean)}, largest ${formatNumber(max)}`;
  const rows: [string, string][] = [];
  if (error) rows.push(['sliders', `${input.sliders}, each fully on: ${row(error)}`]);
  if (mixtures) rows.push(['mixtures', `${mixtures.count}, random: ${row(mixtures)}`]);
  if (transfer) {
    const places = `median ${formatNumber(transfer.medianPercent)} %, p90 ${formatNumber(transfer.p90Percent)} %`;
    rows.push(['transfer', `${input.sliders} sliders of ${transfer.from}; corresponding places apart: ${places}`]);
  }
  return [
    ...alignRows([
      ...rows,
      ['maps', `${maps.numbers} numbers, ${formatNumber(100 * maps.zeros)} % zeros; ${corrections} corrected vertices`],
    ]),
    `${made(input.name, input.bytes, output)}  ${error ? `RMS ${formatNumber(error.rms)} ${unit}  ` : ''}${bones} bones  ${total(seconds)}`,
  ];
}

function skeleton(report: Report<'skeleton'>): string[] {
  const { input, output, bones, seconds, joints } = report;
  const file = made(input.name, input.bytes, output);
  if (report.method === 'embedded') {
    return [...treeLines(joints), `${file}  like ${report.like}  ${bones} bones  ${total(seconds)}`];
  }
  const { error, clips } = report;
  return [
    ...treeLines(joints),
    ...alignRows([...errorRows(error), ...clipRows(clips)]),
    `${file}  RMSE ${formatNumber(error.rmsePercent)} %  ${bones} bones  ${total(seconds)}`,
  ];
}

/** Of a fit in chunks: the vertices that gave the bones. */
function sampleRows({ input, sampledVertices }: Report<'fit'>): [label: string, value: string][] {
  if (!sampledVertices) return [];
  return [['bones from', `${formatCount(sampledVertices.vertices)} of ${formatCount(input.vertices)} vertices`]];
}

/** How far the rest pose moved, beside the error of the frames. */
function restRows({ eRms, max }: Report<'fit'>['restMoved']): [label: string, value: string][] {
  const moved = `moved by ${formatNumber(eRms)} in the unit of E_RMS, ${formatNumber(max)} in the model's at most`;
  return [['rest pose', eRms > 0 ? moved : 'kept']];
}

/** What --max-error asked for and got, in the unit that was typed. */
function limitRows(limit: Report<'fit'>['limit']): [label: string, value: string][] {
  if (!limit) return [];
  return [['limit', `${limit.asked} asked for, ${limit.reached} reached; the model is ${limit.size} in size`]];
}

/** Several clips by their names. */
function clipRows(clips: readonly string[]): [label: string, value: string][] {
  return clips.length > 1 ? [['clips', clips.join(', ')]] : [];
}

/** The hierarchy, children indented under their parents. */
function treeLines(joints: readonly { readonly name: string; readonly parent?: string }[]): string[] {
  const depths = new Map<string, number>();
  return joints.map(({ name, parent }) => {
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(name, depth);
    return `${'  '.repeat(depth)}${name}`;
  });
}

type RigFigures = Report<'reduce'>['before'];

function texturesLine({
  images,
  encoded,
  before,
  after,
  similarity,
}: NonNullable<Report<'reduce'>['textures']>): string {
  if (encoded === 0) return images === 0 ? 'no images to encode' : 'images stay: as WebP none would be half as large';
  const others = encoded < images ? '; the others would not be half as large' : '';
  return (
    `${encoded} of ${images} images as WebP, ${formatBytes(before)} → ${formatBytes(after)}, ` +
    `SSIM at least ${similarity.toFixed(3)}${others}`
  );
}

function reduce({
  input,
  before,
  after,
  truth,
  limit,
  lods = [],
  textures,
  seconds,
  output,
}: Report<'reduce'>): string[] {
  return [
    ...alignRows([...comparison(before, after), ...limitRows(limit)]),
    `errors are against ${truth === 'examples' ? 'the examples' : 'what the rig played before'}`,
    ...(textures ? [texturesLine(textures)] : []),
    ...lods.map(
      ({ file, triangles, bytes, rmsePercent }) =>
        `${file} (${formatBytes(bytes)})  ${formatCount(triangles)} triangles  ${formatNumber(rmsePercent)} % off`,
    ),
    `${made(input.name, before.bytes, output)}  ` +
      `E_RMS ${formatNumber(after.error.eRms)}  ${after.bones} bones  ${total(seconds)}`,
  ];
}

function comparison(before: RigFigures, after: RigFigures): [label: string, value: string][] {
  const row = (label: string, of: (figures: RigFigures) => string): [string, string] => [
    label,
    `${of(before)} → ${of(after)}`,
  ];
  return [
    row('E_RMS', ({ error }) => formatNumber(error.eRms)),
    row('largest', ({ error }) => formatNumber(error.max)),
    row('weights', ({ weightsPerVertex }) => `${weightsPerVertex} a vertex`),
    row('bones', ({ bones }) => formatCount(bones)),
    row('keys', ({ keys }) => formatCount(keys)),
    row('bytes', ({ bytes }) => formatBytes(bytes)),
    row('skinning', ({ flopsPerVertex }) => `${formatNumber(flopsPerVertex)} flops a vertex`),
  ];
}

type EnvelopeReport = Report<'envelope'>;

function envelope(report: EnvelopeReport): string[] {
  const { input, training, heldOut, choice, proxies, seconds, output } = report;
  return [
    ...alignRows([
      spreadRow(`${training.frames} frames that trained`, training.error),
      ...(heldOut ? [spreadRow(`${heldOut.frames} other frames`, heldOut.error)] : []),
      ...(choice ? [choiceRow(choice)] : []),
      ...(report.dynamics ? [swingRow(report.dynamics)] : []),
      ...(report.suggestions ?? []).map(suggestionRow),
      ...(report.taught?.leftOut ? [taughtRow(report.taught.leftOut)] : []),
      playedRow(report),
    ]),
    `${made(input.name, input.bytes, output)}  ` + `${proxies} proxies  ${total(seconds)}`,
  ];
}

/** How near the skin comes to its teacher in poses left out. */
function taughtRow({
  learnt,
  linear,
  dualQuaternion,
}: NonNullable<NonNullable<EnvelopeReport['taught']>['leftOut']>): [string, string] {
  const [plain, dual] = [linear, dualQuaternion].map((error) => `${formatNumber((100 * learnt) / (error || 1))} %`);
  return ['beside the solid', `${plain} of the distance of linear blending, ${dual} of that of dual quaternions`];
}

/** How the skin swings, and what that gains on frames left out. */
function swingRow({ method, poles, overPoseOnly, states }: NonNullable<EnvelopeReport['dynamics']>): [string, string] {
  if (method === 'none') return ['swing', 'none: the pose alone does as well on frames left out'];
  const hertz = poles.map((pole) => `${pole.hertz.toPrecision(2)} Hz`).join(', ');
  const by = method === 'twist' ? 'with the motion of the joints' : `${hertz}, ${states} states`;
  return ['swing', `${by}; ${(100 * overPoseOnly).toFixed(0)} % of what the pose alone misses on frames left out`];
}

/** What to simulate next, and how much less of it is known than of what was learnt from. */
function suggestionRow(
  { clip, from, to, variance, pose }: NonNullable<EnvelopeReport['suggestions']>[number],
  k: number,
): [string, string] {
  const when = `${formatNumber(from)} to ${formatNumber(to)} s, above all the pose at ${formatNumber(pose)} s`;
  return [k === 0 ? 'would teach most' : '', `${clip}: ${when}; ${formatNumber(variance)} times the usual variance`];
}

/** What the file is, and what plays it. */
function playedRow({ playedBy, displacements }: EnvelopeReport): [string, string] {
  if (playedBy === 'any') return ['played by', 'any glTF player'];
  const shapes = displacements > 0 ? `, with ${displacements} displacements` : '';
  return ['played by', `@pelt/three and pelt${shapes}; elsewhere as linear blend skinning`];
}

function choiceRow(choice: NonNullable<EnvelopeReport['choice']>): [string, string] {
  const { pull, tolerance, heldShare, fellBack, skin } = choice;
  if (fellBack) {
    const rival = skin === 'psd' ? 'pose space deformation' : 'linear blending over added joints';
    return ['chosen', `${rival}, which did better on examples left out`];
  }
  const held = `plain skinning below ${formatNumber(100 * tolerance)} % of the size`;
  return ['chosen', `${held}, for ${formatNumber(100 * heldShare)} % of each bone, pull ${formatNumber(pull)}`];
}

function spreadRow(name: string, { error, median, p95 }: EnvelopeReport['training']['error']): [string, string] {
  const [mean, middle, most] = [error, median, p95].map(formatNumber);
  return [name, `enveloping error ${mean} %, median of the vertices ${middle} %, p95 ${most} %`];
}

function volume(report: Report<'volume'>): string[] {
  const { input, body, frames, rounds, output, seconds } = report;
  return [
    `${body.tetrahedra} tetrahedra${body.leastAngleDegrees === undefined ? ' of the file' : `, least angle ${body.leastAngleDegrees.toFixed(1)}°, ${body.slivers} flat`}; ` +
      `${report.constraints} vertices follow ${input.bones} bones` +
      (report.examples > 0 ? `, shaped by ${report.examples} examples` : ''),
    `${formatFrames(frames)}, ${rounds.mean.toFixed(1)} rounds each; volume from ${(100 * report.volume).toFixed(1)} %` +
      (report.inverted > 0 ? `, up to ${report.inverted} inverted` : ''),
    `${input.mesh} + ${input.skeleton} → ${output.file} (${formatBytes(output.bytes)})  ${total(seconds)}`,
  ];
}

function puppet(report: Report<'puppet'>): string[] {
  const { input, output, pairs, humanoid, feet, times, seconds, live, calibration, quality } = report;
  if (live) {
    const { median, p95 } = live.latency;
    return [
      `${input.character} + ${input.motion}${output.file && ` → ${output.file}`}  ${formatFrames(live.frames)}  ` +
        `latency median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    ];
  }
  if (times) {
    return [
      ...pairs.map((name, k) => `${name}: ${times[k].toFixed(3)} s`),
      `${input.motion} → ${output.file}  ${times.length} pairs to fill in  ${total(seconds)}`,
    ];
  }
  const places = Object.entries(humanoid?.bones ?? {}).map(([place, bone]) => `${place} '${bone}'`);
  return [
    ...(humanoid ? [`recognised by ${humanoid.by}: ${places.join(', ')}`] : []),
    ...(calibration
      ? [
          `stands from ${calibration.from.toFixed(2)} to ${calibration.to.toFixed(2)} s: turned by ` +
            `${calibration.yaw.toFixed(0)}°, tilted by ${calibration.tilt.toFixed(0)}°`,
        ]
      : []),
    ...(quality ? [qualityLine(quality)] : []),
    ...(feet && feet.length > 0 ? [`planted: ${feet.map((bone) => `'${bone}'`).join(', ')}`] : []),
    `${input.character} + ${input.motion} → ${output.file} (${formatBytes(output.bytes)})  ` +
      `${pairs.length} pairs  ${output.keys} keys  ${total(seconds)}`,
  ];
}

function qualityLine(quality: NonNullable<Report<'puppet'>['quality']>): string {
  const { jitter, footSlide, selfIntersection, jointLimits } = quality;
  return [
    `jitter ${formatNumber(jitter)} %`,
    ...(footSlide === undefined ? [] : [`foot slide ${formatNumber(footSlide)} %/s`]),
    ...(selfIntersection ? [`inside itself ${formatNumber(selfIntersection.mean)} %`] : []),
    ...(jointLimits === undefined ? [] : [`beyond joint limits in ${formatNumber(jointLimits)} % of frames`]),
  ].join('  ');
}

function clean({ input, output, clips, seconds }: Report<'clean'>): string[] {
  const change = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? '–' : `${formatNumber(a)} → ${formatNumber(b)}`;
  return [
    ...alignRows(
      clips.map(({ name, before, after, loop }) => [
        name,
        `jitter ${change(before.jitter, after.jitter)} %  foot slide ${change(before.footSlide, after.footSlide)} %/s` +
          (loop ? `  loop of ${loop.from.toFixed(2)} to ${loop.to.toFixed(2)} s` : ''),
      ]),
    ),
    `${input.character} → ${output.file} (${formatBytes(output.bytes)})  ${total(seconds)}`,
  ];
}

function pose(report: Report<'pose'>): string[] {
  const { model, handles, largestHandleError, iterations, seconds, output, saved } = report;
  const made = [output, saved].flatMap((file) => (file ? [`${file.file} (${formatBytes(file.bytes)})`] : []));
  return [
    ...handles.map(({ vertex, error }) => `handle ${vertex}  error ${formatNumber(error)}`),
    `${model.file} (${formatBytes(model.bytes)}) → ${made.join(', ')}  ` +
      `handle error ${formatNumber(largestHandleError)}  ${iterations} iterations  ` +
      `${formatNumber(1000 * seconds.solve)} ms posing  ${total(seconds)}`,
  ];
}

function compare({ a, b, vertices, frames, error, enveloping, plain, limits }: Report<'compare'>): string[] {
  const rows = errorRows(error);
  if (b.skin) rows.unshift(['skin', b.skin]);
  if (enveloping) rows.push(['enveloping', spreadOf(enveloping)]);
  if (plain) {
    rows.push(['plain', `E_RMS ${formatNumber(plain.error.eRms)}, where viewers blend linearly`]);
    if (plain.enveloping) rows.push(['enveloping', `${spreadOf(plain.enveloping)}, plain`]);
  }
  for (const { asked, of, reached, exceeded } of limits ?? []) {
    rows.push([`${of} limit`, `${reached}, ${exceeded ? 'above' : 'within'} ${asked}`]);
  }
  return [
    ...alignRows(rows),
    `${a.name} against ${b.name}  ${formatCount(vertices)} vertices  ${formatFrames(frames)}  E_RMS ${formatNumber(error.eRms)}`,
  ];
}

function view({ subjects, heat = [], film, output, seconds }: Report<'view'>): string[] {
  const measured = subjects.slice(subjects.length - heat.length);
  const rows = heat.map(({ rmsPercent, maxPercent, vertex, clip, frame }, k): [string, string] => {
    const where = frame > 0 ? ` of frame ${frame}${clip && ` of ${clip}`}` : '';
    const [rms, most] = [rmsPercent, maxPercent].map(formatNumber);
    return [measured[k].name, `rms ${rms} % of the diagonal, at most ${most} % at vertex ${vertex}${where}`];
  });
  const length = film ? `${formatFrames(film.frames)}  ` : '';
  const names = subjects.map(({ name }) => name).join(', ');
  return [...alignRows(rows), `${names} → ${output.file} (${formatBytes(output.bytes)})  ${length}${total(seconds)}`];
}

function spreadOf({ error, median, p95, max }: NonNullable<Report<'compare'>['enveloping']>): string {
  const [all, half, most, worst] = [error, median, p95, max].map(formatNumber);
  return `${all} of what single bones miss (median ${half}, p95 ${most}, largest ${worst})`;
}

/** The metrics as a table for people. */
function errorRows(error: Report<'fit'>['error']): [label: string, value: string][] {
  return [
    ['E_RMS', `${formatNumber(error.eRms)}  (thousandths of the enclosing radius, per coordinate)`],
    ['RMSE', `${formatNumber(error.rmsePercent)} % of the box diagonal`],
    ['distortion', `${formatNumber(error.distortionPercent)} %`],
    ['largest', `${formatNumber(error.max)} in the model's unit`],
    ['99.9 %', `${formatNumber(error.p999)} or less`],
    ['normals', `${formatNumber(error.normalAngleDegrees)}° off on average`],
  ];
}
