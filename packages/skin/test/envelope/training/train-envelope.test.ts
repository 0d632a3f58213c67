import { openNumerics } from '@pelt/math';
import { frameAt, IDENTITY_TRANSFORM, poseAt, validateEnvelope } from '@pelt/model';
import { barScene, elbowScene, type Scene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EnvelopeOptions } from '../../../src/envelope/options.ts';
import { createEnvelopeDeformer } from '../../../src/envelope/runtime/envelope-deformer.ts';
import { trainEnvelope } from '../../../src/envelope/training/train-envelope.ts';
import { CASES, heldOutError } from '../enveloping-scenes.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;

beforeAll(async () => {
  numerics = await openNumerics();
});

function train(scene: Scene, frames?: readonly number[], options?: Partial<EnvelopeOptions>) {
  return trainEnvelope(scene, { frames, ...options }, { numerics });
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((largest, value, k) => Math.max(largest, Math.abs(value - b[k])), 0);
}

const small = elbowScene({ frames: 5, rings: 15, sides: 8 });

describe('learnt skin', () => {
  it('gives rest at rest', () => {
    const { envelope } = train(small);
    validateEnvelope(envelope);
    const deformer = createEnvelopeDeformer(envelope, {}, { numerics });
    const out = new Float32Array(small.rig.mesh.positions.length);
    deformer.deform(Float64Array.from([...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM]), out);
    expect(largestDifference(out, small.rig.mesh.positions)).toBeLessThan(1e-7);
    deformer.dispose();
  });

  it.each(['linear-maps', 'wang', 'psd'] as const)('meets the examples: %s', (method) => {
    const { envelope } = train(small, undefined, { method });
    const deformer = createEnvelopeDeformer(envelope, {}, { numerics });
    const out = new Float32Array(small.rig.mesh.positions.length);
    for (let t = 0; t < 5; t++) {
      deformer.deform(poseAt(small.clip, t, 2).transforms, out);
      expect(largestDifference(out, frameAt(small.sequence, t))).toBeLessThan(1e-6);
    }
    deformer.dispose();
  });

  it('moves with the character: a rigid motion of all bones is one of the skin', () => {
    const { envelope } = train(small, [0, 4], { correction: true });
    const deformer = createEnvelopeDeformer(envelope, {}, { numerics });
    const pose = poseAt(small.clip, 2, 2).transforms;
    // A quarter turn about z, then a shift: (x, y, z) → (2 − y, x − 1, z + 3).
    const moved = pose.map((_, k) => {
      const [j, row, c] = [12 * Math.floor(k / 12), Math.floor((k % 12) / 4), k % 4];
      const source = row === 0 ? -pose[j + 4 + c] : row === 1 ? pose[j + c] : pose[j + 8 + c];
      return source + (c === 3 ? [2, -1, 3][row] : 0);
    });
    const [a, b] = [0, 1].map(() => new Float32Array(small.rig.mesh.positions.length));
    deformer.deform(pose, a);
    deformer.deform(moved, b);
    const expected = a.map((_, k) => [2 - a[k + 1], a[k - 1] - 1, a[k] + 3][k % 3]);
    expect(largestDifference(b, expected)).toBeLessThan(1e-6);
    deformer.dispose();
  });

  it('is the same skin at any scale', () => {
    const scaled = (factor: number): Scene => {
      const { sequence, rig, clip } = small;
      const mesh = { ...sequence.rest, positions: sequence.rest.positions.map((value) => value * factor) };
      return {
        sequence: { ...sequence, rest: mesh, frames: sequence.frames.map((value) => value * factor) },
        rig: { ...rig, mesh },
        clip: { ...clip, transforms: clip.transforms.map((value, k) => (k % 4 === 3 ? value * factor : value)) },
      };
    };
    const errors = [1e-6, 1, 1e6].map((factor) => {
      const scene = scaled(factor);
      return heldOutError(numerics, train(scene, [0, 4]).envelope, { scene, train: [0, 4] }).error;
    });
    for (const error of errors) expect(error).toBeCloseTo(errors[1], 3);
  });

  // Targets in per cent: without and with the displacements.
  it.each([
    ['bar', 4, 1],
    ['elbow', 7, 3],
    ['arm', 7, 6],
    ['bend and twist', 6, 5],
    ['shoulder', 20, 7],
  ] as const)('predicts unseen poses of the scene %s', (name, plain, corrected) => {
    const task = CASES[name]();
    const error = (options: Partial<EnvelopeOptions>) =>
      heldOutError(numerics, train(task.scene, task.train, options).envelope, task);
    const { envelope } = train(task.scene, task.train);
    const ours = heldOutError(numerics, envelope, task);
    const without = heldOutError(numerics, { ...envelope, displacements: undefined }, task);
    const [ssd, psd] = (['ssd', 'psd'] as const).map((method) => error({ method }));
    expect(100 * without.error).toBeLessThan(plain);
    expect(100 * ours.error).toBeLessThan(corrected);
    expect(ours.error).toBeLessThan(ssd.error);
    expect(ours.p95).toBeLessThan(ssd.p95);
    expect(ours.error).toBeLessThan(1.05 * psd.error);
    const published = { method: 'wang', correction: false, pull: 0, heldShare: 0, fallback: false } as const;
    expect(error(published).error).toBeLessThan(ssd.error);
  });
});

describe('cross-validation', () => {
  it('hold for scenes and splits of other proportions', () => {
    const scene = elbowScene({ frames: 15, bendDegrees: 140, radius: 0.12, joint: 0.5, rings: 21, sides: 12 });
    const task = { scene, train: [0, 6, 14] };
    const [ours, psd] = (['linear-maps', 'psd'] as const).map(
      (method) => heldOutError(numerics, train(scene, task.train, { method }).envelope, task).error,
    );
    expect(ours).toBeLessThan(0.03);
    expect(ours).toBeLessThan(psd);
  });

  it('report the errors of both on the held-out poses', () => {
    const { crossValidation, fellBack } = train(small);
    expect(crossValidation?.learnt).toBeLessThan(crossValidation?.psd ?? 0);
    expect(fellBack).toBe(false);
  });

  it('fall back to pose space deformation where no gradient follows the joints', () => {
    // Parts without triangles: there are no gradients, and displacements are all there is to learn.
    const { rig, clip, sequence } = small;
    const mesh = { ...rig.mesh, triangles: rig.mesh.triangles.slice(0, 3) };
    const scene = { rig: { ...rig, mesh }, clip, sequence: { ...sequence, rest: mesh } };
    const { fellBack, envelope } = train(scene, undefined, { tolerance: 1 });
    expect(fellBack).toBe(true);
    expect(envelope.predictors).toBeUndefined();
    expect(train(scene, undefined, { tolerance: 1, fallback: false }).fellBack).toBe(false);
  });

  it('need three examples', () => {
    const { pull, heldShare, crossValidation } = train(small, [0, 4]);
    expect([pull, heldShare, crossValidation]).toEqual([0, 0, undefined]);
  });
});

describe('examples that are not as they should be', () => {
  it('refuses a clip of another length, frames that are not there, and no frames', () => {
    const { rig, clip, sequence } = small;
    const other = elbowScene({ frames: 4, rings: 15, sides: 8 });
    const { sequence: finer } = elbowScene({ frames: 5 });
    expect(() => train({ rig, clip: other.clip, sequence })).toThrow(/5 frames, the clip of the skeleton 4/);
    expect(() => train({ rig, clip, sequence }, [9])).toThrow(/no training frame 9/);
    expect(() => train({ rig, clip, sequence }, [])).toThrow(/no training frames/);
    expect(() => train({ rig, clip, sequence: finer })).toThrow(/vertices/);
    expect(() => train({ rig, clip, sequence }, undefined, { pull: -1 })).toThrow(/pull is -1/);
    expect(() => train({ rig, clip, sequence }, undefined, { weights: 0 })).toThrow(/0 weights per vertex/);
  });

  it('learns from the rest pose alone, where no joint moves', () => {
    const { envelope } = train(small, [0]);
    const deformer = createEnvelopeDeformer(envelope, {}, { numerics });
    const out = new Float32Array(small.rig.mesh.positions.length);
    deformer.deform(poseAt(small.clip, 3, 2).transforms, out);
    expect(out.every(Number.isFinite)).toBe(true);
    deformer.dispose();
  });

  it('anchors every component of its own, and lives with flipped and flat triangles', () => {
    const { rig, clip, sequence } = small;
    const n = rig.mesh.positions.length / 3;
    const twice = (values: Float32Array) => Float32Array.from([...values, ...values]);
    const besides = (positions: Float32Array) => Float32Array.from([...positions, ...positions.map((x) => x + 1)]);
    const triangles = Uint32Array.from([...rig.mesh.triangles, ...rig.mesh.triangles.map((i) => i + n), 0, 0, 1]);
    // The second copy faces inwards in its first triangle.
    [triangles[3 * (triangles.length / 3 - 2)], triangles[3 * (triangles.length / 3 - 2) + 1]] = [
      triangles[3 * (triangles.length / 3 - 2) + 1],
      triangles[3 * (triangles.length / 3 - 2)],
    ];
    const mesh = { name: 'two', positions: besides(rig.mesh.positions), triangles };
    const weights = {
      slots: rig.weights.slots,
      bones: Uint16Array.from([...rig.weights.bones, ...rig.weights.bones]),
      weights: twice(rig.weights.weights),
    };
    const frames = Float32Array.from([0, 1, 2, 3, 4].flatMap((t) => Array.from(besides(frameAt(sequence, t)))));
    const scene: Scene = { rig: { ...rig, mesh, weights }, clip, sequence: { ...sequence, rest: mesh, frames } };
    const { envelope } = train(scene, [0, 2, 4]);
    expect(heldOutError(numerics, envelope, { scene, train: [0, 2, 4] }).error).toBeLessThan(0.1);
    expect(envelope.fixed.subarray(0, n).some((flag) => flag === 1)).toBe(true);
    expect(envelope.fixed.subarray(n).some((flag) => flag === 1)).toBe(true);
  });

  it('learns from a joint that turns by 180°', () => {
    const scene = barScene({ frames: 9, rings: 9, sides: 8 });
    const { envelope } = train(scene, [0, 4, 8]);
    expect(heldOutError(numerics, envelope, { scene, train: [0, 4, 8] }).error).toBeLessThan(0.05);
  });
});
