import { type SkinningSystem, skeletonTree } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { type Candidate, withFewerBones } from '../../src/skeleton/moves.ts';
import { SKELETON_PLAN } from '../../src/skeleton/plan.ts';
import { untidyBones } from '../../src/skeleton/tidy-bones.ts';
import { hingedSquares, knownSkeleton } from './known-skeleton.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const untidy = (skeleton: Candidate) => untidyBones(skeleton, SKELETON_PLAN);

describe('untidyBones', () => {
  const solved = (system: SkinningSystem, parents: readonly number[], joints: ArrayLike<number>) => {
    return { system, tree: skeletonTree(parents), joints: Float64Array.from(joints), iterations: 1 };
  };

  it('finds none in a rig that needs all of its bones', () => {
    const { system, hung } = knownSkeleton(numerics, chainScene({ joints: ['hinge', 'ball', 'hinge'] }), 4);
    expect(untidy({ ...hung, system })).toEqual([]);
    system.dispose();
  });

  it('finds a bone that moves nothing', () => {
    const { system, hung } = knownSkeleton(numerics, hingedSquares());
    const more = system.withBones([0, 1], 1, 2);
    expect(untidy(solved(more, [-1, 0, 1], [...hung.joints, 5, 5, 5]))).toEqual([2]);
    more.dispose();
    system.dispose();
  });

  it('finds a joint on another that does not bend, and removes it', () => {
    const { system, hung } = knownSkeleton(numerics, hingedSquares());
    const { m, S } = system;
    const more = system.withBones([0, 1], 1, 2);
    // The far half of the turning square has a bone of its own that goes with the near half.
    const transforms = more.editTransforms();
    for (let t = 0; t < S; t++) {
      const from = system.transforms.view.subarray((t * m + 1) * 12, (t * m + 2) * 12);
      transforms.set(from, (t * more.m + 2) * 12);
    }
    const { bones } = more.editWeights();
    for (const i of [5, 6]) bones[i * more.K] = 2;
    const joint = hung.joints.subarray(3, 6);
    const before = solved(more, [-1, 0, 1], [...hung.joints, joint[0] + 1e-3, joint[1], joint[2]]);
    expect(untidy(before)).toEqual([2]);
    const after = withFewerBones(before, [1]);
    // Without the bone between them, the last one hangs from the first.
    expect(Array.from(after.tree.parents)).toEqual([-1, 0]);
    expect(after.system.m).toBe(2);
    expect(after.joints[3]).toBeCloseTo(joint[0] + 1e-3, 12);
    after.system.dispose();
    more.dispose();
    system.dispose();
  });

  it('keeps a bone with next to no skin that carries a limb, but not one without any', () => {
    const { system, hung } = knownSkeleton(numerics, chainScene({ joints: ['ball', 'ball', 'ball'] }), 4);
    const { n, K } = system;
    // The second bone keeps a weight of one per cent at a single vertex; the rest goes to the first.
    const { bones, weights } = system.editWeights();
    let left = 0.01;
    for (let i = 0; i < n; i++) {
      const slots = Array.from({ length: K }, (_, s) => i * K + s);
      const own = slots.find((s) => bones[s] === 1 && weights[s] > 0.5);
      for (const s of slots) if (bones[s] === 1) bones[s] = 0;
      if (own === undefined || left === 0) continue;
      const free = slots.find((s) => weights[s] === 0) ?? slots[0];
      bones[free] = 1;
      weights[free] = left;
      weights[own] -= left;
      left = 0;
    }
    expect(system.mass(1, 1)).toBeCloseTo(1e-4, 9);
    // By itself it would go: what it moves is far less than the error that it leaves.
    weights.forEach((_, s) => {
      if (bones[s] === 1) weights[s] *= 2;
    });
    system.editWeights();
    expect(untidy({ ...hung, system })).not.toContain(1);
    weights.forEach((_, s) => {
      if (bones[s] === 1) weights[s] = 0;
    });
    system.editWeights();
    expect(untidy({ ...hung, system })).toContain(1);
    system.dispose();
  });
});
