/**
 * An inextensible elastic rod that is clamped to a moving bone: points with masses at equal distances, a force against
 * bending, linear in the second difference of the points, and distances kept by projection. Straight at rest.
 *
 * The first two points follow the bone. The rest shape is the equilibrium of the rest pose, as in simulate.ts.
 */
import { symmetricEigen } from '@pelt/math';
import type { Mode } from './lattice.ts';
import { GRAVITY } from './simulate.ts';

export interface ElasticRod {
  /** N × 3, on a line, at equal distances */
  readonly points: Float64Array;
  /** N */
  readonly masses: Float64Array;
  /** Force per second difference, in N/m. */
  readonly stiffness: number;
  /** Rayleigh damping: per second against the bone, and seconds against bending. */
  readonly drag: number;
  readonly viscosity: number;
}

const HELD = 2;
const STEPS_PER_SECOND = 2880;
const PROJECTIONS = 12;

/** Transverse modes, lowest first; every one of them exists in two directions. */
export function rodModes({ masses, stiffness, drag, viscosity }: ElasticRod): Mode[] {
  const size = masses.length - HELD;
  const K = new Float64Array(size * size);
  const row = [1, -2, 1];
  for (let i = 1; i + 1 < masses.length; i++) {
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        const [r, c] = [i - 1 + a - HELD, i - 1 + b - HELD];
        if (r < 0 || c < 0) continue;
        K[r * size + c] += (stiffness * row[a] * row[b]) / Math.sqrt(masses[r + HELD] * masses[c + HELD]);
      }
    }
  }
  return Array.from(symmetricEigen(K, size).values, (value) => {
    const omega = Math.sqrt(Math.max(0, value));
    return { frequency: omega / (2 * Math.PI), damping: 0.5 * (drag / omega + viscosity * omega) };
  });
}

/** The rod with its stiffness scaled so that its lowest mode has the given frequency in Hz. */
export function tunedRod(rod: ElasticRod, frequency: number): ElasticRod {
  return { ...rod, stiffness: rod.stiffness * (frequency / rodModes(rod)[0].frequency) ** 2 };
}

/**
 * @param poseAt  12 numbers, rest → pose of the bone
 * @returns frames × N × 3
 */
export function simulateRod(
  { points: rest, masses, stiffness, drag, viscosity }: ElasticRod,
  poseAt: (seconds: number) => ArrayLike<number>,
  frames: number,
  fps: number,
): Float64Array {
  const N = masses.length;
  const length = Math.hypot(rest[3] - rest[0], rest[4] - rest[1], rest[5] - rest[2]);
  const perFrame = Math.ceil(STEPS_PER_SECOND / fps);
  const h = 1 / (fps * perFrame);
  const x = new Float64Array(3 * N);
  const v = new Float64Array(3 * N);
  const target = new Float64Array(3 * N);
  const before = new Float64Array(3 * N);
  const force = new Float64Array(3 * N);
  const old = new Float64Array(3 * N);
  const up = new Float64Array(3);
  const carry = (seconds: number) => {
    const pose = poseAt(seconds);
    for (let i = 0; i < N; i++) {
      for (let r = 0; r < 3; r++) {
        const at = 4 * r;
        target[3 * i + r] =
          pose[at] * rest[3 * i] + pose[at + 1] * rest[3 * i + 1] + pose[at + 2] * rest[3 * i + 2] + pose[at + 3];
      }
    }
    for (let r = 0; r < 3; r++) up[r] = pose[4 * r + 1];
  };
  const project = () => {
    for (let pass = 0; pass < PROJECTIONS; pass++) {
      for (let i = HELD; i < N; i++) {
        const d = [0, 1, 2].map((c) => x[3 * i + c] - x[3 * i - 3 + c]);
        const distance = Math.hypot(d[0], d[1], d[2]) || 1e-12;
        const [a, b] = [i - 1 < HELD ? 0 : 1 / masses[i - 1], 1 / masses[i]];
        const excess = (distance - length) / (distance * (a + b));
        for (let c = 0; c < 3; c++) {
          x[3 * i - 3 + c] += a * excess * d[c];
          x[3 * i + c] -= b * excess * d[c];
        }
      }
    }
  };
  const step = (seconds: number) => {
    before.set(target);
    carry(seconds);
    force.fill(0);
    for (let i = 1; i + 1 < N; i++) {
      for (let c = 0; c < 3; c++) {
        const k = 3 * i + c;
        const bend = x[k - 3] - 2 * x[k] + x[k + 3] + viscosity * (v[k - 3] - 2 * v[k] + v[k + 3]);
        force[k - 3] -= stiffness * bend;
        force[k] += 2 * stiffness * bend;
        force[k + 3] -= stiffness * bend;
      }
    }
    old.set(x);
    for (let k = 0; k < 3 * N; k++) {
      const i = Math.floor(k / 3);
      if (i < HELD) {
        x[k] = target[k];
        continue;
      }
      const carried = (target[k] - before[k]) / h;
      const weight = GRAVITY * (up[k % 3] - (k % 3 === 1 ? 1 : 0));
      v[k] += h * (force[k] / masses[i] + weight + drag * (carried - v[k]));
      x[k] += h * v[k];
    }
    project();
    for (let k = 0; k < 3 * N; k++) v[k] = (x[k] - old[k]) / h;
  };
  carry(0);
  x.set(target);
  const out = new Float64Array(frames * 3 * N);
  out.set(x);
  for (let t = 1; t < frames; t++) {
    for (let k = 1; k <= perFrame; k++) step((t - 1) / fps + k * h);
    out.set(x, t * 3 * N);
  }
  return out;
}

/**
 * Frames along a bent rod, carried without twist from that of the bone.
 *
 * @param points  N × 3
 * @param axis    direction of the rod at rest
 * @param pose    12 numbers, rest → pose of the bone
 * @returns N × 9 rotations, rest → pose
 */
export function rodFrames(
  points: Float64Array,
  axis: readonly [number, number, number],
  pose: ArrayLike<number>,
): Float64Array {
  const N = points.length / 3;
  const out = new Float64Array(9 * N);
  let R = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => pose[k]);
  let along = [0, 3, 6].map((r) => R[r] * axis[0] + R[r + 1] * axis[1] + R[r + 2] * axis[2]);
  for (let i = 0; i < N; i++) {
    const [a, b] = [Math.max(0, i - 1), Math.min(N - 1, i + 1)];
    const d = [0, 1, 2].map((c) => points[3 * b + c] - points[3 * a + c]);
    const size = Math.hypot(d[0], d[1], d[2]);
    const next = d.map((value) => value / size);
    R = rotated(along, next, R);
    along = next;
    out.set(R, 9 * i);
  }
  return out;
}

/** The least rotation that takes unit vector a to b, times R. */
function rotated(a: readonly number[], b: readonly number[], R: readonly number[]): number[] {
  const w = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const f = 1 / (1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  const W = [0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0];
  const turn = (r: number, c: number) => {
    const square = [0, 1, 2].reduce((sum, k) => sum + W[3 * r + k] * W[3 * k + c], 0);
    return (r === c ? 1 : 0) + W[3 * r + c] + f * square;
  };
  return R.map((_, k) => [0, 1, 2].reduce((sum, q) => sum + turn(Math.floor(k / 3), q) * R[3 * q + (k % 3)], 0));
}
