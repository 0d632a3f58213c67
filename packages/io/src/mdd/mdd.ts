/**
 * MDD, the point cache of LightWave. Big-endian: i32 frames, i32 points, frames × f32 seconds, then frames × points × 3
 * f32. There is no signature, so the sizes must fit the file.
 */
import { InputError, type MeshSequence, resolveOptions, vertexCount } from '@pelt/model';
import { ByteCursor } from '../cursor.ts';
import { cacheTimes, DEFAULT_FPS, type PointCache, requireFiniteFrames } from '../point-cache.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';

const HEADER_BYTES = 8;

/**
 * Reads an MDD point cache.
 *
 * @param bytes  of the file
 * @example
 * {@includeCode ../../examples/sequences.ts}
 */
export function readMdd(bytes: Uint8Array, options?: Partial<ReadOptions>): PointCache {
  const { name, onWarning } = resolveOptions('readMdd', READ_DEFAULTS, options);
  const warnings = new WarningTally(fileLabel('MDD', name), onWarning);
  const cursor = new ByteCursor(bytes, 'MDD', name, false);
  const count = cursor.i32('frames');
  const points = cursor.i32('points');
  if (count <= 0) throw new InputError(`${cursor.label}: 'frames' is ${count}; the cache is empty or no MDD`);
  if (points <= 0) throw new InputError(`${cursor.label}: 'points' is ${points}; the cache is empty or no MDD`);
  cursor.requireItems(count, 4 + points * 12, 'frames');
  const seconds = cursor.f32Array(count, 'times');
  const frames = cursor.f32Array(count * points * 3, 'positions');
  if (cursor.remaining > 0) warnings.add(`${cursor.remaining} bytes behind the last frame are not read`);
  requireFiniteFrames(cursor.label, frames, points);
  const times = cacheTimes(Float64Array.from(seconds), DEFAULT_FPS, warnings);
  warnings.flush();
  return { name: stemOf(name), points, times, frames };
}

/**
 * Writes the positions of a sequence as an MDD point cache.
 * @example
 * {@includeCode ../../examples/sequences.ts}
 */
export function writeMdd(sequence: MeshSequence): Uint8Array<ArrayBuffer> {
  const { times, frames, rest } = sequence;
  const S = times.length;
  const bytes = new Uint8Array(HEADER_BYTES + S * 4 + frames.length * 4);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, S);
  view.setInt32(4, vertexCount(rest));
  for (let t = 0; t < S; t++) view.setFloat32(HEADER_BYTES + t * 4, times[t]);
  const start = HEADER_BYTES + S * 4;
  for (let k = 0; k < frames.length; k++) view.setFloat32(start + k * 4, frames[k]);
  return bytes;
}
