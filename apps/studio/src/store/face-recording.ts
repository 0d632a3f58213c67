/** Recordings of a face: CSV with a column per slider, as phone apps write it and `readFaceRecording` of @pelt/io reads it. */
import { canonicalName, type Expression } from './face.ts';

/** Columns with names of a face from which on a table is one. */
const FEWEST_NAMES = 3;
const KNOWN = /^(?:brow|eye|jaw|mouth|cheek|nose|tongue)/;

/** Whether a text begins as such a table does. */
export function isFaceRecording(text: string): boolean {
  const [header = ''] = text.split(/\r?\n/, 1);
  return header.split(/[,;\t]/).filter((name) => KNOWN.test(canonicalName(name))).length >= FEWEST_NAMES;
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
