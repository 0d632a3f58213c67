import { openNumerics } from '@pelt/math';
import {
  gatherVertices,
  type Mesh,
  poseAt,
  validateEnvelope,
  validateReducedEnvelope,
  type Weld,
  weldSequence,
} from '@pelt/model';
import { elbowScene, type Scene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEnvelopeDeformer,
  createReducedDeformer,
  reduceEnvelope,
  trainAddedJoints,
  trainEnvelope,
} from '../../../src/envelope/index.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;
beforeAll(async () => {
  numerics = await openNumerics();
});
afterAll(() => numerics.close());

const whole = elbowScene({ frames: 5, rings: 15, sides: 8 });

/** The scene with a vertex of its own for every corner of a triangle, as a file with facet normals has it. */
function split({ rig, clip, sequence }: Scene): Scene {
  const corners = Uint32Array.from(rig.mesh.triangles);
  const { slots, bones, weights } = rig.weights;
  const size = rig.mesh.positions.length;
  const mesh: Mesh = {
    name: rig.mesh.name,
    positions: gatherVertices(rig.mesh.positions, 3, corners),
    triangles: corners.map((_, k) => k),
  };
  const frames = new Float32Array(5 * 3 * corners.length);
  for (let t = 0; t < 5; t++) {
    frames.set(gatherVertices(sequence.frames.subarray(t * size, (t + 1) * size), 3, corners), 3 * corners.length * t);
  }
  return {
    clip,
    rig: {
      ...rig,
      mesh,
      weights: {
        slots,
        bones: gatherVertices(bones, slots, corners),
        weights: gatherVertices(weights, slots, corners),
      },
    },
    sequence: { ...sequence, rest: mesh, frames },
  };
}

/** The scene that welding the seams gives back. */
function welded({ rig, clip }: Scene, { sequence, first }: Weld): Scene {
  const { slots, bones, weights } = rig.weights;
  return {
    clip,
    sequence,
    rig: {
      ...rig,
      mesh: sequence.rest,
      weights: { slots, bones: gatherVertices(bones, slots, first), weights: gatherVertices(weights, slots, first) },
    },
  };
}

describe('a mesh with seams', () => {
  const seams = split(whole);
  const weld = weldSequence(seams.sequence);
  const plain = welded(seams, weld);
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
