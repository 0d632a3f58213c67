import { type Numerics, openNumerics } from '@pelt/math';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SkinningSystem } from '../../src/index.ts';
import { plainBoneProducts, plainError } from '../oracles/skinning.ts';
import { asTrajectories, errorAt, type SkinnedCloud, skinnedCloud } from './scene.ts';

const [n, m, S, K] = [300, 6, 7, 3];

describe('skinning system', () => {
  let numerics: Numerics;
  let cloud: SkinnedCloud;
  const systems: SkinningSystem[] = [];
  const system = (slots = K, bones = m) => {
    const made = new SkinningSystem(numerics, asTrajectories(cloud, S), bones, slots);
    systems.push(made);
    return made;
  };
  const known = (slots = K) => {
    const made = system(slots);
    made.editTransforms().set(cloud.transforms);
    return made;
  };
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 2 });
    cloud = skinnedCloud(3, n, m, S, K);
  });
  afterAll(() => {
    for (const made of systems) made.dispose();
    numerics.close();
  });

  const errorOf = (made: SkinningSystem, i: number) => errorAt(cloud, made, i);

  it('forms the products of bones and vertices as the plain twin does', () => {
    const mine = known().boneProducts();
    const plain = plainBoneProducts(cloud.rest, cloud.trajectories, cloud.transforms, m);
    for (let k = 0; k < plain.length; k++) expect(mine[k]).toBeCloseTo(plain[k], 11);
  });

  it('assigns each vertex to the bone with the least error', () => {
    const made = known();
    const scope = numerics.scope();
    const [best, error] = [scope.i32(n), scope.f64(n)];
    made.assign(best, error);
    for (let i = 0; i < n; i += 17) {
      const errors = Array.from({ length: m }, (_, j) =>
        plainError(
          cloud.rest.subarray(3 * i, 3 * i + 3),
          cloud.trajectories.subarray(i * 3 * S, (i + 1) * 3 * S),
          cloud.transforms,
          m,
          [j],
          [1],
        ),
      );
      expect(errors[best.view[i]]).toBeCloseTo(Math.min(...errors), 10);
      expect(error.view[i]).toBeCloseTo(Math.min(...errors), 10);
    }
    scope.dispose();
  });

  it('recovers known weights for known bones by swaps, from nothing', () => {
    const made = known();
    made.solveWeightsBySwaps(8, 0);
    // Swaps are a local search: nearly all vertices are met exactly, and none badly.
    const exact = made.error.view.filter((error) => error < 1e-12).length;
    expect(exact).toBeGreaterThan(0.97 * n);
  });

  it('recovers known weights among all bones as candidates, and reports the true error', () => {
    const made = known();
    const scope = numerics.scope();
    const candidates = scope.i32From(Array.from({ length: n * m }, (_, k) => k % m));
    made.solveWeightsAmong(candidates, m);
    expect(made.totalError()).toBeLessThan(1e-10);
    for (let i = 0; i < n; i++) {
      const row = made.weights.view.subarray(i * K, (i + 1) * K);
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      expect(Math.min(...row)).toBeGreaterThanOrEqual(0);
    }
    scope.dispose();
  });

  it('never raises the error of a vertex by swaps, and measures it as the plain twin does', () => {
    const made = known(2);
    made.solveWeightsBySwaps(1, 0);
    const before = made.error.view.slice();
    made.solveWeightsBySwaps(3, 0);
    for (let i = 0; i < n; i++) {
      expect(made.error.view[i]).toBeLessThanOrEqual(before[i] + 1e-12);
      expect(made.error.view[i]).toBeCloseTo(errorOf(made, i), 9);
    }
    const solved = made.error.view.slice();
    made.measureError();
    for (let i = 0; i < n; i++) expect(made.error.view[i]).toBeCloseTo(solved[i], 9);
  });

  it('searches quickly as well as thoroughly, and lets vertices rest whose search found nothing', () => {
    const scope = numerics.scope();
    const idle = scope.u8(n);
    const [quick, thorough] = [known(2), known(2)];
    for (let round = 0; round < 12; round++) {
      const [before, rested] = [quick.error.view.slice(), idle.view.slice()];
      const supports = quick.boneIndices.view.slice();
      quick.solveWeightsBySwaps(3, 0, undefined, idle);
      for (let i = 0; i < n; i++) {
        if (round > 0) expect(quick.error.view[i]).toBeLessThanOrEqual(before[i] + 1e-12);
        expect(quick.error.view[i]).toBeCloseTo(errorOf(quick, i), 9);
        if (rested[i] === 0) continue;
        expect(idle.view[i]).toBe(0);
        const bones = quick.boneIndices.view.subarray(2 * i, 2 * i + 2);
        expect(Array.from(bones).sort()).toEqual(Array.from(supports.subarray(2 * i, 2 * i + 2)).sort());
      }
    }
    thorough.solveWeightsBySwaps(8, 0);
    expect(quick.totalError()).toBeLessThan(1.1 * thorough.totalError());
    scope.dispose();
  });

  it('searches for a vertex that has lost its bones, although it should rest', () => {
    const scope = numerics.scope();
    const idle = scope.u8(n);
    const made = known(2);
    made.solveWeightsBySwaps(3, 0);
    made.editWeights().weights.fill(0, 0, 2);
    idle.view.fill(1);
    made.solveWeightsBySwaps(3, 0, undefined, idle);
    expect(made.weights.view[0] + made.weights.view[1]).toBeCloseTo(1, 12);
    expect(made.error.view[0]).toBeCloseTo(errorOf(made, 0), 9);
    scope.dispose();
  });

  it('solves over all bones as among all bones as candidates, wherever it starts', () => {
    const scope = numerics.scope();
    const candidates = scope.i32From(Array.from({ length: n * m }, (_, k) => k % m));
    const made = known(m);
    // Bones that do not meet the points, so that there is something left of every problem.
    for (let k = 3; k < made.transforms.length; k += 12) made.editTransforms()[k] += 0.1 * Math.sin(k);
    made.solveWeightsAmong(candidates, m);
    const best = made.error.view.slice();
    expect(made.totalError()).toBeGreaterThan(0.1);
    // From nothing, from the answer, and from one bone.
    const starts = [() => made.editWeights().weights.fill(0), () => {}, oneBone];
    function oneBone() {
      for (let i = 0; i < n; i++) made.weights.view.subarray(i * m, (i + 1) * m).fill(0)[i % m] = 1;
    }
    for (const start of starts) {
      start();
      made.solveWeightsOverAll();
      for (let i = 0; i < n; i++) {
        expect(made.error.view[i]).toBeCloseTo(best[i], 10);
        expect(made.error.view[i]).toBeCloseTo(errorOf(made, i), 9);
      }
    }
    scope.dispose();
  });

  it('recovers known rigid bones for known weights, as proper rotations', () => {
    const made = system();
    made.editWeights().bones.set(cloud.bones);
    made.editWeights().weights.set(cloud.weights);
    for (let k = 0; k < S * m * 12; k += 12) made.editTransforms().set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], k);
    made.solveRigidBones(600);
    const found = made.transforms.view;
    for (let k = 0; k < found.length; k++) expect(found[k]).toBeCloseTo(cloud.transforms[k], 5);
    const [a, b, c, , d, e, f, , g, h, i] = found;
    expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBeCloseTo(1, 12);
  });

  it('keeps with steadiness what one or two vertices leave undetermined of a rotation', () => {
    const turned = [0, -1, 0, 0.2, 1, 0, 0, 0, 0, 0, 1, 0];
    for (const vertices of [1, 2]) {
      const made = system();
      const { bones, weights } = made.editWeights();
      weights.fill(0);
      for (let i = 0; i < vertices; i++) {
        bones[i * K] = 1;
        weights[i * K] = 1;
      }
      for (let k = 0; k < S * m * 12; k += 12) made.editTransforms().set(turned, k);
      made.solveRigidBones(40, 1e-4);
      const M = made.transforms.view.subarray(12, 24);
      // One vertex says nothing of the rotation, two say it but for the angle about their line.
      const trace = turned.reduce((sum, value, k) => (k % 4 === 3 ? sum : sum + value * M[k]), 0);
      if (vertices === 1) expect(trace).toBeCloseTo(3, 12);
      const [a, b] = [0, 1].map((i) => cloud.rest.subarray(3 * i, 3 * i + 3));
      const along = b.map((value, d) => value - a[d]);
      const image = [0, 4, 8].map((row) => along[0] * M[row] + along[1] * M[row + 1] + along[2] * M[row + 2]);
      const before = [-along[1], along[0], along[2]];
      if (vertices === 2) {
        // The shortest way from the rotation before to one with the image of the line: 1 + 2 cos θ, θ between the images.
        const cosine =
          image.reduce((sum, value, d) => sum + value * before[d], 0) / (Math.hypot(...image) * Math.hypot(...before));
        expect(trace).toBeCloseTo(1 + 2 * cosine, 3);
      }
      for (let d = 0; d < 3; d++) {
        const row = M.subarray(4 * d, 4 * d + 4);
        const moved = [0, 1].slice(0, vertices).map((i) => {
          const p = cloud.rest.subarray(3 * i, 3 * i + 3);
          return row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3] - cloud.trajectories[i * 3 * S + d];
        });
        expect(moved.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
      }
    }
  });

  it('finds the same rigid bones with steadiness, from farther rounds', () => {
    const made = system();
    made.editWeights().bones.set(cloud.bones);
    made.editWeights().weights.set(cloud.weights);
    for (let k = 0; k < S * m * 12; k += 12) made.editTransforms().set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], k);
    made.solveRigidBones(800, 1e-3);
    const found = made.transforms.view;
    for (let k = 0; k < found.length; k++) expect(found[k]).toBeCloseTo(cloud.transforms[k], 5);
  });

  it('recovers known bones at once where they may be affine', () => {
    const made = system();
    made.editWeights().bones.set(cloud.bones);
    made.editWeights().weights.set(cloud.weights);
    made.solveAffineBones();
    const found = made.transforms.view;
    for (let k = 0; k < found.length; k++) expect(found[k]).toBeCloseTo(cloud.transforms[k], 4);
  });

  it('keeps a locked bone', () => {
    const made = known();
    made.editWeights().bones.set(cloud.bones);
    made.editWeights().weights.set(cloud.weights);
    made.locked.view[2] = 1;
    made.editTransforms()[2 * 12 + 3] = 9;
    made.solveRigidBones(2);
    expect(made.transforms.view[2 * 12 + 3]).toBe(9);
    expect(made.transforms.view[12 + 3]).not.toBe(cloud.transforms[12 + 3]);
  });

  it('brings a disturbed rest pose back', () => {
    const disturbed = { ...cloud, rest: cloud.rest.map((value, k) => value + 0.05 * Math.sin(k)) };
    const made = new SkinningSystem(numerics, asTrajectories(disturbed, S), m, K);
    systems.push(made);
    made.editTransforms().set(cloud.transforms);
    made.editWeights().bones.set(cloud.bones);
    made.editWeights().weights.set(cloud.weights);
    made.correctRest(1e-9);
    for (let k = 0; k < 3 * n; k++) expect(made.rest.view[k]).toBeCloseTo(cloud.rest[k], 5);
  });

  it('says what each bone is worth: an unused one nothing, a used one something', () => {
    const made = system(K, m + 1);
    made.editTransforms().fill(0);
    for (let t = 0; t < S; t++) {
      made.editTransforms().set(cloud.transforms.subarray(t * m * 12, (t + 1) * m * 12), t * (m + 1) * 12);
      made.editTransforms().set([1, 0, 0, 50, 0, 1, 0, 50, 0, 0, 1, 50], (t * (m + 1) + m) * 12);
    }
    made.solveWeightsBySwaps(8, 0);
    const costs = made.removalCosts();
    expect(costs[m]).toBe(0);
    expect(Math.min(...costs.subarray(0, m))).toBeGreaterThan(0.1);
  });

  it('goes on with fewer bones', () => {
    const made = known();
    made.solveWeightsBySwaps(8, 0);
    const fewer = made.withBones([0, 1, 2, 4, 5], 0, K);
    systems.push(fewer);
    fewer.solveWeightsBySwaps(4, 0);
    for (let i = 0; i < n; i += 13) expect(fewer.error.view[i]).toBeCloseTo(errorOf(fewer, i), 9);
    expect(fewer.totalError()).toBeGreaterThan(made.totalError());
  });

  it('knows how much two bones move together, and where', () => {
    const made = known(1);
    const { bones, weights } = made.editWeights();
    // All to bone 2 but vertex 0, which bone 1 has with a weight of ½.
    bones.fill(2);
    weights.fill(1);
    bones[0] = 1;
    weights[0] = 0.5;
    expect(made.mass(1, 1)).toBe(0.25);
    expect(made.mass(2, 2)).toBe(n - 1);
    expect(made.mass(1, 2)).toBe(0);
    expect(made.centre(1, 1)).toEqual([...cloud.rest.subarray(0, 3)]);
    expect(made.centre(1, 2)).toBeUndefined();
  });

  it('gathers anew whatever changed, in any order of steps', () => {
    const made = known();
    made.editWeights().bones.set(cloud.bones);
    made.editWeights().weights.set(cloud.weights);
    const expectCurrent = () => {
      made.measureError();
      for (let i = 0; i < n; i += 29) expect(made.error.view[i]).toBeCloseTo(errorOf(made, i), 9);
      let mass = 0;
      for (let i = 0; i < n; i++) {
        const w = (j: number) =>
          made.weights.view
            .subarray(i * K, (i + 1) * K)
            .reduce((sum, value, s) => (made.boneIndices.view[i * K + s] === j ? sum + value : sum), 0);
        mass += w(0) * w(1);
      }
      expect(made.mass(0, 1)).toBeCloseTo(mass, 9);
    };
    expectCurrent();
    made.editTransforms()[3] += 0.5;
    expectCurrent();
    made.solveWeightsBySwaps(2, 0);
    expectCurrent();
    made.solveRigidBones(2);
    expectCurrent();
    made.solveAffineBones();
    expectCurrent();
    const before = made.centre(0, 0);
    made.correctRest(0.1);
    expect(made.centre(0, 0)).not.toEqual(before);
    made.editRest().set(cloud.rest);
    expectCurrent();
    const revision = made.momentsRevision;
    expect(made.momentsRevision).toBe(revision);
    made.roundWeights(255);
    expectCurrent();
    expect(made.momentsRevision).not.toBe(revision);
  });

  it('gives the same bits for 1 and 3 threads', async () => {
    const results = [];
    for (const threads of [1, 3]) {
      const pool = await openNumerics({ threads });
      const made = new SkinningSystem(pool, asTrajectories(cloud, S), m, 2);
      made.editTransforms().set(cloud.transforms);
      for (let round = 0; round < 3; round++) {
        made.solveWeightsBySwaps(2, 1e-4);
        made.correctRest(1);
        made.solveRigidBones(3);
      }
      results.push([made.transforms.view.slice(), made.weights.view.slice(), made.rest.view.slice()]);
      made.dispose();
      pool.close();
    }
    expect(results[1]).toEqual(results[0]);
  });
});
