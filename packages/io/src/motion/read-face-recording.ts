/**
 * Reads recordings of faces as phones write them: a CSV with a line of names, one row a frame, a value of each blend shape
 * from 0 to 1. Times are a column of seconds, milliseconds or time codes (12:34:56:07.250, hours to frames).
 */
import { InputError, resolveOptions, type SliderClip, uniformTimes, validateSliderClip } from '@pelt/model';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';
import { timesFromStamps } from './frame-times.ts';
import { type NumberTable, readNumberTable, requireEvenRows } from './number-table.ts';

export interface ReadFaceOptions extends ReadOptions {
  /** Of recordings without times. */
  readonly fps: number;
}

export const READ_FACE_DEFAULTS: ReadFaceOptions = { ...READ_DEFAULTS, fps: 60 };

/** A clip of the sliders that it names. */
export interface FaceRecording extends SliderClip {
  /** S, each once */
  readonly names: readonly string[];
}

/** Columns that are no sliders: when a frame was, and how many numbers follow. */
const TIME = /^(?:time ?code|time ?stamp|time|seconds|t)$/i;
const COUNTED = /^(?:blend ?shape ?count|frame|index)$/i;
const TIME_CODE = /^(\d+):(\d\d):(\d\d)[:;](\d+(?:\.\d+)?)$/;
/** A time code is read as whole seconds times this, and frames: how many make a second is seen from all of them. */
const SECOND = 1000;
const RATES = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240];

/**
 * Reads a recording of a face from a CSV.
 *
 * @param bytes  of the file: a line of names, then a row of numbers per frame
 * @throws InputError where there is no line of names, or a row is not of numbers
 * @example
 * {@includeCode ../../examples/face-recording.ts}
 */
export function readFaceRecording(bytes: Uint8Array, options?: Partial<ReadFaceOptions>): FaceRecording {
  const { name, onWarning, fps } = resolveOptions('readFaceRecording', READ_FACE_DEFAULTS, options);
  const label = fileLabel('CSV', name);
  const warnings = new WarningTally(label, onWarning);
  let coded = false;
  const table = readNumberTable(bytes, label, (cell) => {
    const code = TIME_CODE.exec(cell);
    if (!code) return Number(cell);
    coded = true;
    const [hours, minutes, seconds, frames] = code.slice(1).map(Number);
    return SECOND * (3600 * hours + 60 * minutes + seconds) + frames;
  });
  const { header, rows } = table;
  if (!header) throw new InputError(`${label}: the first line must name the blend shapes`);
  const width = requireEvenRows(table, label);
  if (header.length !== width) {
    throw new InputError(`${label}: the first line has ${header.length} names, the rows ${width} numbers`);
  }
  const columns = header.flatMap((word, k) => (TIME.test(word) || COUNTED.test(word) ? [] : [k]));
  const names = columns.map((k) => header[k]);
  const repeated = names.find((word, k) => names.indexOf(word) !== k);
  if (repeated !== undefined) throw new InputError(`${label}: two columns are called '${repeated}'`);
  const { times, rows: kept } = timesOf(table, header, coded, fps, warnings);
  const values = new Float32Array(kept.length * columns.length);
  kept.forEach((row, t) => {
    columns.forEach((k, s) => {
      values[t * columns.length + s] = rows[row][k];
    });
  });
  fillGaps(values, columns.length, warnings);
  warnings.flush();
  const clip = { name: stemOf(name ?? 'take'), times, values };
  validateSliderClip(clip, names.length);
  return { ...clip, names };
}

function timesOf(
  { rows }: NumberTable,
  header: readonly string[],
  coded: boolean,
  fps: number,
  warnings: WarningTally,
): { times: Float64Array; rows: readonly number[] } {
  const column = header.findIndex((word) => TIME.test(word));
  if (column < 0) return { times: uniformTimes(rows.length, fps), rows: rows.map((_, k) => k) };
  const stamps = rows.map((row) => row[column]);
  if (!coded) return timesFromStamps(stamps, fps, warnings);
  const last = Math.max(...stamps.map((stamp) => stamp % SECOND));
  // Recordings of less than a second do not show how many frames one has.
  const covers = Math.floor(stamps[0] / SECOND) !== Math.floor(stamps[stamps.length - 1] / SECOND);
  const rate = covers ? (RATES.find((frames) => last < frames) ?? Math.ceil(last + 1)) : Math.max(fps, last + 1);
  return timesFromStamps(
    stamps.map((stamp) => Math.floor(stamp / SECOND) + (stamp % SECOND) / rate),
    fps,
    warnings,
    1,
  );
}

/** A value that the tracker left out is that of the frame before; zero before the first. */
function fillGaps(values: Float32Array, width: number, warnings: WarningTally): void {
  for (let k = 0; k < values.length; k++) {
    if (Number.isFinite(values[k])) continue;
    values[k] = k >= width ? values[k - width] : 0;
    warnings.add('a value that is missing is taken from the frame before');
  }
}
