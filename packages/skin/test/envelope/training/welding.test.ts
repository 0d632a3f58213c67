import { openNumerics } from '@pelt/math';
import { gatherVertices, poseAt, validateEnvelope, validateReducedEnvelope, weldSequence } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEnvelopeDeformer,
  createReducedDeformer,
  reduceEnvelope,
  trainAddedJoints,
  trainEnvelope,
} from '../../../src/envelope/index.ts';
import { withSeams, withVertices } from '../../with-seams.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;
beforeAll(async () => {
  numerics = await openNumerics();
});
afterAll(() => numerics.close());

const whole = elbowScene({ frames: 5, rings: 15, sides: 8 });

describe('a mesh with seams', () => {
  const seams = withSeams(whole);
  const weld = weldSequence(seams.sequence);
  const plain = { ...seams, sequence: weld.sequence, rig: withVertices(seams.rig, weld.sequence.rest, weld.first) };
  const frames = [0, 2, 4];
  const pose = poseAt(whole.clip, 3, 2).transforms;
  const poses = frames.map((t) => poseAt(whole.clip, t, 2).transforms);

  it('learns the skin of the welded mesh, vertex for vertex', () => {
    expect(weld.first.length).toBeLessThan(weld.map.length);
    const [given, expected] = [seams, plain].map((scene) => {
      const { envelope } = trainEnvelope(
        scene,
        { frames, pull: 0, tolerance: 1e-3, heldShare: 0, fallback: false },
        { numerics },
      );
      validateEnvelope(envelope);
      const deformer = createEnvelopeDeformer(envelope, {}, { numerics });
      const full = deformer.deform(pose, new Float32Array(scene.rig.mesh.positions.length));
      deformer.dispose();
      const reduced = reduceEnvelope({ envelope, poses }, { proxies: 8 }, { numerics });
      validateReducedEnvelope(reduced);
      expect(reduced.rig.mesh.positions).toEqual(scene.rig.mesh.positions);
      const small = createReducedDeformer(reduced, {}, { numerics });
      const quick = small.deform(pose, new Float32Array(scene.rig.mesh.positions.length));
      small.dispose();
      return { full, quick };
    });
    expect(given.full).toEqual(gatherVertices(expected.full, 3, weld.map));
    expect(given.quick).toEqual(gatherVertices(expected.quick, 3, weld.map));
  });

  it('gets the weights of the welded mesh for its added joints', () => {
    const [given, expected] = [seams, plain].map((scene) => trainAddedJoints(scene, { frames }, { numerics }).rig);
    const { slots, weights } = expected.weights;
    expect(given.weights.weights).toEqual(gatherVertices(weights, slots, weld.map));
    expect(given.mesh).toEqual(seams.sequence.rest);
  });
});
