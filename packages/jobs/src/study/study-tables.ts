/** The tables of a study: columns with their headings, as CSV (RFC 4180) and as HTML. */
import type { BonesRow } from './measure-bones.ts';
import type { SkinRow } from './measure-skins.ts';

export interface Column<R> {
  readonly heading: string;
  readonly unit?: string;
  readonly of: (row: R) => string | number | undefined;
  /** Smaller figures are better, so that the least is marked. */
  readonly marked?: true;
}

export const BONES_COLUMNS: readonly Column<BonesRow>[] = [
  { heading: 'bones wanted', of: ({ wanted }) => wanted },
  { heading: 'method', of: ({ method }) => method },
  { heading: 'bones', of: ({ bones }) => bones },
  { heading: 'E_RMS', of: ({ error }) => error.eRms, marked: true },
  { heading: 'RMSE', unit: '%', of: ({ error }) => error.rmsePercent, marked: true },
  { heading: 'distortion', unit: '%', of: ({ error }) => error.distortionPercent, marked: true },
  { heading: 'largest error', of: ({ error }) => error.max, marked: true },
  { heading: 'p99.9 error', of: ({ error }) => error.p999, marked: true },
  { heading: 'normals', unit: '°', of: ({ error }) => error.normalAngleDegrees, marked: true },
  { heading: 'spread', unit: '%', of: ({ spread }) => spread && 100 * spread, marked: true },
  { heading: 'E_RMS held out', of: ({ heldOut }) => heldOut, marked: true },
  { heading: 'time', unit: 's', of: ({ seconds }) => seconds, marked: true },
  { heading: 'file', unit: 'bytes', of: ({ bytes }) => bytes, marked: true },
  { heading: 'packed file', unit: 'bytes', of: ({ packedBytes }) => packedBytes, marked: true },
  { heading: 'weights per vertex', of: ({ weightsPerVertex }) => weightsPerVertex },
  { heading: 'flops per vertex', of: ({ flopsPerVertex }) => flopsPerVertex, marked: true },
];

export const SKIN_COLUMNS: readonly Column<SkinRow>[] = [
  { heading: 'method', of: ({ method }) => method },
  { heading: 'enveloping error, examples', unit: '%', of: ({ training }) => training, marked: true },
  { heading: 'left out', unit: '%', of: ({ leftOut }) => leftOut.mean, marked: true },
  { heading: 'standard deviation', unit: '%', of: ({ leftOut }) => leftOut.deviation },
  { heading: 'other frames', unit: '%', of: ({ others }) => others, marked: true },
  { heading: 'time', unit: 's', of: ({ seconds }) => seconds, marked: true },
  { heading: 'file', unit: 'bytes', of: ({ bytes }) => bytes, marked: true },
  { heading: 'proxies', of: ({ proxies }) => proxies },
  { heading: 'displacements', of: ({ displacements }) => displacements },
  { heading: 'flops per vertex', of: ({ flopsPerVertex }) => flopsPerVertex, marked: true },
];

export function csvOf<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const heading = columns.map((column) => headingOf(column));
  const lines = rows.map((row) => columns.map(({ of }) => String(of(row) ?? '')));
  return [heading, ...lines].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** Rows of a table that are compared with each other are a group; the least figure of each column in it is marked. */
export function htmlTable<R>(columns: readonly Column<R>[], groups: readonly (readonly R[])[]): string {
  const head = columns.map((column) => `<th scope="col">${escaped(headingOf(column))}</th>`).join('');
  const body = groups.map((rows) => {
    const least = columns.map(({ of, marked }) => {
      const values = rows.map(of).filter((value) => typeof value === 'number');
      return marked && values.length > 1 ? Math.min(...values) : undefined;
    });
    const lines = rows.map((row) => {
      const cells = columns.map(({ of }, k) => cellOf(of(row), least[k]));
      return `<tr>${cells.join('')}</tr>`;
    });
    return `<tbody>${lines.join('\n')}</tbody>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead>\n${body.join('\n')}</table></div>`;
}

function cellOf(value: string | number | undefined, least: number | undefined): string {
  if (value === undefined) return '<td></td>';
  if (typeof value === 'string') return `<td class="word">${escaped(value)}</td>`;
  return value === least ? `<td><strong>${figure(value)}</strong></td>` : `<td>${figure(value)}</td>`;
}

function headingOf({ heading, unit }: Pick<Column<never>, 'heading' | 'unit'>): string {
  return unit ? `${heading}, ${unit}` : heading;
}

/** Three significant digits; whole numbers as they are. */
export function figure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2);
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
