import { slerp } from '@pelt/math';
import { lastKeyAt } from '../last-key.ts';
import type { GltfChannel } from './scene.ts';

/**
 * The value of an animation channel at a moment; before its first key that key's, after its last that one's.
 *
 * Reference: glTF 2.0 specification, appendix C, "Animation Sampler Interpolation Modes": STEP, LINEAR (for rotations
 * the shorter arc at constant speed) and CUBICSPLINE (Hermite; tangents are per second).
 *
 * @param out  `channel.size` numbers
 * @example
 * {@includeCode ../../examples/sliders.ts}
 */
export function sampleChannel(channel: GltfChannel, time: number, out: Float64Array): Float64Array {
  const { times, interpolation } = channel;
  const k = lastKeyAt(times, time);
  if (k < 0) return copyKey(channel, 0, out);
  if (k === times.length - 1 || interpolation === 'STEP' || times[k] === time) return copyKey(channel, k, out);
  const span = times[k + 1] - times[k];
  const u = (time - times[k]) / span;
  return interpolation === 'LINEAR' ? linear(channel, k, u, out) : hermite(channel, k, u, span, out);
}

function copyKey({ values, size, interpolation }: GltfChannel, k: number, out: Float64Array): Float64Array {
  const at = interpolation === 'CUBICSPLINE' ? (3 * k + 1) * size : k * size;
  for (let c = 0; c < size; c++) out[c] = values[at + c];
  return out;
}

function linear({ values, size, path }: GltfChannel, k: number, u: number, out: Float64Array): Float64Array {
  const a = k * size;
  if (path === 'rotation') {
    // Rotations may be stored as small integers, of unit length only roughly.
    slerp(unit(values, a), 0, unit(values, a + 4), 0, u, out, 0);
    return out;
  }
  for (let c = 0; c < size; c++) out[c] = (1 - u) * values[a + c] + u * values[a + size + c];
  return out;
}

function hermite(channel: GltfChannel, k: number, u: number, span: number, out: Float64Array): Float64Array {
  const { values, size } = channel;
  // A key is in-tangent, value, out-tangent.
  const here = 3 * k * size;
  const next = here + 3 * size;
  const u2 = u * u;
  const u3 = u2 * u;
  for (let c = 0; c < size; c++) {
    out[c] =
      (2 * u3 - 3 * u2 + 1) * values[here + size + c] +
      span * (u3 - 2 * u2 + u) * values[here + 2 * size + c] +
      (-2 * u3 + 3 * u2) * values[next + size + c] +
      span * (u3 - u2) * values[next + c];
  }
  return out;
}

function unit(values: Float32Array, at: number): Float64Array {
  const q = Float64Array.of(values[at], values[at + 1], values[at + 2], values[at + 3]);
  const length = Math.hypot(q[0], q[1], q[2], q[3]);
  if (length === 0) q[3] = 1;
  else for (let k = 0; k < 4; k++) q[k] /= length;
  return q;
}
