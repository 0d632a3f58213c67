import { openNumerics } from '@pelt/math';
import { gatherVertices, poseAt, validateEnvelope, validateReducedEnvelope } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEnvelopeDeformer,
  createReducedDeformer,
  reduceEnvelope,
  trainAddedJoints,
  trainEnvelope,
} from '../../../src/envelope/index.ts';
import { withSeams } from '../../seams.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;
beforeAll(async () => {
  numerics = await openNumerics();
});
afterAll(() => numerics.close());

describe('a mesh with seams', () => {
  const plain = elbowScene({ frames: 5, rings: 15, sides: 8 });
  const split = withSeams(plain);
  const map = Uint32Array.from({ length: split.rig.mesh.positions.length / 3 }, (_, k) => k >> 1);
  const frames = [0, 2, 4];
  const pose = poseAt(plain.clip, 3, 2).transforms;
  const poses = frames.map((t) => poseAt(plain.clip, t, 2).transforms);

  it('learns the skin of the welded mesh, vertex for vertex', () => {
    const options = { frames, pull: 0, tolerance: 1e-3, heldShare: 0, fallback: false };
    const [found, expected] = [split, plain].map((scene) => {
      const { envelope } = trainEnvelope(scene, options, { numerics });
      validateEnvelope(envelope);
      const full = createEnvelopeDeformer(envelope, {}, { numerics });
      const reduced = reduceEnvelope({ envelope, poses }, { proxies: 8 }, { numerics });
      validateReducedEnvelope(reduced);
      expect(reduced.rig.mesh).toEqual(scene.rig.mesh);
      const small = createReducedDeformer(reduced, {}, { numerics });
      const posed = [full, small].map((deformer) => {
        const out = deformer.deform(pose, new Float32Array(scene.rig.mesh.positions.length));
        deformer.dispose();
        return out;
      });
      return { full: posed[0], small: posed[1] };
    });
    expect(found.full).toEqual(gatherVertices(expected.full, 3, map));
    expect(found.small).toEqual(gatherVertices(expected.small, 3, map));
  });

  it('gets the weights of the welded mesh for its added joints', () => {
    const [found, expected] = [split, plain].map((scene) => trainAddedJoints(scene, { frames }, { numerics }).rig);
    expect(found.weights.weights).toEqual(gatherVertices(expected.weights.weights, expected.weights.slots, map));
    expect(found.mesh).toEqual(split.rig.mesh);
  });
});
