/** Methods weld seams themselves: a mesh with every vertex twice gives what the mesh without seams gives. */
import { openNumerics } from '@pelt/math';
import { gatherVertices, gatherWeights, type Rig, UsageError, validateRig } from '@pelt/model';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import {
  decompose,
  extractSkeleton,
  reduceBones,
  reduceTwoLayer,
  reduceWeights,
  roundWeights,
  WEIGHT_METHODS,
} from '../src/index.ts';
import { withSeams } from './seams.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('a mesh with seams', () => {
  const plain = chainScene({ joints: ['hinge', 'ball'], frames: 12, ringsPerLink: 6, sides: 8 });
  const split = withSeams(plain);
  const n = plain.rig.mesh.positions.length / 3;
  const map = Uint32Array.from({ length: 2 * n }, (_, k) => k >> 1);

  /** The rig of the whole mesh is that of the welded one, both copies of a vertex alike, on the caller's triangles. */
  const expectSame = (found: Rig, welded: Rig) => {
    validateRig(found);
    expect(found.mesh.triangles).toEqual(split.rig.mesh.triangles);
    expect(found.bones).toEqual(welded.bones);
    expect(found.weights).toEqual(gatherWeights(welded.weights, map));
    expect(found.mesh.positions).toEqual(gatherVertices(welded.mesh.positions, 3, map));
  };

  it.each(['ssdr', 'affine', 'sma', 'lssp'] as const)('is decomposed as if it had none by %s', (method) => {
    const options = { method, bones: 3, ...((method === 'ssdr' || method === 'affine') && { rounds: 20 }) };
    const [found, welded] = [split, plain].map(({ sequence }) => decompose(sequence, options, { numerics }));
    expectSame(found.rig, welded.rig);
    expect(found.clip).toEqual(welded.clip);
    expect(found.error.eRms).toBeCloseTo(welded.error.eRms, 9);
  });

  it('keeps locked weights of the vertices that it has', () => {
    const [found, welded] = [split, plain].map(({ sequence, rig }) =>
      decompose(sequence, { locked: { part: 'weights', rig } }, { numerics }),
    );
    expectSame(found.rig, welded.rig);
    const locked = { part: 'weights', rig: plain.rig } as const;
    expect(() => decompose(split.sequence, { locked }, { numerics })).toThrow(`has ${n} vertices`);
  });

  it('has the skeleton it would have without, its root at a vertex as the caller counts them', () => {
    const last = 2 * n - 1;
    const options = { bones: 3, clusters: 8, rounds: 12 };
    const found = extractSkeleton(split.sequence, { ...options, root: last }, { numerics });
    const welded = extractSkeleton(plain.sequence, { ...options, root: n - 1 }, { numerics });
    expectSame(found.rig, welded.rig);
    expect(found.clip).toEqual(welded.clip);
    expect(() => extractSkeleton(plain.sequence, { ...options, root: last }, { numerics })).toThrow(UsageError);
  });

  it('takes the weights of a given skeleton', () => {
    const [found, welded] = [split, plain].map(({ sequence, rig: { bones, weights } }) =>
      extractSkeleton(sequence, { given: { bones, weights }, rounds: 12 }, { numerics }),
    );
    expectSame(found.rig, welded.rig);
  });

  it.each(WEIGHT_METHODS)('is reduced as if it had none by %s', (method) => {
    const [found, welded] = [split, plain].map(({ rig, clip }) =>
      reduceWeights({ rig, clips: [clip] }, { method, weights: 1, rounds: 6 }, { numerics }),
    );
    expectSame(found.rig, welded.rig);
    expect(found.error.eRms).toBeCloseTo(welded.error.eRms, 9);
  });

  it('is reduced as if it had none to fewer bones, bytes and layers', () => {
    const [fewer, ...others] = [split, plain].map(({ rig, clip }) => {
      const input = { rig, clips: [clip] };
      const bones = reduceBones(input, { count: 2 }, { numerics }).rig;
      const bytes = roundWeights(input, {}, { numerics }).rig;
      return { bones, bytes, skin: reduceTwoLayer(input, { virtual: 6 }, { numerics }).skin };
    });
    expectSame(fewer.bones, others[0].bones);
    expectSame(fewer.bytes, others[0].bytes);
    expect(fewer.skin.masters).toEqual(others[0].skin.masters);
    expect(fewer.skin.vertices).toEqual(gatherWeights(others[0].skin.vertices, map));
  });
});
