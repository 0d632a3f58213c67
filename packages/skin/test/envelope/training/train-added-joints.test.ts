import { openNumerics } from '@pelt/math';
import { envelopingError, frameAt, IDENTITY_TRANSFORM, poseAt, validateRig } from '@pelt/model';
import { barScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { AddedJoints } from '../../../src/envelope/runtime/added-joints.ts';
import { trainAddedJoints } from '../../../src/envelope/training/train-added-joints.ts';
import { trainEnvelope } from '../../../src/envelope/training/train-envelope.ts';
import { deformLinear } from '../../../src/shared/blending/linear.ts';
import { CASES, heldOutError } from '../enveloping-scenes.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;

beforeAll(async () => {
  numerics = await openNumerics();
});

describe('added joints', () => {
  const { rig, clip } = barScene({ frames: 3, rings: 5, sides: 6, twistDegrees: 90 });

  it('rest where the skeleton rests', () => {
    const joints = new AddedJoints(rig.bones, new Float64Array(6));
    expect(joints.bones).toHaveLength(5);
    const out = joints.extend(Float64Array.from([...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM]), new Float64Array(60));
    out.forEach((value, k) => {
      expect(value).toBeCloseTo(IDENTITY_TRANSFORM[k % 12], 12);
    });
  });

  it('turn half-way, about the joint', () => {
    const out = new AddedJoints(rig.bones, new Float64Array(6)).extend(
      poseAt(clip, 2, 2).transforms,
      new Float64Array(60),
    );
    // Half of a quarter turn about x.
    const [c, s] = [Math.cos(Math.PI / 4), Math.sin(Math.PI / 4)];
    const expected = [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0];
    expect(Array.from(out.subarray(24, 36))).toEqual(expected.map((value) => expect.closeTo(value, 9)));
  });

  it('swell across the bone and not along it', () => {
    const out = new AddedJoints(rig.bones, new Float64Array(6)).extend(
      poseAt(clip, 2, 2).transforms,
      new Float64Array(60),
    );
    expect(out[36]).toBeCloseTo(1, 9);
    expect(out[41]).toBeCloseTo(1.5, 9);
    expect(out[46]).toBeCloseTo(1.5, 9);
  });

  it.each(['bar', 'elbow', 'arm', 'bend and twist', 'shoulder'] as const)(
    'lie between linear blending and a learnt skin in the scene %s',
    { timeout: 300_000 },
    (name) => {
      const task = CASES[name]();
      const { scene, train } = task;
      const { rig: extended, joints } = trainAddedJoints(scene, { frames: train }, { numerics });
      validateRig(extended);
      const m = scene.rig.bones.length;
      const frames = Array.from(scene.clip.times.keys()).filter((t) => !train.includes(t));
      const out = new Float32Array(extended.mesh.positions.length);
      const palette = new Float64Array(12 * extended.bones.length);
      const predicted = frames.flatMap((t) => {
        const pose = joints.extend(poseAt(scene.clip, t, m).transforms, palette);
        return Array.from(deformLinear(extended.mesh.positions, extended.weights, pose, out));
      });
      const added = envelopingError(
        extended.mesh.positions,
        Float64Array.from(frames.flatMap((t) => Array.from(poseAt(scene.clip, t, m).transforms))),
        Float32Array.from(frames.flatMap((t) => Array.from(frameAt(scene.sequence, t)))),
        Float32Array.from(predicted),
      );
      const error = (method: 'ssd' | 'linear-maps') => {
        const options = { frames: train, method, pull: 0, heldShare: 0, fallback: false };
        const { envelope } = trainEnvelope(scene, options, { numerics });
        return heldOutError(numerics, envelope, task);
      };
      const ours = error('linear-maps');
      expect(added.error).toBeLessThan(error('ssd').error);
      expect(ours.error).toBeLessThan(added.error);
      expect(ours.p95).toBeLessThan(added.p95);
    },
  );
});
