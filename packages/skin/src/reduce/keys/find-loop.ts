/**
 * Detects a clip that repeats itself on the skinned surface: the smallest period P, at most half the clip, for which
 * ‖v_{t+P} − v_t‖ is negligible for all t. One period, with its first frame repeated as the last, plays endlessly in any
 * player that loops.
 */
import { enclosingBall } from '@pelt/math';
import {
  type Clip,
  checkCancelled,
  poseAt,
  type Rig,
  type RunContext,
  resolveOptions,
  type SkinWeights,
  TRANSFORM_SIZE,
  validateClip,
  validateRig,
} from '@pelt/model';
import { deformLinear } from '../../shared/blending/linear.ts';
import { FIND_LOOP_DEFAULTS, type FindLoopOptions } from '../options.ts';

/** Vertices that are compared, evenly spaced. */
const SAMPLE = 1000;
/** Maximum deviation of the time between frames from its mean, as a fraction of it. */
const EVEN = 1e-3;

/** One period of a clip that repeats itself. */
export interface Loop {
  /** Number of frames in the period. */
  readonly period: number;
  /** One closed period: P + 1 frames, of which the last equals the first. */
  readonly clip: Clip;
}

/**
 * Finds the period of a clip that repeats itself.
 *
 * @param data     a rig and a clip of S evenly spaced frames
 * @param options  tolerance
 * @param context  for cancelling
 * @returns        one period of the clip; undefined if it does not repeat itself
 *
 * @example
 * {@includeCode ../../../examples/find-loop.ts}
 */
export function findLoop(
  { rig, clip }: { readonly rig: Rig; readonly clip: Clip },
  options: Partial<FindLoopOptions> = {},
  context?: RunContext,
): Loop | undefined {
  const { tolerance } = resolveOptions('findLoop', FIND_LOOP_DEFAULTS, options);
  validateRig(rig);
  validateClip(clip, rig.bones.length);
  const S = clip.times.length;
  if (S < 4 || !isEven(clip.times)) return undefined;
  const frames = sampledFrames(rig, clip);
  const limit = (tolerance * (enclosingBall(rig.mesh.positions).radius || 1)) / 1000;
  for (let P = 2; 2 * P <= S; P++) {
    checkCancelled(context);
    let same = true;
    for (let t = 0; t + P < S && same; t++) same = distance(frames[t], frames[t + P]) <= limit;
    // A clip without motion repeats at every period and is not a loop.
    if (same) return moves(frames, P, limit) ? { period: P, clip: closed(rig, clip, P) } : undefined;
  }
  return undefined;
}

function isEven(times: Float64Array): boolean {
  const step = times[times.length - 1] / (times.length - 1);
  return times.every((time, t) => t === 0 || Math.abs(time - times[t - 1] - step) <= EVEN * step);
}

function sampledFrames({ mesh, weights, bones }: Rig, clip: Clip): Float32Array[] {
  const n = mesh.positions.length / 3;
  const count = Math.min(n, SAMPLE);
  const rest = new Float32Array(3 * count);
  const skin: SkinWeights = {
    slots: weights.slots,
    bones: new Uint16Array(count * weights.slots),
    weights: new Float32Array(count * weights.slots),
  };
  for (let k = 0; k < count; k++) {
    const i = Math.floor((k * n) / count);
    rest.set(mesh.positions.subarray(3 * i, 3 * i + 3), 3 * k);
    skin.bones.set(weights.bones.subarray(i * weights.slots, (i + 1) * weights.slots), k * weights.slots);
    skin.weights.set(weights.weights.subarray(i * weights.slots, (i + 1) * weights.slots), k * weights.slots);
  }
  return Array.from(clip.times, (_, t) =>
    deformLinear(rest, skin, poseAt(clip, t, bones.length).transforms, new Float32Array(rest.length)),
  );
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt(sum / Math.max(a.length, 1));
}

function moves(frames: readonly Float32Array[], P: number, limit: number): boolean {
  return frames.slice(1, P).some((frame) => distance(frames[0], frame) > limit);
}

function closed({ bones }: Rig, clip: Clip, P: number): Clip {
  const size = bones.length * TRANSFORM_SIZE;
  const transforms = clip.transforms.slice(0, (P + 1) * size);
  transforms.copyWithin(P * size, 0, size);
  return { ...clip, times: clip.times.slice(0, P + 1), transforms };
}
