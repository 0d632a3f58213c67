/**
 * Integrates a lattice on moving bones in world space by symplectic Euler steps, short beside its shortest period. Forces
 * are those of one instant: positions, bones and gravity at the start of a step, so that steady motion leaves the rest shape
 * as it is.
 *
 * The rest shape is the equilibrium of the rest pose: gravity acts by its difference from what the rest pose has balanced.
 */
import type { Lattice } from './lattice.ts';

export const GRAVITY = 9.81;

/** A capsule about a bone, which pushes masses out. */
export interface Capsule {
  readonly bone: number;
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly radius: number;
}

export interface Simulation {
  readonly lattice: Lattice;
  /** m × 12 transforms, rest → pose, at a time in seconds; the pose at time 0 is held before it */
  readonly poseAt: (seconds: number, out: Float64Array) => void;
  readonly bones: number;
  readonly capsules?: readonly Capsule[];
  /** Drag of the air on masses, per second, against the world. */
  readonly air?: number;
  /** Gravity that the rest shape has not balanced: cloth hangs, flesh has settled. */
  readonly hangs?: boolean;
}

/** Steps per radian of the fastest oscillation. */
const STEPS_PER_RADIAN = 1;
/** Stiffness of contacts in multiples of the mean tie of a mass to its neighbours. */
const CONTACT = 3;

/** @returns frames × n × 3, at times t / fps after `settle` seconds in the first pose */
export function simulate(scene: Simulation, frames: number, fps: number, settle = 0): Float32Array {
  const { lattice, bones, capsules = [], air = 0, hangs = false } = scene;
  const { positions: rest, masses, springs, carriers, ties, drag, viscosity } = lattice;
  const n = masses.length;
  const x = Float64Array.from(rest);
  const v = new Float64Array(3 * n);
  const force = new Float64Array(3 * n);
  const target = new Float64Array(3 * n);
  const before = new Float64Array(3 * n);
  const turned = new Float64Array(3 * n);
  const pose = new Float64Array(12 * bones);
  const lengths = springs.map(({ a, b }) =>
    Math.hypot(rest[3 * b] - rest[3 * a], rest[3 * b + 1] - rest[3 * a + 1], rest[3 * b + 2] - rest[3 * a + 2]),
  );
  const stiff = Float64Array.from(ties, (tie) => (Number.isFinite(tie) ? tie : 0));
  for (const { a, b, stiffness } of springs) {
    stiff[a] += stiffness;
    stiff[b] += stiffness;
  }
  const meanStiff = stiff.reduce((sum, k) => sum + k, 0) / n;
  const fastest = Math.sqrt(Math.max(...stiff.map((k, i) => (2 * (k + CONTACT * meanStiff)) / masses[i])));
  const perFrame = Math.ceil((STEPS_PER_RADIAN * fastest * Math.max(1, 2 * viscosity * fastest)) / fps);
  const h = 1 / (fps * perFrame);

  const carry = (seconds: number) => {
    scene.poseAt(Math.max(0, seconds), pose);
    for (let i = 0; i < n; i++) {
      for (let r = 0; r < 3; r++) {
        let [sum, up] = [0, 0];
        for (let j = 0; j < bones; j++) {
          const w = carriers[i * bones + j];
          if (w === 0) continue;
          const at = 12 * j + 4 * r;
          sum +=
            w *
            (pose[at] * rest[3 * i] + pose[at + 1] * rest[3 * i + 1] + pose[at + 2] * rest[3 * i + 2] + pose[at + 3]);
          up += w * pose[at + 1];
        }
        target[3 * i + r] = sum;
        turned[3 * i + r] = up;
      }
    }
  };
  const step = (seconds: number) => {
    force.fill(0);
    springs.forEach(({ a, b, stiffness }, s) => {
      const d0 = x[3 * b] - x[3 * a];
      const d1 = x[3 * b + 1] - x[3 * a + 1];
      const d2 = x[3 * b + 2] - x[3 * a + 2];
      const length = Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) || 1e-12;
      const rate =
        ((v[3 * b] - v[3 * a]) * d0 + (v[3 * b + 1] - v[3 * a + 1]) * d1 + (v[3 * b + 2] - v[3 * a + 2]) * d2) / length;
      const pull = (stiffness * (length - lengths[s] + viscosity * rate)) / length;
      force[3 * a] += pull * d0;
      force[3 * a + 1] += pull * d1;
      force[3 * a + 2] += pull * d2;
      force[3 * b] -= pull * d0;
      force[3 * b + 1] -= pull * d1;
      force[3 * b + 2] -= pull * d2;
    });
    for (const capsule of capsules) push(capsule, pose, x, ties, CONTACT * meanStiff, force);
    for (let k = 0; k < 3 * n; k++) {
      const i = Math.floor(k / 3);
      const weight = GRAVITY * ((hangs ? 0 : turned[k]) - (k % 3 === 1 ? 1 : 0));
      if (ties[i] !== Number.POSITIVE_INFINITY) force[k] += ties[i] * (target[k] - x[k]) + masses[i] * weight;
    }
    before.set(target);
    carry(seconds);
    for (let i = 0; i < n; i++) {
      const held = ties[i] === Number.POSITIVE_INFINITY;
      for (let c = 0; c < 3; c++) {
        const k = 3 * i + c;
        const carried = (target[k] - before[k]) / h;
        if (held) {
          v[k] = carried;
          x[k] = target[k];
          continue;
        }
        const lag = carried - v[k];
        v[k] += h * ((force[k] + ties[i] * viscosity * lag) / masses[i] + drag * lag - air * v[k]);
        x[k] += h * v[k];
      }
    }
  };

  carry(0);
  x.set(target);
  for (let k = Math.round(settle / h); k > 0; k--) step(-k * h);
  const out = new Float32Array(frames * 3 * n);
  out.set(x);
  for (let t = 1; t < frames; t++) {
    for (let k = 1; k <= perFrame; k++) step((t - 1) / fps + k * h);
    out.set(x, t * 3 * n);
  }
  return out;
}

/** A linear force out of a capsule on all masses inside of it. */
function push(
  { bone, from, to, radius }: Capsule,
  pose: Float64Array,
  x: Float64Array,
  ties: Float64Array,
  stiffness: number,
  force: Float64Array,
): void {
  const world = (p: readonly number[]) =>
    [0, 4, 8].map((r) => {
      const at = 12 * bone + r;
      return pose[at] * p[0] + pose[at + 1] * p[1] + pose[at + 2] * p[2] + pose[at + 3];
    });
  const [a, b] = [world(from), world(to)];
  const axis = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const square = axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2 || 1e-12;
  for (let i = 0; i < ties.length; i++) {
    if (ties[i] === Number.POSITIVE_INFINITY) continue;
    const [p0, p1, p2] = [x[3 * i] - a[0], x[3 * i + 1] - a[1], x[3 * i + 2] - a[2]];
    const s = Math.min(1, Math.max(0, (p0 * axis[0] + p1 * axis[1] + p2 * axis[2]) / square));
    const [d0, d1, d2] = [p0 - s * axis[0], p1 - s * axis[1], p2 - s * axis[2]];
    const distance = Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) || 1e-12;
    if (distance >= radius) continue;
    const out = (stiffness * (radius - distance)) / distance;
    force[3 * i] += out * d0;
    force[3 * i + 1] += out * d1;
    force[3 * i + 2] += out * d2;
  }
}
