import { openNumerics } from '@pelt/math';
import {
  type EnvelopingError,
  envelopingError,
  frameAt,
  IDENTITY_TRANSFORM,
  poseAt,
  type ReducedEnvelope,
  validateReducedEnvelope,
} from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEnvelopeDeformer } from '../../../src/envelope/runtime/envelope-deformer.ts';
import { createReducedDeformer } from '../../../src/envelope/runtime/reduced-deformer.ts';
import { chooseKeys } from '../../../src/envelope/training/key-gradients.ts';
import { reduceEnvelope } from '../../../src/envelope/training/reduce-envelope.ts';
import { samplePoses } from '../../../src/envelope/training/sample-poses.ts';
import { trainAddedJoints } from '../../../src/envelope/training/train-added-joints.ts';
import { trainEnvelope } from '../../../src/envelope/training/train-envelope.ts';
import { deformLinear } from '../../../src/shared/blending/index.ts';
import { CASES, type EnvelopingCase, heldOutError } from '../enveloping-scenes.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;

beforeAll(async () => {
  numerics = await openNumerics();
});

const small: EnvelopingCase = { scene: elbowScene({ frames: 5, rings: 15, sides: 8 }), train: [0, 2, 4] };

function trained({ scene, train }: EnvelopingCase, correction: boolean) {
  const poses = train.map((t) => poseAt(scene.clip, t, scene.rig.bones.length).transforms);
  const options = { frames: train, correction, pull: 0, heldShare: 0, fallback: false };
  return { envelope: trainEnvelope(scene, options, { numerics }).envelope, poses };
}

function reducedError(reduced: ReducedEnvelope, { scene, train }: EnvelopingCase): EnvelopingError {
  const { rig, clip, sequence } = scene;
  const m = rig.bones.length;
  const frames = Array.from(clip.times.keys()).filter((t) => !train.includes(t));
  const deformer = createReducedDeformer(reduced, {}, { numerics });
  const predicted = frames.map((t) =>
    Array.from(deformer.deform(poseAt(clip, t, m).transforms, new Float32Array(rig.mesh.positions.length))),
  );
  deformer.dispose();
  return envelopingError(
    rig.mesh.positions,
    Float64Array.from(frames.flatMap((t) => Array.from(poseAt(clip, t, m).transforms))),
    Float32Array.from(frames.flatMap((t) => Array.from(frameAt(sequence, t)))),
    Float32Array.from(predicted.flat()),
  );
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((largest, value, k) => Math.max(largest, Math.abs(value - b[k])), 0);
}

describe('reduced skin', () => {
  it('gives rest at rest, to a ten thousandth of the size', () => {
    const { envelope, poses } = trained(small, false);
    const reduced = reduceEnvelope({ envelope, poses }, { proxies: 8 }, { numerics });
    validateReducedEnvelope(reduced);
    const deformer = createReducedDeformer(reduced, {}, { numerics });
    const out = new Float32Array(small.scene.rig.mesh.positions.length);
    deformer.deform(Float64Array.from([...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM]), out);
    expect(largestDifference(out, small.scene.rig.mesh.positions)).toBeLessThan(1e-4);
    deformer.dispose();
  });

  it('meets the examples with its displacements, as far as their 8 bits go', () => {
    const { envelope, poses } = trained(small, true);
    const reduced = reduceEnvelope({ envelope, poses }, { proxies: 8 }, { numerics });
    validateReducedEnvelope(reduced);
    const deformer = createReducedDeformer(reduced, {}, { numerics });
    const out = new Float32Array(small.scene.rig.mesh.positions.length);
    poses.forEach((pose, k) => {
      deformer.deform(pose, out);
      expect(largestDifference(out, frameAt(small.scene.sequence, small.train[k]))).toBeLessThan(1e-3);
    });
    deformer.dispose();
  });

  it('moves with the character', () => {
    const { envelope, poses } = trained(small, true);
    const deformer = createReducedDeformer(
      reduceEnvelope({ envelope, poses }, { proxies: 8 }, { numerics }),
      {},
      { numerics },
    );
    const pose = poseAt(small.scene.clip, 3, 2).transforms;
    const moved = pose.map((value, k) => (k % 4 === 3 ? value + [5, -2, 1][Math.floor((k % 12) / 4)] : value));
    const size = small.scene.rig.mesh.positions.length;
    const [a, b] = [pose, moved].map((transforms) => deformer.deform(transforms, new Float32Array(size)));
    expect(
      largestDifference(
        b,
        a.map((value, k) => value + [5, -2, 1][k % 3]),
      ),
    ).toBeLessThan(1e-4);
    deformer.dispose();
  });

  // How much the error on unseen poses may grow over the full skin's.
  it.each([
    ['elbow', 30, 1.15],
    ['arm', 30, 1.15],
    ['shoulder', 60, 1.15],
  ] as const)(
    'follows the full skin of the scene %s with %i proxies',
    { timeout: 300_000 },
    (name, proxies, growth) => {
      const task = CASES[name]();
      const { envelope, poses } = trained(task, false);
      const full = heldOutError(numerics, envelope, task).error;
      expect(reducedError(reduceEnvelope({ envelope, poses }, { proxies }, { numerics }), task).error).toBeLessThan(
        growth * full,
      );
    },
  );

  it('takes more proxies for a smaller error', () => {
    const { envelope, poses } = trained(small, false);
    const [few, many] = [10, 0.05].map(
      (maxError) => reduceEnvelope({ envelope, poses }, { maxError }, { numerics }).proxies,
    );
    expect(few).toBeLessThan(many);
  });

  it('is linear blending with displacements where pose space deformation took over', () => {
    const { scene, train } = small;
    const { rig, sequence } = scene;
    const { poses } = trained(small, false);
    const { envelope } = trainEnvelope(scene, { frames: train, method: 'psd' }, { numerics });
    const reduced = reduceEnvelope({ envelope, poses }, {}, { numerics });
    validateReducedEnvelope(reduced);
    expect(reduced.proxies).toBe(0);
    const deformer = createReducedDeformer(reduced, {}, { numerics });
    const out = new Float32Array(rig.mesh.positions.length);
    train.forEach((t, e) => {
      deformer.deform(poses[e], out);
      expect(largestDifference(out, frameAt(sequence, t))).toBeLessThan(1e-3);
    });
    deformer.dispose();
  });

  it('plays linear blending over added joints, where that took over, as the full skin does', () => {
    const { scene, train } = small;
    const { poses } = trained(small, false);
    const { rig, joints } = trainAddedJoints(scene, { frames: train }, { numerics });
    const { envelope: plain } = trainEnvelope(scene, { frames: train, method: 'ssd' }, { numerics });
    const envelope = { ...plain, addedBlend: rig.weights };
    const reduced = reduceEnvelope({ envelope, poses }, {}, { numerics });
    validateReducedEnvelope(reduced);
    expect(reduced).toMatchObject({ proxies: 0, addedJoints: 3 });
    const pose = poseAt(scene.clip, 3, 2).transforms;
    const expected = deformLinear(
      rig.mesh.positions,
      rig.weights,
      joints.extend(pose, new Float64Array(12 * rig.bones.length)),
      new Float32Array(rig.mesh.positions.length),
    );
    for (const deformer of [
      createReducedDeformer(reduced, {}, { numerics }),
      createEnvelopeDeformer(envelope, {}, { numerics }),
    ]) {
      const out = deformer.deform(pose, new Float32Array(expected.length));
      expect(largestDifference(out, expected)).toBeLessThan(1e-6);
      deformer.dispose();
    }
  });

  it('refuses no proxies, no keys, and errors that it cannot reach', () => {
    const { envelope, poses } = trained(small, false);
    expect(() => reduceEnvelope({ envelope, poses }, { proxies: 0 }, { numerics })).toThrow(/proxies is 0/);
    expect(() => reduceEnvelope({ envelope, poses }, { keys: 0 }, { numerics })).toThrow(/keys is 0/);
    expect(() => reduceEnvelope({ envelope, poses }, { maxError: 0 }, { numerics })).toThrow(/maxError is 0/);
    expect(() => reduceEnvelope({ envelope, poses }, { maxError: 1e-6, mostProxies: 2 }, { numerics })).toThrow(
      /2 proxies differ/,
    );
  });
});

describe('key gradients', () => {
  it('explain gradients that are mixtures of a few, with shares that sum to 1', () => {
    // Triangles 0 and 1 differ, 2 is their mean, 3 lies beyond the second.
    const a = [1, 0, 0, 1, 2, 3];
    const b = [1, 1, 0, 1, 0, 5];
    const mix = (share: number) => a.map((value, k) => (1 - share) * value + share * b[k]);
    const gradients = Float32Array.from([...a, ...b, ...mix(0.5), ...mix(1.5)]);
    const { keys, shares } = chooseKeys(gradients, 4, 4, { numerics });
    expect(keys).toHaveLength(2);
    for (let k = 0; k < 4; k++) {
      expect(shares[2 * k] + shares[2 * k + 1]).toBeCloseTo(1, 9);
      for (let l = 0; l < 6; l++) {
        const sum = shares[2 * k] * gradients[6 * keys[0] + l] + shares[2 * k + 1] * gradients[6 * keys[1] + l];
        expect(sum).toBeCloseTo(gradients[6 * k + l], 3);
      }
    }
  });
});

describe('sample poses', () => {
  it('start with rest and the examples, and keep bones rigid and joints together', () => {
    const { rig, clip } = small.scene;
    const examples = [2, 4].map((t) => poseAt(clip, t, 2).transforms);
    const samples = samplePoses(rig.bones, new Float64Array(6), examples, 9);
    expect(samples).toHaveLength(9);
    expect(Array.from(samples[0])).toEqual([...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM]);
    expect(samples[2]).toBe(examples[1]);
    for (const M of samples.slice(3)) {
      for (let r = 0; r < 3; r++) {
        const row = M.subarray(12 + 4 * r, 15 + 4 * r);
        expect(row[0] ** 2 + row[1] ** 2 + row[2] ** 2).toBeCloseTo(1, 9);
      }
    }
  });

  it('are rest alone where there is nothing else', () => {
    expect(samplePoses(small.scene.rig.bones, new Float64Array(6), [], 5)).toHaveLength(1);
  });
});
