/**
 * Recordings of a face as phone apps write them: CSV with a column per slider, by ARKit's names, and a row per frame.
 * Times are seconds, or a timecode of 60 frames a second; without either, rows are a sixtieth of a second apart.
 */
import { canonicalName, type Expression } from './face.ts';

/** Frames a second of a timecode, and of recordings that do not say. */
const USUAL_FPS = 60;
/** Columns with names of a face from which on a table is one. */
const FEWEST_NAMES = 3;
const KNOWN = /^(?:brow|eye|jaw|mouth|cheek|nose|tongue)/;
/** The part of a timecode behind its last colon is a frame, with a fraction. */
const TIMECODE = /^(\d+):(\d+):(\d+):(\d+(?:\.\d+)?)$/;

export interface FaceRecording {
  /** Of the columns. */
  readonly names: readonly string[];
  /** F seconds from the first row, increasing */
  readonly times: readonly number[];
  /** F × names */
  readonly values: readonly (readonly number[])[];
}

/** Whether a text begins as such a table does. */
export function isFaceRecording(text: string): boolean {
  const [header = ''] = text.split(/\r?\n/, 1);
  return cellsOf(header).filter((name) => KNOWN.test(canonicalName(name))).length >= FEWEST_NAMES;
}

/** @param path  for what is said where it cannot be read */
export function readFaceRecording(text: string, path: string): FaceRecording {
  const [header = '', ...rows] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const titles = cellsOf(header);
  const columns = titles.flatMap((name, k) => (KNOWN.test(canonicalName(name)) ? [k] : []));
  if (columns.length < FEWEST_NAMES) {
    throw new Error(`'${path}' is not a recording of a face; its first line must have names such as jawOpen`);
  }
  if (rows.length === 0) throw new Error(`'${path}' has no frames; record again`);
  const clock = titles.findIndex((title) => /^(?:time|timestamp|timecode|seconds?)$/i.test(title.replace(/\W/g, '')));
  const times: number[] = [];
  const values: number[][] = [];
  rows.forEach((row, k) => {
    const cells = cellsOf(row);
    const numbers = columns.map((column) => Number(cells[column]));
    const wrong = numbers.findIndex((value) => !Number.isFinite(value) || cells[columns[0]] === undefined);
    if (wrong >= 0) {
      const cell = cells[columns[wrong]] ?? 'nothing';
      throw new Error(`'${path}': line ${k + 2} has ${cell} for ${titles[columns[wrong]]}; it must be a number`);
    }
    const time = secondsOf(clock < 0 ? '' : cells[clock]) ?? k / USUAL_FPS;
    // Rows that go back in time, as over midnight, follow at the usual rate.
    times.push(k > 0 && time <= times[k - 1] ? times[k - 1] + 1 / USUAL_FPS : time);
    values.push(numbers);
  });
  return { names: columns.map((column) => titles[column]), times: times.map((time) => time - times[0]), values };
}

/** The columns of a recording for the sliders of a face; −1 for those that it does not have. */
export function recordedColumns({ names }: FaceRecording, sliders: readonly string[]): readonly number[] {
  const recorded = names.map(canonicalName);
  return sliders.map((name) => recorded.indexOf(canonicalName(name)));
}

/** A clip of expressions in the same form, so that it plays wherever recordings do. */
export function writeFaceRecording(names: readonly string[], frames: readonly Expression[], fps: number): string {
  const rows = frames.map((values, k) => [
    (k / fps).toFixed(4),
    ...names.map((name) => (values[name] ?? 0).toFixed(4)),
  ]);
  return [['timestamp', ...names], ...rows]
    .map((row) => row.join(','))
    .join('\n')
    .concat('\n');
}

function cellsOf(line: string): string[] {
  return line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function secondsOf(text: string): number | undefined {
  const code = TIMECODE.exec(text);
  if (code) return Number(code[1]) * 3600 + Number(code[2]) * 60 + Number(code[3]) + Number(code[4]) / USUAL_FPS;
  const seconds = Number(text);
  return text !== '' && Number.isFinite(seconds) ? seconds : undefined;
}
