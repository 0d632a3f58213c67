/**
 * Moving points without a surface, as PC2 and MDD files hold them. A cache becomes a sequence only together with a mesh
 * of the same vertices in the same order; the file cannot say whether they are, so their number is all there is to check.
 */
import { InputError, type Mesh, type MeshSequence, uniformTimes, vertexCount } from '@pelt/model';
import type { WarningTally } from './warning-tally.ts';

export interface PointCache {
  /** The file's name, without folder and extension. */
  readonly name: string;
  /** n */
  readonly points: number;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  /** S × n × 3 positions, frame by frame */
  readonly frames: Float32Array;
}

/** Frames in a second where a format counts frames and says nothing of seconds; what film and its caches use. */
export const DEFAULT_FPS = 24;

/**
 * A point cache as a sequence of the mesh that it was made from. The frames are shared with the cache, not copied.
 * @example
 * {@includeCode ../examples/sequences.ts}
 */
export function sequenceFromCache(rest: Mesh, cache: PointCache): MeshSequence {
  requireCacheOf(rest, cache);
  return { name: cache.name || rest.name, rest, frames: cache.frames, times: cache.times };
}

/** Checks that a cache can be of a mesh. */
export function requireCacheOf(rest: Mesh, { name, points }: Pick<PointCache, 'name' | 'points'>): void {
  if (points === vertexCount(rest)) return;
  throw new InputError(
    `cache '${name}' has ${points} points, but mesh '${rest.name}' has ${vertexCount(rest)} vertices; ` +
      'give the mesh that the cache was made from, with its vertices in the same order',
  );
}

/** Times as the model wants them: from 0, increasing. Where the file's are not, frames at a constant rate instead. */
export function cacheTimes(fileTimes: Float64Array, fps: number, warnings: WarningTally): Float64Array {
  const times = fileTimes.map((time) => time - fileTimes[0]);
  const increasing = times.every((time, t) => Number.isFinite(time) && (t === 0 || time > times[t - 1]));
  if (increasing) return times;
  warnings.add(`the times of the frames do not increase; ${fps} frames a second are taken`);
  return uniformTimes(fileTimes.length, fps);
}
