import { openNumerics } from '@pelt/math';
import { CancelledError, type MeshSequence, validateClip, validateRig } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { extractSkeleton } from '../../src/index.ts';
import { SKELETON_METHODS } from '../../src/skeleton/options.ts';
import { movingBoxes } from '../decompose/moving-boxes.ts';
import { widestGap } from './joints-hold.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

const scene = chainScene({ joints: ['hinge', 'ball'], frames: 16, ringsPerLink: 10, sides: 10, blend: 0.05 });
const METHODS = SKELETON_METHODS.filter((method) => method !== 'strict').map((method) => ({ method }));

function still(sequence: MeshSequence): MeshSequence {
  return {
    ...sequence,
    frames: sequence.frames.map((_, k) => sequence.rest.positions[k % sequence.rest.positions.length]),
  };
}

describe.each(METHODS)('$method', ({ method }) => {
  it('leaves a mesh that stands as it is', () => {
    const { rig, clip, error } = extractSkeleton(still(scene.sequence), { method, bones: 3 }, { numerics });
    validateRig(rig);
    expect(error.max).toBeLessThan(1e-5);
    expect(clip.transforms.every(Number.isFinite)).toBe(true);
  });

  it('finds the joints of a chain, nearly, and makes them hold', () => {
    const { rig, clip, error } = extractSkeleton(scene.sequence, { method, bones: 3 }, { numerics });
    validateRig(rig);
    validateClip(clip, 3);
    expect(widestGap(rig, clip)).toBeLessThan(1e-12);
    expect(error.rmsePercent).toBeLessThan(1);
    for (const { center } of scene.joints) {
      const nearest = Math.min(
        ...rig.bones.slice(1).map(({ rest }) => Math.hypot(rest[3] - center[0], rest[7], rest[11])),
      );
      // Within a radius of the chain.
      expect(nearest).toBeLessThan(0.07);
    }
  });

  it('gives the same bytes for any number of threads', async () => {
    const single = await openNumerics({ threads: 1 });
    const one = extractSkeleton(scene.sequence, { method, bones: 3 }, { numerics: single });
    single.close();
    expect(extractSkeleton(scene.sequence, { method, bones: 3 }, { numerics }).clip).toEqual(one.clip);
  });

  it('makes one bone, and bones of parts that do not touch', () => {
    expect(extractSkeleton(scene.sequence, { method, bones: 1 }, { numerics }).rig.bones.length).toBe(1);
    const boxes = movingBoxes(
      6,
      [0, 1, 2].map((b) => (t) => ({ turn: 0.2 * b * t, move: [0, 0.05 * b * t, 0.1 * t] })),
    );
    const { rig, clip } = extractSkeleton(boxes, { method, bones: 3 }, { numerics });
    validateRig(rig);
    expect(widestGap(rig, clip)).toBeLessThan(1e-12);
  });

  it('takes more bones than there are places for them', () => {
    const few = movingBoxes(4, [(t) => ({ turn: 0.1 * t, move: [0, 0, 0] })], { detail: 1 });
    const { rig, clip } = extractSkeleton(few, { method, bones: 40 }, { numerics });
    validateRig(rig);
    expect(clip.transforms.every(Number.isFinite)).toBe(true);
  });

  it('stops when asked', () => {
    const signal = { aborted: false };
    const onProgress = () => {
      signal.aborted = true;
    };
    expect(() => extractSkeleton(scene.sequence, { method }, { numerics, signal, onProgress })).toThrow(CancelledError);
  });
});

describe('without a number of bones', () => {
  it.each(['de-aguiar', 'hasler'] as const)('%s finds as many parts as move on their own', async (method) => {
    const numerics = await openNumerics();
    const { rig } = extractSkeleton(scene.sequence, { method }, { numerics });
    numerics.close();
    // Two joints: three links. Blended zones may count as parts of their own.
    expect(rig.bones.length).toBeGreaterThanOrEqual(3);
    expect(rig.bones.length).toBeLessThanOrEqual(6);
  });
});
