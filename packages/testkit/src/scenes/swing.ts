/**
 * Parts of characters that swing, with known physics: a tail, a belly, an ear, a sleeve on an arm, a cape. Each is a
 * lattice on moving bones; its modes are known by eigenanalysis, except where contacts and gravity shape it.
 */
import { type Bone, type Clip, type Mesh, type MeshSequence, type Rig, uniformTimes } from '@pelt/model';
import { angleMotion, type DriveMotion, rootMotion } from '../physics/drive-motion.ts';
import { type ElasticRod, rodFrames, rodModes, simulateRod } from '../physics/elastic-rod.ts';
import { type Lattice, type Mode, modesOf } from '../physics/lattice.ts';
import { type Capsule, simulate } from '../physics/simulate.ts';
import { compose, type Transform, turnAbout, type Vector } from '../transform.ts';
import { SWING_PARTS } from './swing-parts.ts';

export type SwingName = 'tail' | 'belly' | 'ear' | 'sleeve' | 'cape';

/** What a part is made of; see swing-parts.ts. */
export interface SwingPart {
  readonly mesh: Mesh;
  /** A lattice whose masses are the vertices, or a rod about which the vertices are, ring by ring. */
  readonly lattice?: Lattice;
  readonly rod?: ElasticRod;
  readonly offset?: (ring: number, side: number) => Vector;
  /** The root, then joints that turn about an axis of their parent. */
  readonly bones: readonly Bone[];
  readonly hinges: readonly { readonly bone: number; readonly axis: Vector; readonly amplitude: number }[];
  readonly capsules?: readonly Capsule[];
  readonly air?: number;
  readonly hangs?: boolean;
  /** Rest points of the chain of spring bones that an artist would lay through it, root first. */
  readonly chain: readonly Vector[];
}

/** Length of a take. */
export interface TakeOptions {
  readonly seconds: number;
  readonly fps: number;
}

/** A take: a motion of the skeleton and the shapes that physics gives. */
export interface SwingTake {
  readonly motion: DriveMotion;
  readonly clip: Clip;
  readonly sequence: MeshSequence;
}

export interface SwingScene {
  readonly name: SwingName;
  readonly rig: Rig;
  readonly chain: readonly Vector[];
  readonly capsules: readonly Capsule[];
  /** Of the lattice about its rest shape, lowest first. */
  readonly modes: () => readonly Mode[];
  readonly take: (motion: DriveMotion, options: TakeOptions) => SwingTake;
}

/** Seconds in which cloth comes to hang before a take starts. */
const SETTLE = 2;

/** One of the swinging scenes. Linear blending of `rig` gives the frames of a part that were rigid. */
export function swingScene(name: SwingName): SwingScene {
  const part = SWING_PARTS[name]();
  const { mesh, lattice, rod, bones, capsules = [], chain } = part;
  const m = bones.length;
  // A rod is clamped to the last bone.
  const carriers = lattice?.carriers ?? Float64Array.from(mesh.positions, (_, k) => (k % m === m - 1 ? 1 : 0));
  return {
    name,
    rig: { name, mesh, bones, weights: weightsOf(carriers.subarray(0, (m * mesh.positions.length) / 3), m) },
    chain,
    capsules,
    modes: () => (rod ? rodModes(rod) : lattice ? modesOf(lattice) : []),
    take: (motion, { seconds, fps }) => {
      const frames = Math.round(seconds * fps) + 1;
      const poseAt = poserOf(part, motion);
      const transforms = new Float64Array(frames * 12 * bones.length);
      const times = uniformTimes(frames, fps);
      times.forEach((t, k) => {
        poseAt(t, transforms.subarray(k * 12 * bones.length, (k + 1) * 12 * bones.length));
      });
      const positions = shapesOf(part, poseAt, frames, fps);
      const label = `${motion.kind} ${motion.seed}`;
      return {
        motion,
        clip: { name: label, times, transforms },
        sequence: { name: label, rest: mesh, frames: positions, times },
      };
    },
  };
}

function shapesOf(part: SwingPart, poseAt: Poser, frames: number, fps: number): Float32Array {
  const { lattice, rod, offset, bones, hangs } = part;
  const m = bones.length;
  if (lattice) return simulate({ ...part, lattice, bones: m, poseAt }, frames, fps, hangs ? SETTLE : 0);
  if (!rod || !offset) throw new Error('a swinging part is a lattice or a rod');
  const pose = new Float64Array(12 * m);
  const clamp = (t: number) => {
    poseAt(t, pose);
    return pose.subarray(12 * (m - 1));
  };
  const N = rod.masses.length;
  const sides = part.mesh.positions.length / (3 * N);
  const points = simulateRod(rod, clamp, frames, fps);
  const out = new Float32Array(frames * part.mesh.positions.length);
  const from = [0, 1, 2].map((c) => rod.points[3 + c] - rod.points[c]);
  const size = Math.hypot(from[0], from[1], from[2]);
  const axis: Vector = [from[0] / size, from[1] / size, from[2] / size];
  for (let t = 0, at = 0; t < frames; t++) {
    const line = points.subarray(3 * N * t, 3 * N * (t + 1));
    const turns = rodFrames(line, axis, clamp(t / fps));
    for (let r = 0; r < N; r++) {
      for (let c = 0; c < sides; c++) {
        const d = offset(r, c);
        for (let k = 9 * r; k < 9 * r + 9; k += 3, at++) {
          out[at] = line[3 * r + (at % 3)] + turns[k] * d[0] + turns[k + 1] * d[1] + turns[k + 2] * d[2];
        }
      }
    }
  }
  return out;
}

type Poser = (t: number, out: Float64Array) => void;

function poserOf({ bones, hinges }: SwingPart, motion: DriveMotion): Poser {
  const origin = (j: number): Vector => [bones[j].rest[3], bones[j].rest[7], bones[j].rest[11]];
  const root = rootMotion(motion, origin(0));
  const turns = hinges.map(({ bone, axis, amplitude }, k) => ({
    bone,
    axis,
    angle: angleMotion(motion, k, amplitude),
  }));
  return (t, out) => {
    const poses: Transform[] = [];
    bones.forEach(({ parent }, j) => {
      let pose = parent < 0 ? root(t) : poses[parent];
      for (const { bone, axis, angle } of turns) {
        if (bone === j) pose = compose(pose, turnAbout(origin(j), axis, angle(t)));
      }
      poses.push(pose);
      out.set(pose, 12 * j);
    });
  };
}

function weightsOf(carriers: Float64Array, m: number): Rig['weights'] {
  const slots = Math.min(4, m);
  const n = carriers.length / m;
  const bones = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  for (let i = 0; i < n; i++) {
    const row = Array.from({ length: m }, (_, j) => ({ j, w: carriers[i * m + j] })).sort((a, b) => b.w - a.w);
    row.slice(0, slots).forEach(({ j, w }, s) => {
      if (w === 0) return;
      bones[i * slots + s] = j;
      weights[i * slots + s] = w;
    });
  }
  return { slots, bones, weights };
}
