import type { Report } from '@pelt/jobs';
import { formatBytes, formatCount, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';

export type FileInfo = Report<'info'>['files'][number];

/** What is in a file, as a table for people. */
export function describeFile(info: FileInfo): string[] {
  const { min, max } = info.bounds;
  const size = max.map((value, c) => formatNumber(value - min[c])).join(' × ');
  const rows: [string, string][] = [['format', `${info.format}, ${formatBytes(info.bytes)}`]];
  if (info.vertices !== undefined) rows.push(['vertices', formatCount(info.vertices)]);
  if (info.triangles !== undefined) rows.push(['triangles', formatCount(info.triangles)]);
  const seconds = info.seconds === undefined || info.frames === 1 ? '' : `, ${formatSeconds(info.seconds)}`;
  rows.push(['frames', `${formatCount(info.frames)}${seconds}`]);
  const weights = info.weightsPerVertex === undefined ? '' : `, up to ${info.weightsPerVertex} a vertex`;
  if (info.joints) rows.push(['joints', `${info.joints}${weights}`]);
  if (info.skin && info.skin !== 'linear') rows.push(['skin', info.skin]);
  if (info.layers) {
    const { virtualBones, masters, mastersPerVirtual } = info.layers;
    rows.push(['layers', `${virtualBones} virtual bones, each of up to ${mastersPerVirtual} of ${masters} bones`]);
  }
  if (info.morphTargets) rows.push(['morphs', formatCount(info.morphTargets)]);
  if (info.clips && info.clips.length > 0) rows.push(['clips', info.clips.map(describeClip).join('; ')]);
  if (info.learnt) rows.push(['learnt', info.learnt.join(', ')]);
  if (info.parts && info.parts.length > 1) rows.push(['parts', list(info.parts)]);
  if (info.materials) rows.push(['materials', list(info.materials)]);
  if (info.attributes && info.attributes.length > 0) rows.push(['has', info.attributes.join(', ')]);
  rows.push(['size', size], ['bounds', `${point(min)} to ${point(max)}`]);
  return [info.file, ...alignRows(rows)];
}

function describeClip({ name, frames, seconds }: NonNullable<FileInfo['clips']>[number]): string {
  return `${name} (${frames} keys, ${formatSeconds(seconds)})`;
}

function point(values: readonly number[]): string {
  return `(${values.map(formatNumber).join(', ')})`;
}

const SHOWN_NAMES = 8;

/** Names that follow each other are said once: the parts of a mesh often have its name. */
function list(names: readonly string[]): string {
  const runs: { readonly name: string; count: number }[] = [];
  for (const name of names) {
    const last = runs.at(-1);
    if (last?.name === name) last.count++;
    else runs.push({ name, count: 1 });
  }
  const shown = runs.slice(0, SHOWN_NAMES);
  const left = runs.slice(SHOWN_NAMES).reduce((sum, { count }) => sum + count, 0);
  const words = shown.map(({ name, count }) => `${name || '(no name)'}${count > 1 ? ` (${count})` : ''}`);
  return `${names.length}: ${words.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
