/**
 * PC2, the point cache of 3ds Max that others write as well. Little-endian: `POINTCACHE2\0`, i32 version, i32 points,
 * f32 start frame, f32 frames from sample to sample, i32 samples, then samples × points × 3 f32.
 */
import { InputError, type MeshSequence, resolveOptions, UnsupportedError, UsageError, vertexCount } from '@pelt/model';
import { type ByteSource, sourceOfBytes } from '../byte-source.ts';
import { ByteCursor, requireFit } from '../cursor.ts';
import { joinBytes } from '../join-bytes.ts';
import { cacheTimes, DEFAULT_FPS, type PointCache } from '../point-cache.ts';
import { frameBytes, PointCacheFile } from '../point-cache-file.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';

export interface ReadPc2Options extends ReadOptions {
  /** Frames in a second: the file counts frames only. */
  readonly fps: number;
}

export const READ_PC2_DEFAULTS: ReadPc2Options = { ...READ_DEFAULTS, fps: DEFAULT_FPS };

export interface WritePc2Options {
  readonly fps: number;
  readonly onWarning: ((message: string) => void) | undefined;
}

export const WRITE_PC2_DEFAULTS: WritePc2Options = { fps: DEFAULT_FPS, onWarning: undefined };

const MAGIC = 'POINTCACHE2\0';
const VERSION = 1;
const HEADER_BYTES = 32;

/** How far, as a share of the mean, the step from frame to frame may vary before it is told. */
const STEP_TOLERANCE = 1e-3;

/**
 * Reads a PC2 point cache.
 *
 * @param bytes  of the file
 * @example
 * {@includeCode ../../examples/sequences.ts}
 */
export function readPc2(bytes: Uint8Array, options?: Partial<ReadPc2Options>): PointCache {
  return openPc2(sourceOfBytes(bytes), options).readAll();
}

/**
 * Opens a PC2 point cache without reading its frames; the file may be larger than memory.
 * @example
 * {@includeCode ../../examples/frame-source.ts}
 */
export function openPc2(source: ByteSource, options?: Partial<ReadPc2Options>): PointCacheFile {
  const { name, fps, onWarning } = resolveOptions('readPc2', READ_PC2_DEFAULTS, options);
  requireFps('readPc2', fps);
  const warnings = new WarningTally(fileLabel('PC2', name), onWarning);
  const head = source.read(0, Math.min(HEADER_BYTES, source.size)).slice();
  const cursor = new ByteCursor(head, 'PC2', name, true);
  const start = cursor.take(MAGIC.length, 'signature');
  for (let k = 0; k < MAGIC.length; k++) {
    if (head[start + k] !== MAGIC.charCodeAt(k)) {
      throw new InputError(`${cursor.label}: the file does not begin with POINTCACHE2; it is of another format`);
    }
  }
  const version = cursor.i32('version');
  if (version !== VERSION) throw new UnsupportedError(`${cursor.label}: version ${version}, only ${VERSION} is known`);
  const points = cursor.i32('points');
  cursor.f32('start frame');
  const step = cursor.f32('sample rate');
  const samples = cursor.i32('samples');
  if (points <= 0) throw new InputError(`${cursor.label}: 'points' is ${points}; the cache is empty or damaged`);
  if (samples <= 0) throw new InputError(`${cursor.label}: 'samples' is ${samples}; the cache is empty or damaged`);
  const left = source.size - HEADER_BYTES;
  requireFit(cursor.label, 'samples', samples, points * 12, left);
  const extra = left - samples * points * 12;
  if (extra > 0) warnings.add(`${extra} bytes behind the last frame are not read`);
  const fileTimes = Float64Array.from({ length: samples }, (_, t) => (t * step) / fps);
  const times = cacheTimes(fileTimes, fps, warnings);
  warnings.flush();
  const layout = { name: stemOf(name), label: cursor.label, points, times, start: HEADER_BYTES, littleEndian: true };
  return new PointCacheFile(source, layout);
}

/**
 * Writes the positions of a sequence as a PC2 point cache.
 * @example
 * {@includeCode ../../examples/sequences.ts}
 */
export function writePc2(sequence: MeshSequence, options?: Partial<WritePc2Options>): Uint8Array<ArrayBuffer> {
  const { times, frames, rest } = sequence;
  return joinBytes([pc2Header(vertexCount(rest), times, options), frameBytes(frames, true)]);
}

/**
 * The bytes of a PC2 point cache before its frames, which `frameBytes` gives: for a file that is written in parts.
 *
 * @param points  n
 * @param times   S seconds, increasing
 * @example
 * {@includeCode ../../examples/frame-source.ts}
 */
export function pc2Header(
  points: number,
  times: Float64Array,
  options?: Partial<WritePc2Options>,
): Uint8Array<ArrayBuffer> {
  const { fps, onWarning } = resolveOptions('writePc2', WRITE_PC2_DEFAULTS, options);
  requireFps('writePc2', fps);
  const S = times.length;
  const step = S > 1 ? (times[S - 1] - times[0]) / (S - 1) : 1 / fps;
  for (let t = 1; t < S; t++) {
    if (Math.abs(times[t] - times[t - 1] - step) > STEP_TOLERANCE * step) {
      onWarning?.('PC2: the frames are not evenly spaced in time; the format keeps their mean rate only');
      break;
    }
  }
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < MAGIC.length; k++) bytes[k] = MAGIC.charCodeAt(k);
  view.setInt32(12, VERSION, true);
  view.setInt32(16, points, true);
  view.setFloat32(20, 0, true);
  view.setFloat32(24, step * fps, true);
  view.setInt32(28, S, true);
  return bytes;
}

function requireFps(owner: string, fps: number): void {
  if (!(fps > 0 && Number.isFinite(fps))) throw new UsageError(`${owner}: fps is ${fps}, expected a positive number`);
}
