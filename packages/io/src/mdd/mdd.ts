/**
 * MDD, the point cache of LightWave. Big-endian: i32 frames, i32 points, frames × f32 seconds, then frames × points × 3
 * f32. There is no signature, so the sizes must fit the file.
 */
import { InputError, type MeshSequence, resolveOptions, vertexCount } from '@pelt/model';
import { type ByteSource, sourceOfBytes } from '../byte-source.ts';
import { ByteCursor, requireFit } from '../cursor.ts';
import { joinBytes } from '../join-bytes.ts';
import { cacheTimes, DEFAULT_FPS, type PointCache } from '../point-cache.ts';
import { frameBytes, PointCacheFile } from '../point-cache-file.ts';
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
  return openMdd(sourceOfBytes(bytes), options).readAll();
}

/**
 * Opens an MDD point cache without reading its frames; the file may be larger than memory.
 * @example
 * {@includeCode ../../examples/frame-source.ts}
 */
export function openMdd(source: ByteSource, options?: Partial<ReadOptions>): PointCacheFile {
  const { name, onWarning } = resolveOptions('readMdd', READ_DEFAULTS, options);
  const warnings = new WarningTally(fileLabel('MDD', name), onWarning);
  const head = source.read(0, Math.min(HEADER_BYTES, source.size)).slice();
  const cursor = new ByteCursor(head, 'MDD', name, false);
  const count = cursor.i32('frames');
  const points = cursor.i32('points');
  if (count <= 0) throw new InputError(`${cursor.label}: 'frames' is ${count}; the cache is empty or no MDD`);
  if (points <= 0) throw new InputError(`${cursor.label}: 'points' is ${points}; the cache is empty or no MDD`);
  const left = source.size - HEADER_BYTES;
  requireFit(cursor.label, 'frames', count, 4 + points * 12, left);
  const seconds = new ByteCursor(source.read(HEADER_BYTES, 4 * count), 'MDD', name, false).f32Array(count, 'times');
  const extra = left - count * (4 + points * 12);
  if (extra > 0) warnings.add(`${extra} bytes behind the last frame are not read`);
  const times = cacheTimes(Float64Array.from(seconds), DEFAULT_FPS, warnings);
  warnings.flush();
  const start = HEADER_BYTES + 4 * count;
  const layout = { name: stemOf(name), label: cursor.label, points, times, start, littleEndian: false };
  return new PointCacheFile(source, layout);
}

/**
 * Writes the positions of a sequence as an MDD point cache.
 * @example
 * {@includeCode ../../examples/sequences.ts}
 */
export function writeMdd({ times, frames, rest }: MeshSequence): Uint8Array<ArrayBuffer> {
  return joinBytes([mddHeader(vertexCount(rest), times), frameBytes(frames, false)]);
}

/**
 * The bytes of an MDD point cache before its frames, which `frameBytes` gives: for a file that is written in parts.
 *
 * @param points  n
 * @param times   S seconds, increasing
 * @example
 * {@includeCode ../../examples/frame-source.ts}
 */
export function mddHeader(points: number, times: Float64Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + times.length * 4);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, times.length);
  view.setInt32(4, points);
  times.forEach((time, t) => {
    view.setFloat32(HEADER_BYTES + t * 4, time);
  });
  return bytes;
}
