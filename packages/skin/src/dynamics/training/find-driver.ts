/**
 * The frame that drives a part without a skeleton: the rigid motion of its least deforming part. Over sets P of a given
 * share of the vertices and rigid motions [R_t | T_t],
 *
 *   minimise Σ_t Σ_{i ∈ P} ‖R_t p_i + T_t − y_ti‖² + κ ‖y_t+1,i − 2 y_ti + y_t−1,i‖²,
 *
 * least trimmed squares: from the best of several patches, take turns in fitting the motions to P and taking the vertices
 * that these miss least as P. A cape hangs on its collar, a flag on its pole, jelly on its plate.
 *
 * Reference: Rousseeuw, Van Driessen. Computing LTS regression for large data sets. 2006.
 */
import { properRotation } from '@pelt/math';
import {
  type Clip,
  checkCancelled,
  frameCount,
  InputError,
  type MeshSequence,
  type Rig,
  type RunContext,
  validateMeshSequence,
} from '@pelt/model';

/** Fraction of the vertices that is looked for. */
const SHARE = 0.08;
const LEAST_VERTICES = 4;
const PATCHES = 32;
const ROUNDS = 12;
/** Frames that patches are compared on, evenly spaced. */
const COMPARED_FRAMES = 24;
/** Weight of second differences over time: the free end of a tail is as rigid as its root, and moves more. */
const UNREST = 0.1;
/** Weight of all vertices beside those that drive: a straight pole does not say how it is turned about itself. */
const REST = 1e-4;

/** A part that hangs on one joint. */
export interface DrivenPart {
  /** One joint, which moves every vertex. */
  readonly rig: Rig;
  readonly clip: Clip;
  /** Vertices that move with the joint. */
  readonly vertices: Uint32Array;
}

/**
 * Finds the rigid motion that drives a part without a skeleton.
 *
 * @param sequence  S frames of n vertices
 * @param vertices  those that drive it, where they are known; 3 or more
 *
 * @example
 * {@includeCode ../../../examples/find-driver.ts}
 */
export function findDriver(sequence: MeshSequence, vertices?: Uint32Array, run: RunContext = {}): DrivenPart {
  validateMeshSequence(sequence);
  const p = sequence.rest.positions;
  const n = p.length / 3;
  const S = frameCount(sequence);
  if (S < 2 || n < LEAST_VERTICES) {
    throw new InputError(
      `findDriver: ${S} frames of ${n} vertices drive nothing; give 2 frames of 4 vertices, or more`,
    );
  }
  const wrong = vertices?.find((i) => i >= n);
  if (wrong !== undefined || (vertices && vertices.length < 3)) {
    throw new InputError(`findDriver: ${vertices?.length} vertices were given of ${n}; give 3 or more that it has`);
  }
  const chosen = vertices ?? leastDeforming(sequence, run);
  const transforms = new Float64Array(12 * S);
  for (let t = 0; t < S; t++) rigidMotion(p, sequence.frames, t, chosen, transforms, 12 * t);
  // At the middle of what drives, so that velocities are those of what swings, not of a far origin.
  const rest = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  for (const i of chosen) for (let c = 0; c < 3; c++) rest[4 * c + 3] += p[3 * i + c] / chosen.length;
  const weights = { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
  return {
    rig: { name: sequence.rest.name, mesh: sequence.rest, bones: [{ name: 'driver', parent: -1, rest }], weights },
    clip: { name: sequence.name, times: sequence.times, transforms },
    vertices: chosen,
  };
}

function leastDeforming(sequence: MeshSequence, run: RunContext): Uint32Array {
  const p = sequence.rest.positions;
  const n = p.length / 3;
  const S = frameCount(sequence);
  const count = Math.min(n, Math.max(LEAST_VERTICES, Math.round(SHARE * n)));
  const stride = Math.max(1, Math.floor(S / COMPARED_FRAMES));
  const frames = Array.from({ length: Math.ceil(S / stride) }, (_, k) => k * stride);
  const smallest = (values: Float64Array) =>
    Uint32Array.from(values.keys())
      .sort((a, b) => values[a] - values[b] || a - b)
      .slice(0, count);
  const distances = (from: number) =>
    Float64Array.from({ length: n }, (_, i) =>
      Math.hypot(p[3 * i] - p[3 * from], p[3 * i + 1] - p[3 * from + 1], p[3 * i + 2] - p[3 * from + 2]),
    );
  const unrest = unrestOf(sequence, frames);
  let best: { vertices: Uint32Array; missed: Float64Array; error: number } | undefined;
  const offer = (vertices: Uint32Array) => {
    const missed = missedBy(sequence, vertices, frames);
    const error = vertices.reduce((sum, i) => sum + missed[i] + UNREST * unrest[i], 0);
    if (!best || error < best.error) best = { vertices, missed, error };
  };
  // Patches about vertices as far from each other as they can be.
  const nearest = distances(0);
  for (let k = 0, seed = 0; k < Math.min(PATCHES, n); k++) {
    checkCancelled(run);
    const from = distances(seed);
    offer(smallest(from));
    for (let i = 0; i < n; i++) nearest[i] = Math.min(nearest[i], from[i]);
    seed = nearest.reduce((far, distance, i) => (distance > nearest[far] ? i : far), 0);
  }
  for (let round = 0; round < ROUNDS && best; round++) {
    checkCancelled(run);
    const before: number = best.error;
    offer(smallest(best.missed));
    if (!(best.error < before)) break;
  }
  return (best?.vertices ?? new Uint32Array(0)).sort();
}

/** Squared second differences of all vertices at the frames. */
function unrestOf({ rest, frames }: MeshSequence, looked: readonly number[]): Float64Array {
  const size = rest.positions.length;
  const out = new Float64Array(size / 3);
  for (const t of looked) {
    const at = t * size;
    if (t === 0 || at + 2 * size > frames.length) continue;
    for (let k = 0; k < size; k++) {
      out[Math.floor(k / 3)] += (frames[at + size + k] - 2 * frames[at + k] + frames[at - size + k]) ** 2;
    }
  }
  return out;
}

/** Squared distances of all vertices over the frames from the rigid motions of some. */
function missedBy({ rest, frames }: MeshSequence, vertices: Uint32Array, looked: readonly number[]): Float64Array {
  const p = rest.positions;
  const missed = new Float64Array(p.length / 3);
  const T = new Float64Array(12);
  for (const t of looked) {
    rigidMotion(p, frames, t, vertices, T, 0);
    for (let i = 0; i < missed.length; i++) {
      for (let r = 0; r < 3; r++) {
        const x = T[4 * r] * p[3 * i] + T[4 * r + 1] * p[3 * i + 1] + T[4 * r + 2] * p[3 * i + 2] + T[4 * r + 3];
        missed[i] += (x - frames[t * p.length + 3 * i + r]) ** 2;
      }
    }
  }
  return missed;
}

/** The best rigid motion of some vertices from rest to a frame, as 12 numbers. */
function rigidMotion(
  p: Float32Array,
  frames: Float32Array,
  t: number,
  vertices: Uint32Array,
  out: Float64Array,
  at: number,
): void {
  const first = t * p.length;
  const [from, to] = [new Float64Array(3), new Float64Array(3)];
  for (const i of vertices) {
    for (let c = 0; c < 3; c++) {
      from[c] += p[3 * i + c] / vertices.length;
      to[c] += frames[first + 3 * i + c] / vertices.length;
    }
  }
  // Σ (p − p̄)(y − ȳ)ᵀ, the transpose of what the rotation is nearest to.
  const H = new Float64Array(9);
  const add = (i: number, weight: number) => {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++)
        H[3 * r + c] += weight * (p[3 * i + r] - from[r]) * (frames[first + 3 * i + c] - to[c]);
    }
  };
  for (const i of vertices) add(i, 1);
  for (let i = 0; i < p.length / 3; i++) add(i, REST);
  const R = new Float64Array(9);
  properRotation(H, 0, R, 0);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[at + 4 * r + c] = R[3 * r + c];
    out[at + 4 * r + 3] = to[r] - R[3 * r] * from[0] - R[3 * r + 1] * from[1] - R[3 * r + 2] * from[2];
  }
}
