/** Rotations of bones from blended trajectories: known rotations are found again although no vertex follows one bone alone. */
import { openNumerics, rotationExp } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { MotionSubspace, rigidMotion } from '../../src/skeleton/motion-subspace.ts';

const FRAMES = 40;
const SIZE = 48;
const ROUNDING = 2 ** -24;

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

/** Rotations of three bones that move independently; frame 0 is the rest pose. */
function rotationsOf(bone: number): Float64Array {
  const out = new Float64Array(9 * (FRAMES + 1));
  for (let t = 0; t <= FRAMES; t++) {
    const phase = t === 0 ? 0 : 1;
    const axis = [0, 1, 2].map((d) => phase * 0.6 * Math.sin((bone + 1) * (d + 1.3) * t * 0.37 + bone + d));
    rotationExp(axis, 0, out, 9 * t);
  }
  return out;
}

/** Vertices of a tube that three bones in a row blend, none with more than a share of `most`. */
function patchOf(bones: readonly Float64Array[], most: number) {
  const positions = new Float64Array(3 * (FRAMES + 1) * SIZE);
  const joints = [-1, -0.4, 0.4];
  for (let i = 0; i < SIZE; i++) {
    const [x, angle] = [(2 * i) / (SIZE - 1) - 1, 2.4 * i];
    const p = [x, 0.2 * Math.cos(angle), 0.2 * Math.sin(angle)];
    const raw = [-0.8, 0, 0.8].map((c) => Math.exp(-4 * (x - c) ** 2));
    const sum = raw.reduce((a, b) => a + b);
    const weights = raw.map((w) => (most * w) / sum + (1 - most) / 3);
    for (let t = 0; t <= FRAMES; t++) {
      // A chain: each bone turns about its joint with the last.
      const origin = [joints[0], 0, 0];
      bones.forEach((R, j) => {
        const turned = (v: readonly number[], d: number) =>
          R[9 * t + 3 * d] * v[0] + R[9 * t + 3 * d + 1] * v[1] + R[9 * t + 3 * d + 2] * v[2];
        const local = [p[0] - joints[j], p[1], p[2]];
        for (let d = 0; d < 3; d++) positions[(3 * t + d) * SIZE + i] += weights[j] * (origin[d] + turned(local, d));
        if (j + 1 < bones.length) {
          const along = [joints[j + 1] - joints[j], 0, 0];
          const next = [0, 1, 2].map((d) => origin[d] + turned(along, d));
          for (let d = 0; d < 3; d++) origin[d] = next[d];
        }
      });
    }
  }
  return { size: SIZE, positions: Float64Array.from(new Float32Array(positions)) };
}

function apart(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]) ** 2, 0) / (2 * (FRAMES + 1)));
}

describe('MotionSubspace', () => {
  it('has the rank of one rigid body, and finds its rotation', () => {
    const bone = rotationsOf(0);
    const patch = patchOf([bone], 1);
    const subspace = new MotionSubspace(numerics, patch, ROUNDING);
    expect(subspace.rank).toBeLessThanOrEqual(4);
    const start = rigidMotion(patch, [0, 1, 2, 3, 4, 5]);
    expect(apart(subspace.nearest(start.rotations).rotations, bone)).toBeLessThan(1e-4);
  });

  it.each([0, 1, 2])('finds bone %i of three, none of which moves a vertex alone', (wanted) => {
    const bones = [0, 1, 2].map(rotationsOf);
    const patch = patchOf(bones, 0.85);
    const subspace = new MotionSubspace(numerics, patch, ROUNDING);
    const vertices = Array.from({ length: 8 }, (_, k) => Math.min(SIZE - 8, wanted * 20) + k);
    const start = rigidMotion(patch, vertices).rotations;
    const { rotations, residual, settled } = subspace.nearest(start);
    expect(apart(start, bones[wanted])).toBeGreaterThan(0.02);
    expect(settled).toBe(true);
    expect(residual).toBeLessThan(1e-4);
    expect(Math.min(...bones.map((bone) => apart(rotations, bone)))).toBeLessThan(1e-3);
  });

  it('starts near the mirror image of a bone in the mirror image of its patch, whose bones move otherwise', () => {
    const patch = patchOf([0, 1, 2].map(rotationsOf), 0.85);
    const others = [3, 4, 5].map(rotationsOf);
    // Mirrored at x = 0: weights and rest pose are mirror images, the motion is another.
    const mirroredBones = others.map((R) =>
      R.map((value, k) => ((k % 9) % 4 === 0 || k % 9 === 5 || k % 9 === 7 ? value : -value)),
    );
    const image = patchOf(mirroredBones, 0.85);
    const across = {
      size: SIZE,
      positions: image.positions.map((value, k) => (Math.floor(k / SIZE) % 3 === 0 ? -value : value)),
    };
    const start = rigidMotion(
      patch,
      Array.from({ length: 8 }, (_, k) => k),
    ).rotations;
    const { rotations, combination } = new MotionSubspace(numerics, patch, ROUNDING).nearest(start);
    const bone = [0, 1, 2].findIndex((k) => apart(rotations, rotationsOf(k)) < 1e-3);
    expect(bone).toBeGreaterThanOrEqual(0);
    const other = new MotionSubspace(numerics, across, ROUNDING);
    const found = other.nearest(other.mirrored(combination, [1, 0, 0]));
    expect(apart(found.rotations, others[bone])).toBeLessThan(1e-3);
  });

  it('says nothing of trajectories that are noise', () => {
    let seed = 1;
    const noise = () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647 - 0.5;
    };
    const positions = Float64Array.from({ length: 3 * (FRAMES + 1) * SIZE }, noise);
    const { rank } = new MotionSubspace(numerics, { size: SIZE, positions }, ROUNDING);
    expect(rank).toBeLessThan(SIZE / 2);
  });

  it('takes vertices that coincide and do not move', () => {
    const positions = new Float64Array(3 * (FRAMES + 1) * SIZE).fill(0.5);
    const patch = { size: SIZE, positions };
    const subspace = new MotionSubspace(numerics, patch, ROUNDING);
    expect(subspace.rank).toBe(0);
  });
});
