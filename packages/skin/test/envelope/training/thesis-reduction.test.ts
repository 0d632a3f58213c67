import { openNumerics } from '@pelt/math';
import { IDENTITY_TRANSFORM, poseAt, type Rig, validateReducedEnvelope } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEnvelopeDeformer } from '../../../src/envelope/runtime/envelope-deformer.ts';
import { createReducedDeformer } from '../../../src/envelope/runtime/reduced-deformer.ts';
import { reduceEnvelope } from '../../../src/envelope/training/reduce-envelope.ts';
import { descendBlend } from '../../../src/envelope/training/thesis-reduction/blend-descent.ts';
import { joinGroups } from '../../../src/envelope/training/thesis-reduction/group-joins.ts';
import { trainEnvelope } from '../../../src/envelope/training/train-envelope.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;
beforeAll(async () => {
  numerics = await openNumerics();
});
afterAll(() => numerics.close());

/** A strip of squares along x, two triangles each. */
function strip(squares: number) {
  const rest = new Float32Array(6 * (squares + 1));
  for (let k = 0; k <= squares; k++) rest.set([k, 0, 0, k, 1, 0], 6 * k);
  const triangles = Uint32Array.from(
    Array.from({ length: squares }, (_, k) => [2 * k, 2 * k + 2, 2 * k + 1, 2 * k + 1, 2 * k + 2, 2 * k + 3]).flat(),
  );
  return { rest, triangles };
}

/** The strip with all beyond a fold bent upwards by a right angle. */
function folded(rest: Float32Array, at: number): Float32Array {
  return rest.map((value, k) => {
    const x = rest[k - (k % 3)];
    if (x <= at || k % 3 === 1) return value;
    return k % 3 === 0 ? at : x - at;
  });
}

describe('joining groups', () => {
  it('leaves a mesh that does not move in groups without error', () => {
    const { rest, triangles } = strip(4);
    const groups = joinGroups({ rest, triangles, shapes: [rest] }, Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7]), 1, {});
    expect(groups.count).toBe(1);
    Array.from(groups.transforms).forEach((value, k) => {
      expect(value).toBeCloseTo(IDENTITY_TRANSFORM[k], 6);
    });
  });

  it('finds the two sides of a fold', () => {
    const { rest, triangles } = strip(6);
    const all = Int32Array.from({ length: 12 }, (_, k) => k);
    const { count, groupOf, adjacent } = joinGroups({ rest, triangles, shapes: [folded(rest, 2)] }, all, 2, {});
    expect(count).toBe(2);
    expect(Array.from(groupOf, (group) => group === groupOf[0])).toEqual(Array.from(all, (k) => k < 4));
    expect(adjacent).toEqual([[1], [0]]);
  });

  it('joins separate parts where there are more than groups, and leaves out what is not chosen', () => {
    const { rest } = strip(4);
    const triangles = Uint32Array.from([0, 2, 1, 4, 6, 5]);
    expect(joinGroups({ rest, triangles, shapes: [rest] }, Int32Array.from([0, 1]), 1, {}).groupOf).toEqual(
      Int32Array.from([0, 0]),
    );
    expect(joinGroups({ rest, triangles, shapes: [rest] }, Int32Array.from([1]), 1, {}).groupOf).toEqual(
      Int32Array.from([-1, 0]),
    );
  });

  it('takes triangles without area', () => {
    const { rest } = strip(4);
    const triangles = Uint32Array.from([0, 2, 1, 0, 0, 2, 1, 2, 3]);
    const { transforms } = joinGroups({ rest, triangles, shapes: [rest] }, Int32Array.from([0, 1, 2]), 1, {});
    expect(transforms.every(Number.isFinite)).toBe(true);
  });
});

describe('descent of weights and maps', () => {
  // Scalars: item i is (1 − i/4) of the map 2 and i/4 of the map 6, times its vector.
  const vectors = Float64Array.from([1, 2, 3, 4, 5]);
  const items = {
    dimension: 1,
    parts: 1,
    vectors,
    targets: Float32Array.from(vectors, (u, i) => u * (2 + i)),
    candidates: vectors.length > 0 ? Array.from(vectors, () => [0, 1]) : [],
  };

  it('finds the weights of maps that are given', () => {
    const { maps, weights } = descendBlend(items, Float64Array.from([2, 6]), 2, { numerics });
    expect(Array.from(weights).map((w) => Math.round(1e6 * w) / 1e6)).toEqual([
      1, 0, 0.75, 0.25, 0.5, 0.5, 0.25, 0.75, 0, 1,
    ]);
    expect(maps[0]).toBeCloseTo(2, 6);
  });

  it('finds maps that span the targets from a start that does not', () => {
    const { maps, weights } = descendBlend(items, Float64Array.from([3, 5]), 2, { numerics });
    vectors.forEach((u, i) => {
      const blended = u * (weights[2 * i] * maps[0] + weights[2 * i + 1] * maps[1]);
      expect(Math.abs(blended - items.targets[i])).toBeLessThan(0.6);
    });
  });

  it('keeps to one map where one is allowed', () => {
    const { weights } = descendBlend(items, Float64Array.from([2, 6]), 1, { numerics });
    expect(weights.every((w) => w === 0 || w === 1)).toBe(true);
  });
});

describe('the published reduction', () => {
  const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
  const train = [0, 2, 4];
  const poses = train.map((t) => poseAt(scene.clip, t, 2).transforms);
  const learnt = (method: 'linear-maps' | 'wang') => {
    const options = { method, frames: train, correction: false, pull: 0, heldShare: 0, fallback: false };
    return trainEnvelope(scene, options, { numerics }).envelope;
  };

  it.each([
    ['linear-maps', 'exponential-of-sum'],
    ['wang', 'product-of-exponentials'],
  ] as const)('follows the full skin of %s with predictors of the form %s', (method, form) => {
    const envelope = learnt(method);
    const reduced = reduceEnvelope({ envelope, poses }, { method: 'wang', proxies: 12 }, { numerics });
    validateReducedEnvelope(reduced);
    expect(reduced).toMatchObject({ proxies: 12, keys: { form } });
    expect(reduced.keys.references).toHaveLength(12);
    const size = scene.rig.mesh.positions.length;
    const [full, small] = [
      createEnvelopeDeformer(envelope, {}, { numerics }),
      createReducedDeformer(reduced, {}, { numerics }),
    ];
    for (const t of [1, 3]) {
      const pose = poseAt(scene.clip, t, 2).transforms;
      const [a, b] = [full, small].map((deformer) => deformer.deform(pose, new Float32Array(size)));
      // The elbow is 2 long.
      expect(a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0)).toBeLessThan(0.02);
    }
    full.dispose();
    small.dispose();
  });

  it('takes no more proxies than triangles, and a mesh without triangles as linear blending', () => {
    const envelope = learnt('linear-maps');
    const all = scene.rig.mesh.triangles.length / 3;
    const many = reduceEnvelope({ envelope, poses }, { method: 'wang', proxies: all + 1 }, { numerics });
    expect(many.proxies).toBeLessThanOrEqual(all);
    const points: Rig = { ...envelope.rig, mesh: { ...envelope.rig.mesh, triangles: new Uint32Array(0) } };
    const none = { ...learnt('linear-maps'), rig: points, predictors: emptied(envelope.predictors) };
    expect(reduceEnvelope({ envelope: none, poses }, { method: 'wang' }, { numerics }).proxies).toBe(0);
  });
});

function emptied(predictors: ReturnType<typeof trainEnvelope>['envelope']['predictors']) {
  if (!predictors) return undefined;
  return {
    ...predictors,
    references: new Uint16Array(0),
    blocks: new Int32Array(0),
    rotationMaps: new Float64Array(0),
    stretchMaps: new Float64Array(0),
  };
}
