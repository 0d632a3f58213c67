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

function list(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).map((name) => name || '(no name)');
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  return `${names.length}: ${shown.join(', ')}${more}`;
}
