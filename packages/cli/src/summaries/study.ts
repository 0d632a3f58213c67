/** What people see of a study. */
import type { Report } from '@pelt/jobs';
import { formatBytes, formatFrames, formatNumber, formatSeconds } from '../terminal/amounts.ts';
import { alignRows } from '../terminal/table.ts';

/** A line a method, and what came out. */
export function study({ input, performer, rows, skins, output }: Report<'study'>): string[] {
  if (performer) {
    const { motion, frames, tables } = performer;
    return [
      `${motion} → ${output.file} (${formatBytes(output.bytes)})  ${formatFrames(frames)}  ${tables.length} tables in ${output.tables.join(', ')}`,
    ];
  }
  return [
    ...alignRows([
      ...rows.map(({ method, bones, error, spread, seconds }): [string, string] => [
        `${method}, ${bones} bones`,
        `E_RMS ${formatNumber(error.eRms)}${spread === undefined ? '' : ` ± ${formatNumber(50 * spread)} %`}  ${formatSeconds(seconds)}`,
      ]),
      ...skins.map(({ method, leftOut }): [string, string] => [
        method,
        `enveloping error ${formatNumber(leftOut.mean)} ± ${formatNumber(leftOut.deviation)} % on examples left out`,
      ]),
    ]),
    `${input ? `${input.name} (${formatBytes(input.bytes)}) → ` : ''}${output.file} (${formatBytes(output.bytes)})  ` +
      `tables in ${output.tables.join(', ')}`,
  ];
}
