import { openNumerics } from '@pelt/math';
import { chainScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import { type SoftJoint, solveSoftBones } from '../../src/skeleton/soft-joints.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

describe('solveSoftBones', () => {
  const { sequence, rig } = chainScene({ joints: ['hinge', 'ball'], frames: 12, ringsPerLink: 6, sides: 8 });
  /** The chain with one bone per vertex, the nearest in rest, and bones that stand. */
  const start = () => {
    const problem = FitProblem.of(sequence, { numerics });
    const system = problem.system(3, 1);
    const { bones, weights } = system.editWeights();
    const n = rig.mesh.positions.length / 3;
    const K = rig.weights.slots;
    for (let i = 0; i < n; i++) {
      const own = rig.weights.weights.subarray(i * K, (i + 1) * K);
      bones[i] = rig.weights.bones[i * K + own.indexOf(Math.max(...own))];
      weights[i] = 1;
    }
    const M = system.editTransforms();
    for (let k = 0; k < M.length; k++) M[k] = (k % 12) % 5 === 0 ? 1 : 0;
    return system;
  };
  const joints = (system: ReturnType<typeof start>): SoftJoint[] =>
    [1, 2].map((j) => ({ j, k: j - 1, place: meanOf(system, j) }));
  /** Between the centres of a bone and the one before it. */
  const meanOf = (system: ReturnType<typeof start>, j: number): [number, number, number] => {
    const [a, b] = [system.centre(j, j) ?? [0, 0, 0], system.centre(j - 1, j - 1) ?? [0, 0, 0]];
    return [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])];
  };
  /** Root mean square distance between where the two bones of a joint carry it. */
  const apart = (system: ReturnType<typeof start>, all: readonly SoftJoint[]) => {
    const M = system.transforms.view;
    let sum = 0;
    for (const { j, k, place } of all) {
      for (let t = 0; t < system.S; t++) {
        for (let d = 0; d < 12; d += 4) {
          const at = (bone: number) => 12 * (t * system.m + bone) + d;
          const carried = (bone: number) =>
            M[at(bone)] * place[0] + M[at(bone) + 1] * place[1] + M[at(bone) + 2] * place[2] + M[at(bone) + 3];
          sum += (carried(j) - carried(k)) ** 2;
        }
      }
    }
    return Math.sqrt(sum / (all.length * system.S));
  };

  it('gives the rigid bones of the kernel where there are no joints', () => {
    const [plain, soft] = [start(), start()];
    plain.solveRigidBones(2);
    solveSoftBones(soft, [], 1, 2);
    const [a, b] = [plain.transforms.view, soft.transforms.view];
    expect(Math.max(...a.map((value, k) => Math.abs(value - b[k])))).toBeLessThan(1e-9);
    plain.dispose();
    soft.dispose();
  });

  it('closes joints the more the larger λ is, with rotations throughout', () => {
    const gaps = [0, 0.01, 1, 100].map((lambda) => {
      const system = start();
      const all = joints(system);
      solveSoftBones(system, all, lambda, 30);
      const gap = apart(system, all);
      const M = system.transforms.view;
      for (let k = 0; k < M.length; k += 12) {
        expect(Math.hypot(M[k], M[k + 1], M[k + 2])).toBeCloseTo(1, 9);
        expect(M[k] * M[k + 4] + M[k + 1] * M[k + 5] + M[k + 2] * M[k + 6]).toBeCloseTo(0, 9);
      }
      system.dispose();
      return gap;
    });
    expect(gaps[1]).toBeLessThan(gaps[0]);
    expect(gaps[2]).toBeLessThan(gaps[1]);
    expect(gaps[3]).toBeLessThan(0.2 * gaps[0]);
  });
});
