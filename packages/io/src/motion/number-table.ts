/**
 * Rows of numbers in text, as trackers log them: separated by commas, semicolons, tabs or blanks, with or without a line
 * of names, and often with a separator too many at the end of a line.
 */
import { InputError } from '@pelt/model';

export interface NumberTable {
  /** Names of the columns, where the first line has any. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly Float64Array[];
}

const decoder = new TextDecoder();

/** Words that stand for a value that is not there. */
const MISSING = new Set(['', 'nan', 'null', 'none', 'na', '-']);

/** @param numberOf  what a cell stands for, NaN where it is no number */
export function readNumberTable(
  bytes: Uint8Array,
  label: string,
  numberOf: (cell: string) => number = Number,
): NumberTable {
  const lines = decoder.decode(bytes).split(/\r\n|\n|\r/);
  const rows: Float64Array[] = [];
  let header: string[] | undefined;
  lines.forEach((line, number) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return;
    const cells = cellsOf(text);
    const values = Float64Array.from(cells, (cell) => (MISSING.has(cell.toLowerCase()) ? Number.NaN : numberOf(cell)));
    const wrong = cells.findIndex((cell, k) => Number.isNaN(values[k]) && !MISSING.has(cell.toLowerCase()));
    if (wrong < 0) rows.push(values);
    else if (rows.length === 0 && header === undefined) header = cells;
    else throw new InputError(`${label}, line ${number + 1}: '${cells[wrong].slice(0, 40)}' is not a number`);
  });
  if (rows.length === 0) throw new InputError(`${label}: no rows of numbers`);
  return { header, rows };
}

/** The cells of a line; an empty one at the end is a separator too many. */
function cellsOf(line: string): string[] {
  const separator = line.includes(',') ? ',' : line.includes(';') ? ';' : /\s+/;
  const cells = line.split(separator).map((cell) => cell.trim());
  if (cells[cells.length - 1] === '') cells.pop();
  return cells;
}

/** Throws unless all rows have as many numbers as the first. */
export function requireEvenRows({ rows }: NumberTable, label: string): number {
  const width = rows[0].length;
  const odd = rows.findIndex((row) => row.length !== width);
  if (odd < 0) return width;
  throw new InputError(
    `${label}: row ${odd + 1} has ${rows[odd].length} numbers, the first has ${width}; the file is cut short or damaged`,
  );
}
