/**
 * Fits a capsule to the vertices that each bone moves most: with d_i the distance of a vertex from a segment,
 *
 *   minimise Σ_i (d_i − r)² over the ends of the segment on an axis, r = mean d_i.
 *
 * The axis passes through the mean of the vertices, along the bone (towards its children) or along the longest extent of
 * the vertices, whichever fits better.
 */
import { symmetricEigen } from '@pelt/math';
import {
  type Bone,
  type Capsules,
  checkCancelled,
  InputError,
  interruptible,
  type Rig,
  type Run,
  resolveOptions,
  UsageError,
  validateRig,
} from '@pelt/model';
import { nelderMead } from '../../shared/nelder-mead.ts';
import { CAPSULE_DEFAULTS, type CapsuleOptions } from '../options.ts';

/** Steps of the search for the two ends. */
const EVALUATIONS = 60;

interface FittedSegment {
  readonly ends: readonly [number, number];
  readonly radius: number;
  readonly error: number;
}

/**
 * Fits capsules to the body of a rig, at most one for each bone.
 *
 * @param rig  n vertices, m bones
 *
 * @example
 * {@includeCode ../../../examples/capsules.ts}
 */
export function fitCapsules(rig: Rig, options: Partial<CapsuleOptions> | undefined, run: Run): Capsules {
  const { without, leastVertices } = resolveOptions('fitCapsules', CAPSULE_DEFAULTS, options);
  validateRig(rig);
  const n = rig.mesh.positions.length / 3;
  if (without && without.length !== n) {
    throw new InputError(`fitCapsules: without has ${without.length} numbers; give one for each of ${n} vertices`);
  }
  if (!(Number.isInteger(leastVertices) && leastVertices >= 1)) {
    throw new UsageError(`fitCapsules: leastVertices is ${leastVertices}; give a whole number from 1 on`);
  }
  return interruptible(run, () => {
    const found: { bone: number; shape: number[] }[] = [];
    verticesByBone(rig, without).forEach((vertices, bone) => {
      checkCancelled(run);
      if (vertices.length < leastVertices) return;
      const points = Float64Array.from(vertices.flatMap((i) => [...rig.mesh.positions.subarray(3 * i, 3 * i + 3)]));
      const shape = fitCapsule(points, boneAxis(rig.bones, bone));
      if (shape) found.push({ bone, shape });
    });
    return {
      bones: Uint16Array.from(found, ({ bone }) => bone),
      shapes: Float64Array.from(found.flatMap(({ shape }) => shape)),
    };
  });
}

/** m lists: the vertices whose largest weight is of the bone. */
function verticesByBone({ bones, weights: skin }: Rig, without: Uint8Array | undefined): number[][] {
  const lists: number[][] = bones.map(() => []);
  const { slots, weights } = skin;
  for (let i = 0; i < weights.length / slots; i++) {
    if (without?.[i]) continue;
    let best = i * slots;
    for (let s = best + 1; s < (i + 1) * slots; s++) if (weights[s] > weights[best]) best = s;
    if (weights[best] > 0) lists[skin.bones[best]].push(i);
  }
  return lists;
}

/** From a joint to the mean of its children; undefined for a leaf. */
function boneAxis(bones: readonly Bone[], j: number): number[] | undefined {
  const children = bones.filter(({ parent }) => parent === j);
  if (children.length === 0) return undefined;
  return [3, 7, 11].map((k) => children.reduce((sum, { rest }) => sum + rest[k] / children.length, -bones[j].rest[k]));
}

/** @returns 7 numbers; undefined where all points coincide */
function fitCapsule(points: Float64Array, along: readonly number[] | undefined): number[] | undefined {
  const count = points.length / 3;
  const middle = [0, 1, 2].map((c) => points.reduce((sum, x, k) => (k % 3 === c ? sum + x / count : sum), 0));
  const covariance = new Float64Array(9);
  for (let k = 0; k < points.length; k += 3) {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) covariance[3 * r + c] += (points[k + r] - middle[r]) * (points[k + c] - middle[c]);
    }
  }
  const { values, vectors } = symmetricEigen(covariance, 3);
  if (!(values[2] > 0)) return undefined;
  const axes = [[vectors[2], vectors[5], vectors[8]], ...(along ? [along] : [])];
  let best: (FittedSegment & { readonly axis: readonly number[] }) | undefined;
  for (const given of axes) {
    const length = Math.hypot(given[0], given[1], given[2]);
    if (!(length > 0)) continue;
    const axis = given.map((x) => x / length);
    const fitted = fitSegment(points, middle, axis);
    if (!best || fitted.error < best.error) best = { ...fitted, axis };
  }
  if (!best) return undefined;
  const { ends, axis, radius } = best;
  return [...ends.flatMap((end) => middle.map((x, c) => x + end * axis[c])), radius];
}

function fitSegment(points: Float64Array, middle: readonly number[], axis: readonly number[]): FittedSegment {
  const count = points.length / 3;
  const [heights, squares] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    const d = [0, 1, 2].map((c) => points[3 * i + c] - middle[c]);
    heights[i] = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
    squares[i] = Math.max(0, d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - heights[i] ** 2);
  }
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const radiusAt = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / count);
  const judge = ([a, b]: readonly number[]): FittedSegment => {
    const ends: [number, number] = [Math.min(a, b), Math.max(a, b)];
    let [sum, square] = [0, 0];
    for (let i = 0; i < count; i++) {
      const beyond = Math.max(0, ends[0] - heights[i], heights[i] - ends[1]);
      const distance = Math.sqrt(squares[i] + beyond * beyond);
      sum += distance;
      square += distance * distance;
    }
    return { ends, radius: sum / count, error: square - (sum * sum) / count };
  };
  // Caps take up a radius at either end.
  const room = Math.min(radiusAt, 0.5 * (high - low));
  const start = [low + room, high - room];
  const step = 0.1 * (high - low) || radiusAt;
  const found = nelderMead((x) => judge(x).error, start, [step, step], EVALUATIONS);
  return judge(found.x);
}
