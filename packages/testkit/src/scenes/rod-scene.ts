import { type Bone, type Mesh, type SkinWeights, TRANSFORM_SIZE, uniformTimes } from '@pelt/model';
import type { Scene } from '../scene.ts';
import type { Rod } from '../shapes/rod.ts';
import type { Vector } from '../transform.ts';

/** A limb about a rod: what bar, elbow and arm have in common. */
export interface RodScene {
  readonly name: string;
  readonly mesh: Mesh;
  readonly bones: readonly Bone[];
  /** m positions along the rod at which the bones ride on it */
  readonly rides: readonly number[];
  /** Shares of the bones at x: m numbers, convex. */
  readonly shares: (x: number) => readonly number[];
  readonly fps: number;
  /** The rod of each frame. */
  readonly rods: readonly Rod[];
  /** Moves a point within its section before the rod carries it: muscles. */
  readonly reshape?: (t: number, point: Vector) => Vector;
}

/** Frames carried by the rod; the bones' clip; a plain skin by position along the rod. */
export function rodScene({ name, mesh, bones, rides, shares, fps, rods, reshape }: RodScene): Scene {
  const n = mesh.positions.length / 3;
  const m = bones.length;
  const times = uniformTimes(rods.length, fps);
  const frames = new Float32Array(rods.length * 3 * n);
  const transforms = new Float64Array(rods.length * m * TRANSFORM_SIZE);
  const pointOf = (i: number): Vector => [mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]];
  rods.forEach((rod, t) => {
    for (let j = 0; j < m; j++) transforms.set(rod.boneAt(rides[j]), (t * m + j) * TRANSFORM_SIZE);
    for (let i = 0; i < n; i++) {
      const point = reshape ? reshape(t, pointOf(i)) : pointOf(i);
      frames.set(rod.carry(point), 3 * (t * n + i));
    }
  });
  return {
    sequence: { name, rest: mesh, frames, times },
    rig: { name, mesh, bones, weights: weightsBy(n, m, (i) => shares(mesh.positions[3 * i])) },
    clip: { name, times, transforms },
  };
}

/** Skin weights with a slot for every bone that any vertex uses, largest first. */
export function weightsBy(n: number, m: number, sharesOf: (i: number) => readonly number[], most = 4): SkinWeights {
  const rows = Array.from({ length: n }, (_, i) => {
    const shares = sharesOf(i).map((weight, bone) => ({ weight, bone }));
    shares.sort((a, b) => b.weight - a.weight || a.bone - b.bone);
    const kept = shares.slice(0, Math.min(most, m)).filter(({ weight }) => weight > 0);
    const sum = kept.reduce((total, { weight }) => total + weight, 0);
    return kept.map(({ weight, bone }) => ({ weight: weight / sum, bone }));
  });
  const slots = Math.max(1, ...rows.map((row) => row.length));
  const bones = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  rows.forEach((row, i) => {
    row.forEach(({ weight, bone }, s) => {
      bones[i * slots + s] = bone;
      weights[i * slots + s] = weight;
    });
  });
  return { slots, bones, weights };
}
