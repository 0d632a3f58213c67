import { openNumerics } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { SkeletonSystem, skeletonTree } from '../../src/index.ts';
import { jointedCloud, PARENTS, systemOf } from './jointed-cloud.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

const [n, S] = [240, 6];
const m = PARENTS.length;

describe('skeleton tree', () => {
  it('puts parents before children', () => {
    expect([...skeletonTree(PARENTS).order]).toEqual([3, 0, 1, 2, 4]);
  });

  it.each([
    { parents: [], what: 'no bone' },
    { parents: [-1, -1], what: 'two roots' },
    { parents: [1, 0], what: 'a ring' },
    { parents: [-1, 5], what: 'a parent that does not exist' },
  ])('refuses $what', ({ parents }) => {
    expect(() => skeletonTree(parents)).toThrow(RangeError);
  });
});

describe('skeleton system', () => {
  const error = (system: ReturnType<typeof systemOf>) => {
    system.measureError();
    return system.totalError();
  };

  it('leaves a cloud that stands as it is', () => {
    const cloud = jointedCloud(1, n, S);
    for (let t = 0; t < S; t++) {
      for (let i = 0; i < n; i++) {
        cloud.trajectories.set(cloud.rest.subarray(3 * i, 3 * i + 3), i * 3 * S + 3 * t);
      }
    }
    const system = systemOf(numerics, cloud, S);
    const skeleton = new SkeletonSystem(numerics, system, skeletonTree(PARENTS), cloud.joints);
    skeleton.solveRotations(2, 2);
    skeleton.writeTransforms();
    system.transforms.view.forEach((value, k) => {
      expect(value).toBeCloseTo([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0][k % 12], 9);
    });
    skeleton.dispose();
    system.dispose();
  });

  it('writes transforms whose joints hold, whatever rotations and joints are', () => {
    const cloud = jointedCloud(2, n, S);
    const system = systemOf(numerics, cloud, S);
    const skeleton = new SkeletonSystem(numerics, system, skeletonTree(PARENTS), cloud.joints);
    skeleton.solveRotations(1, 0);
    skeleton.writeTransforms();
    const M = system.transforms.view;
    for (let t = 0; t < S; t++) {
      for (let k = 0; k < m; k++) {
        if (PARENTS[k] < 0) continue;
        for (let d = 0; d < 3; d++) {
          const place = (bone: number) => {
            const at = (t * m + bone) * 12 + 4 * d;
            return M[at + 3] + [0, 1, 2].reduce((sum, e) => sum + M[at + e] * cloud.joints[3 * k + e], 0);
          };
          expect(Math.abs(place(k) - place(PARENTS[k]))).toBeLessThan(1e-14);
        }
      }
    }
    skeleton.dispose();
    system.dispose();
  });

  it('lowers the error with every sweep and every step, down to the known rotations', () => {
    const cloud = jointedCloud(3, n, S);
    const system = systemOf(numerics, cloud, S);
    const skeleton = new SkeletonSystem(numerics, system, skeletonTree(PARENTS), cloud.joints);
    skeleton.writeTransforms();
    let last = error(system);
    for (const [sweeps, steps] of [...Array(4).fill([1, 0]), ...Array(8).fill([0, 1])]) {
      skeleton.solveRotations(sweeps, steps);
      skeleton.writeTransforms();
      const next = error(system);
      expect(next).toBeLessThanOrEqual(last + 1e-12);
      last = next;
    }
    skeleton.rotations.view.forEach((value, k) => {
      expect(value).toBeCloseTo(cloud.rotations[k], 8);
    });
    system.transforms.view.forEach((value, k) => {
      expect(value).toBeCloseTo(cloud.transforms[k], 8);
    });
    skeleton.dispose();
    system.dispose();
  });

  it('finds all joints at once from known rotations', () => {
    const cloud = jointedCloud(4, n, S);
    const system = systemOf(numerics, cloud, S);
    const nowhere = new Float64Array(3 * m);
    const skeleton = new SkeletonSystem(numerics, system, skeletonTree(PARENTS), nowhere);
    skeleton.rotations.view.set(cloud.rotations);
    skeleton.solveJoints(nowhere, 0);
    for (let k = 0; k < 3 * m; k++) {
      if (PARENTS[Math.floor(k / 3)] >= 0) expect(skeleton.joints[k]).toBeCloseTo(cloud.joints[k], 8);
    }
    skeleton.dispose();
    system.dispose();
  });

  it('takes the point of a hinge that is nearest to the prior', () => {
    const hinge = 2;
    const cloud = jointedCloud(5, n, S, hinge);
    const system = systemOf(numerics, cloud, S);
    const prior = cloud.joints.slice();
    // Off the axis and along it: only the part along the axis can stay.
    const at = 3 * hinge;
    prior.set([cloud.joints[at] + 0.2, cloud.joints[at + 1] - 0.1, cloud.joints[at + 2] + 0.5], at);
    const skeleton = new SkeletonSystem(numerics, system, skeletonTree(PARENTS), cloud.joints);
    skeleton.rotations.view.set(cloud.rotations);
    skeleton.solveJoints(prior, 1e-9);
    expect(skeleton.joints[at]).toBeCloseTo(cloud.joints[at], 6);
    expect(skeleton.joints[at + 1]).toBeCloseTo(cloud.joints[at + 1], 6);
    expect(skeleton.joints[at + 2]).toBeCloseTo(cloud.joints[at + 2] + 0.5, 6);
    skeleton.dispose();
    system.dispose();
  });

  it('stands the least error over small changes of any joint', () => {
    const cloud = jointedCloud(6, n, S);
    // Noise, so that the least error is not zero.
    for (let k = 0; k < cloud.trajectories.length; k++) cloud.trajectories[k] += 0.02 * Math.sin(7 * k);
    const system = systemOf(numerics, cloud, S);
    const skeleton = new SkeletonSystem(numerics, system, skeletonTree(PARENTS), cloud.joints);
    skeleton.rotations.view.set(cloud.rotations);
    skeleton.solveJoints(cloud.joints, 0);
    skeleton.writeTransforms();
    const least = error(system);
    const solved = skeleton.joints.slice();
    for (let k = 0; k < 3 * m; k++) {
      for (const change of [-1e-3, 1e-3]) {
        skeleton.setJoints(solved.with(k, solved[k] + change));
        skeleton.writeTransforms();
        expect(error(system)).toBeGreaterThanOrEqual(least - 1e-12);
      }
    }
    skeleton.dispose();
    system.dispose();
  });

  it('carries a bone that moves nothing with its parent', () => {
    const cloud = jointedCloud(7, n, S);
    cloud.bones.forEach((bone, k) => {
      if (bone === 4) cloud.bones[k] = 2;
    });
    const system = systemOf(numerics, cloud, S);
    const skeleton = new SkeletonSystem(numerics, system, skeletonTree(PARENTS), cloud.joints);
    skeleton.solveRotations(2, 2);
    skeleton.solveJoints(cloud.joints, 1e-6);
    const R = skeleton.rotations.view;
    for (let t = 0; t < S; t++) {
      for (let e = 0; e < 9; e++) expect(R[(t * m + 4) * 9 + e]).toBe(R[(t * m + 2) * 9 + e]);
    }
    expect(skeleton.joints.every(Number.isFinite)).toBe(true);
    skeleton.dispose();
    system.dispose();
  });
});
