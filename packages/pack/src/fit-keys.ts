/**
 * Values for the keys that stay: minimise Σ_t ‖x_t − y(t)‖² over the values of the keys, y linear between them, subject to
 * the first and the last as they were, so that loops stay closed.
 *
 * Keys that keep their values play chords of the curve, always on the inner side of a bend; fitted ones are on both sides
 * of it. For a smooth curve that is 1/√6 of the error, so that two thirds of the keys do. A key overlaps with its
 * neighbours alone: the normal equations are tridiagonal.
 *
 * Rotations are fitted as unit quaternions on one side of the sphere, and normalised after that.
 */
import type { GltfChannel } from '@pelt/io/internal';

/** What the keys of a channel are fitted to. */
export function curveOf({ path, values }: GltfChannel): Float32Array | Float64Array {
  return path === 'rotation' ? onOneSide(values) : values;
}

/**
 * @param channel  linear between its keys
 * @param frames   the M keys that stay, rising; the first and the last of the channel are among them
 * @param curve    of the channel
 * @returns M × size
 */
export function fitKeys(channel: GltfChannel, frames: readonly number[], curve = curveOf(channel)): Float32Array {
  const { times, size, path } = channel;
  const M = frames.length;
  const keys = new Float64Array(M * size);
  frames.forEach((t, k) => {
    for (let c = 0; c < size; c++) keys[k * size + c] = curve[t * size + c];
  });
  if (M > 2 && M < times.length) solve(curve, times, size, frames, keys);
  return Float32Array.from(path === 'rotation' ? normalised(keys) : keys);
}

/** By elimination from the first key to the last and back (Thomas). The diagonal dominates: no pivoting. */
function solve(
  curve: Float32Array | Float64Array,
  times: Float32Array,
  size: number,
  frames: readonly number[],
  keys: Float64Array,
): void {
  const M = frames.length;
  // Of the key itself, and of it with the next one.
  const [own, next] = [new Float64Array(M).fill(1), new Float64Array(M)];
  for (let k = 0; k + 1 < M; k++) {
    const [a, b] = [frames[k], frames[k + 1]];
    for (let t = a + 1; t < b; t++) {
      const u = (times[t] - times[a]) / (times[b] - times[a]);
      own[k] += (1 - u) * (1 - u);
      own[k + 1] += u * u;
      next[k] += u * (1 - u);
      for (let c = 0; c < size; c++) {
        const value = curve[t * size + c];
        // The ends are given, not sought.
        if (k > 0) keys[k * size + c] += (1 - u) * value;
        if (k + 2 < M) keys[(k + 1) * size + c] += u * value;
      }
    }
  }
  own[0] = own[M - 1] = 1;
  for (let c = 0; c < size; c++) keys[size + c] -= next[0] * keys[c];
  for (let k = 2; k + 1 < M; k++) {
    const factor = next[k - 1] / own[k - 1];
    own[k] -= factor * next[k - 1];
    for (let c = 0; c < size; c++) keys[k * size + c] -= factor * keys[(k - 1) * size + c];
  }
  for (let k = M - 2; k > 0; k--) {
    for (let c = 0; c < size; c++) {
      keys[k * size + c] = (keys[k * size + c] - next[k] * keys[(k + 1) * size + c]) / own[k];
    }
  }
}

/** Quaternions of unit length, each nearer to the one before than its opposite is. */
export function onOneSide(values: Float32Array): Float64Array {
  const out = normalised(Float64Array.from(values));
  for (let at = 4; at < out.length; at += 4) {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += out[at + c] * out[at - 4 + c];
    if (dot < 0) for (let c = 0; c < 4; c++) out[at + c] = -out[at + c];
  }
  return out;
}

/** In place; a quaternion of length 0 stays. */
function normalised(values: Float64Array): Float64Array {
  for (let at = 0; at < values.length; at += 4) {
    const length = Math.hypot(values[at], values[at + 1], values[at + 2], values[at + 3]) || 1;
    for (let c = 0; c < 4; c++) values[at + c] /= length;
  }
  return values;
}
