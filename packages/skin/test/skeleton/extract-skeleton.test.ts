import { openNumerics } from '@pelt/math';
import {
  CancelledError,
  type MeshSequence,
  type Progress,
  UsageError,
  uniformTimes,
  validateClip,
  validateRig,
} from '@pelt/model';
import { type ChainOptions, chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { extractSkeleton } from '../../src/index.ts';
import { movingBoxes } from '../decompose/moving-boxes.ts';
import { widestGap } from './joints-hold.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

const SMALL: Partial<ChainOptions> = { joints: ['hinge', 'ball'], frames: 20, ringsPerLink: 8, sides: 10 };

/** The rest pose with rigid motions as frames. */
function carried(rest: MeshSequence['rest'], frames: number): MeshSequence {
  const all = new Float32Array(frames * rest.positions.length);
  for (let t = 0; t < frames; t++) {
    const [c, s] = [Math.cos(0.3 * t), Math.sin(0.3 * t)];
    for (let k = 0; k < rest.positions.length; k += 3) {
      const [x, y, z] = rest.positions.subarray(k, k + 3);
      all.set([c * x - s * y + 0.2 * t, s * x + c * y, z], t * rest.positions.length + k);
    }
  }
  return { name: 'carried', rest, frames: all, times: uniformTimes(frames, 30) };
}

describe('extractSkeleton', () => {
  /** For each known joint the nearest one found, as a share of the chain's length. */
  const distances = (options: Partial<ChainOptions>, fit: ReturnType<typeof extractSkeleton>) => {
    const { joints, rig } = chainScene(options);
    const length = 0.4 * rig.bones.length;
    return joints.map(({ center }) =>
      Math.min(
        ...fit.rig.bones.slice(1).map(({ rest }) => {
          return Math.hypot(rest[3] - center[0], rest[7] - center[1], rest[11] - center[2]) / length;
        }),
      ),
    );
  };

  it('needs one bone for a mesh that stands', () => {
    const { sequence } = chainScene(SMALL);
    const still = { ...sequence, frames: new Float32Array(sequence.frames.length) };
    for (let t = 0; t < 20; t++) still.frames.set(sequence.rest.positions, t * sequence.rest.positions.length);
    const { rig, clip, error } = extractSkeleton(still, {}, { numerics });
    expect(rig.bones.map(({ name, parent }) => [name, parent])).toEqual([['root', -1]]);
    expect(error.max).toBeLessThan(1e-6);
    clip.transforms.forEach((value, k) => {
      expect(value).toBeCloseTo([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0][k % 12], 6);
    });
  });

  it('needs one bone for a mesh that is carried, and keeps a cap of one on any motion', () => {
    const { sequence } = chainScene(SMALL);
    const rigid = extractSkeleton(carried(sequence.rest, 6), {}, { numerics });
    expect(rigid.rig.bones.length).toBe(1);
    expect(rigid.error.rmsePercent).toBeLessThan(1e-4);
    const capped = extractSkeleton(sequence, { bones: 1 }, { numerics });
    expect(capped.rig.bones.length).toBe(1);
    expect(capped.error.rmsePercent).toBeGreaterThan(1);
  });

  it('finds all links of a chain from fewer clusters than it has links', () => {
    const { sequence, rig } = chainScene({ joints: ['hinge', 'ball', 'hinge', 'ball'], frames: 20 });
    const { rig: found } = extractSkeleton(sequence, { clusters: 3 }, { numerics });
    expect(rig.bones.length).toBe(5);
    expect(found.bones.length).toBe(5);
  });

  it('joins parts that do not touch', () => {
    // Three boxes that turn, none of them about a point that another carries along.
    const boxes = movingBoxes(
      8,
      [0, 1, 2].map((b) => (t) => ({ turn: 0.1 * b * t, move: [0, 0.05 * b * t, 0.1 * t] })),
    );
    const { rig, clip } = extractSkeleton(boxes, {}, { numerics });
    validateRig(rig);
    validateClip(clip, rig.bones.length);
    expect(rig.bones.length).toBe(3);
    expect(rig.bones.filter(({ parent }) => parent < 0).length).toBe(1);
    expect(widestGap(rig, clip)).toBeLessThan(1e-12);
  });

  it.each([
    { joints: ['hinge', 'ball', 'hinge', 'ball'] as const, frames: 40 },
    { joints: ['hinge', 'hinge'] as const, frames: 30 },
  ])('finds the bones and joints of a chain of $joints, also along free axes', ({ joints, frames }) => {
    const options: Partial<ChainOptions> = { joints, frames, ringsPerLink: 10, sides: 12 };
    const fit = extractSkeleton(chainScene(options).sequence, {}, { numerics });
    expect(fit.rig.bones.length).toBe(joints.length + 1);
    expect(fit.error.rmsePercent).toBeLessThan(1e-3);
    for (const distance of distances(options, fit)) expect(distance).toBeLessThan(1e-3);
    // A chain hangs from its middle: no bone has more than two neighbours.
    const neighbours = new Int32Array(fit.rig.bones.length);
    fit.rig.bones.forEach(({ parent }, k) => {
      if (parent < 0) return;
      neighbours[parent]++;
      neighbours[k]++;
    });
    expect(Math.max(...neighbours)).toBe(2);
  });

  it('finds a hinge between rigid links at their border when the rest pose is kept', () => {
    const options: Partial<ChainOptions> = { joints: ['ball', 'hinge'], blend: 0, frames: 40 };
    const { sequence } = chainScene(options);
    const fit = extractSkeleton(sequence, { restStiffness: Number.POSITIVE_INFINITY }, { numerics });
    expect(fit.rig.mesh.positions).toEqual(sequence.rest.positions);
    for (const distance of distances(options, fit)) expect(distance).toBeLessThan(1e-3);
  });

  it('holds joints to rounding, weights convex and few', () => {
    const { sequence } = chainScene({ ...SMALL, joints: ['ball', 'ball', 'hinge'] });
    // Noise makes the joints a compromise.
    const noisy = { ...sequence, frames: sequence.frames.map((value, k) => value + 0.01 * Math.sin(13 * k)) };
    const { rig, clip } = extractSkeleton(noisy, { bones: 4, weights: 2 }, { numerics });
    validateRig(rig);
    validateClip(clip, rig.bones.length);
    expect(widestGap(rig, clip)).toBeLessThan(1e-12);
    expect(rig.weights.slots).toBe(2);
  });

  it('gives the same at a million times the size and at a millionth', () => {
    const { sequence } = chainScene(SMALL);
    const joints = [1, 2 ** 20, 2 ** -20].map((scale) => {
      const scaled = {
        ...sequence,
        rest: { ...sequence.rest, positions: sequence.rest.positions.map((value) => scale * value) },
        frames: sequence.frames.map((value) => scale * value),
      };
      return extractSkeleton(scaled, { bones: 3 }, { numerics }).rig.bones.map(({ rest }) => rest[3] / scale);
    });
    for (const other of joints.slice(1)) {
      other.forEach((x, k) => {
        expect(x).toBeCloseTo(joints[0][k], 6);
      });
    }
  });

  it('gives the same bytes for any number of threads', async () => {
    const { sequence } = chainScene(SMALL);
    const single = await openNumerics({ threads: 1 });
    const one = extractSkeleton(sequence, { bones: 3 }, { numerics: single });
    single.close();
    const two = extractSkeleton(sequence, { bones: 3 }, { numerics });
    expect(one.clip.transforms).toEqual(two.clip.transforms);
    expect(one.rig).toEqual(two.rig);
  });

  it('hangs the tree from the bone that is asked for', () => {
    const { sequence } = chainScene(SMALL);
    const byPoint = extractSkeleton(sequence, { bones: 3, root: [1.1, 0, 0] }, { numerics });
    const last = sequence.rest.positions.length / 3 - 1;
    const byVertex = extractSkeleton(sequence, { bones: 3, root: last }, { numerics });
    for (const { rig } of [byPoint, byVertex]) {
      expect(rig.bones[0].rest[3]).toBeGreaterThan(0.8);
      expect(rig.bones.map(({ parent }) => parent)).toEqual([-1, 0, 1]);
    }
  });

  it('tells how far it is and stops when asked', () => {
    const { sequence } = chainScene(SMALL);
    const told: Progress[] = [];
    extractSkeleton(sequence, {}, { numerics, onProgress: (progress) => told.push(progress) });
    expect(new Set(told.map(({ stage }) => stage)).size).toBeGreaterThan(2);
    told.slice(1).forEach(({ fraction }, k) => {
      expect(fraction).toBeGreaterThanOrEqual(told[k].fraction);
      expect(fraction).toBeLessThanOrEqual(1);
    });
    for (const stage of ['finding bones', 'fitting the skeleton']) {
      const signal = { aborted: false };
      const onProgress = (progress: Progress) => {
        if (progress.stage === stage) signal.aborted = true;
      };
      expect(() => extractSkeleton(sequence, {}, { numerics, signal, onProgress })).toThrow(CancelledError);
    }
  });

  it.each([
    { bones: 0 },
    { bones: 2.5 },
    { weights: 0 },
    { rounds: -1 },
    { clusters: -1 },
    { worth: Number.NaN },
    { root: 1e6 },
  ])('refuses %o', (options) => {
    expect(() => extractSkeleton(chainScene(SMALL).sequence, options, { numerics })).toThrow(UsageError);
  });
});
