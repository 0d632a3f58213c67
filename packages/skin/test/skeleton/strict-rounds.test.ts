import type { SkinningSystem } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';
import { chainScene, type Scene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { FRESH } from '../../src/shared/search/weight-plan.ts';
import { WeightSteps } from '../../src/shared/search/weight-steps.ts';
import { SKELETON_PLAN } from '../../src/skeleton/plan.ts';
import { type StrictOptions, StrictRounds } from '../../src/skeleton/strict-rounds.ts';
import { widestJointGap } from './joints-hold.ts';
import { hingedSquares, type KnownSkeleton, knownSkeleton } from './known-skeleton.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

const OPTIONS: StrictOptions = {
  rounds: 40,
  tolerance: 0.002,
  restStiffness: 1,
  jointPull: 3,
  search: SKELETON_PLAN,
  keepJoints: false,
  plan: FRESH,
  jointTurns: 2,
};

describe('StrictRounds', () => {
  /** Rounds over the rig of a scene, its joints moved by `offset`; everything is disposed after `work`. */
  function withRounds<T>(
    scene: Scene,
    { offset = [0, 0, 0], ...options }: Partial<StrictOptions> & { readonly offset?: readonly number[] },
    work: (rounds: StrictRounds, known: KnownSkeleton) => T,
  ): T {
    const known = knownSkeleton(numerics, scene);
    const { problem, system, hung } = known;
    const steps = new WeightSteps(numerics, problem.graph, 2 * system.K);
    const moved = { ...hung, joints: hung.joints.map((value, k) => value + offset[k % 3]) };
    const rounds = new StrictRounds(numerics, system, moved, steps, { ...OPTIONS, ...options });
    try {
      return work(rounds, known);
    } finally {
      rounds.dispose();
      steps.dispose();
      system.dispose();
    }
  }

  const runAll = (rounds: StrictRounds) => {
    while (rounds.step());
    rounds.finish();
  };
  const sumsOf = ({ n, K, weights }: SkinningSystem) =>
    Array.from({ length: n }, (_, i) => weights.view.subarray(i * K, (i + 1) * K).reduce((sum, w) => sum + w, 0));

  it('leaves a mesh that stands at rest: no error, no motion', () => {
    const { sequence, rig, clip } = hingedSquares();
    const frames = Float32Array.from({ length: sequence.frames.length }, (_, k) => rig.mesh.positions[k % 24]);
    const still = {
      sequence: { ...sequence, frames },
      rig,
      clip: { ...clip, transforms: clip.transforms.map((_, k) => clip.transforms[k % 12]) },
    };
    withRounds(still, {}, (rounds, { system }) => {
      runAll(rounds);
      expect(rounds.bestError).toBeLessThan(1e-12);
      system.transforms.view.forEach((value, k) => {
        expect(value).toBeCloseTo(k % 12 === 0 || k % 12 === 5 || k % 12 === 10 ? 1 : 0, 9);
      });
    });
  });

  it('brings a misplaced joint to the corner about which a square turns, and along the axis to where the bones meet', () => {
    withRounds(
      hingedSquares(),
      { offset: [0.15, -0.1, 0.2], rounds: 100, tolerance: 0 },
      (rounds, { system, problem }) => {
        const before = rounds.errorWith(rounds.joints.slice());
        expect(before).toBeGreaterThan(1e-3);
        runAll(rounds);
        // The pull on a joint is a share of the error, so that the last digits come slowly.
        expect(problem.eRms(rounds.bestError)).toBeLessThan(0.05);
        const { centre, radius } = problem.prepared.space;
        const [x, y, z] = [3, 4, 5].map((k) => radius * rounds.joints[k] + centre[k % 3]);
        expect(x).toBeCloseTo(1, 2);
        expect(y).toBeCloseTo(0, 2);
        // All of the mesh lies in z = 0: so does what both bones meet in.
        expect(z).toBeCloseTo(0, 4);
        // Each square follows its own bone alone, but for the corner that both bones carry alike.
        for (const i of [0, 2, 3, 5, 6, 7]) {
          const slot = system.weights.view[2 * i] > 0.5 ? 2 * i : 2 * i + 1;
          expect(system.weights.view[slot]).toBeCloseTo(1, 2);
          expect(system.boneIndices.view[slot]).toBe(i < 4 ? 0 : 1);
        }
      },
    );
  });

  it.each([1, 2, 3])('keeps joints closed and weights convex, and its best error never rises (seed %i)', (seed) => {
    const scene = chainScene({ joints: ['ball', 'hinge'], frames: 16, ringsPerLink: 6, sides: 8, seed });
    // Noise makes the joints a compromise.
    const frames = scene.sequence.frames.map((value, k) => value + 0.01 * Math.sin(13 * k + seed));
    const noisy = { ...scene, sequence: { ...scene.sequence, frames } };
    withRounds(noisy, { offset: [0.02, 0.03, -0.02] }, (rounds, { system, hung }) => {
      let last = Number.POSITIVE_INFINITY;
      let going = true;
      while (going) {
        going = rounds.step();
        expect(rounds.bestError).toBeLessThanOrEqual(last);
        last = rounds.bestError;
      }
      expect(rounds.round).toBeLessThanOrEqual(OPTIONS.rounds);
      rounds.finish();
      expect(rounds.bestError).toBeLessThanOrEqual(last);
      expect(widestJointGap(system.transforms.view, hung.tree.parents, rounds.joints)).toBeLessThan(1e-12);
      expect(Math.min(...system.weights.view)).toBeGreaterThanOrEqual(0);
      for (const sum of sumsOf(system)) expect(sum).toBeCloseTo(1, 9);
      // What it says of the best iterate is the error of the system that it leaves.
      system.measureError();
      expect(system.totalError()).toBeCloseTo(rounds.bestError, 9);
    });
  });

  it('finds the joints of a chain again from places beside them', () => {
    const scene = chainScene({ joints: ['ball', 'ball'], frames: 30, ringsPerLink: 8, sides: 10 });
    withRounds(scene, { offset: [0.06, -0.05, 0.04], rounds: 100, tolerance: 0 }, (rounds, { problem, hung }) => {
      runAll(rounds);
      expect(problem.eRms(rounds.bestError)).toBeLessThan(0.05);
      for (let k = 3; k < 9; k++) expect(rounds.joints[k]).toBeCloseTo(hung.joints[k], 3);
    });
  });

  it('tries other joints without losing its best iterate, and then keeps those it is told to keep', () => {
    const scene = chainScene({ joints: ['ball'], frames: 12, ringsPerLink: 6, sides: 8 });
    withRounds(scene, { rounds: 15 }, (rounds, { hung, system }) => {
      runAll(rounds);
      const [best, found] = [rounds.bestError, rounds.joints.slice()];
      const other = found.map((value, k) => value + (k === 3 ? 0.1 : 0));
      expect(rounds.errorWith(other)).toBeGreaterThan(best);
      expect(rounds.errorWith(found)).toBeCloseTo(best, 9);
      expect(rounds.bestError).toBe(best);
      rounds.finishWith(other);
      expect(rounds.joints).toEqual(other);
      expect(widestJointGap(system.transforms.view, hung.tree.parents, other)).toBeLessThan(1e-12);
    });
  });

  it('leaves joints and rest pose alone where both are to be kept', () => {
    const scene = chainScene({ joints: ['ball'], frames: 12, ringsPerLink: 6, sides: 8 });
    const options = { keepJoints: true, restStiffness: Number.POSITIVE_INFINITY, rounds: 12 };
    withRounds(scene, { ...options, offset: [0.05, 0, 0] }, (rounds, { hung, system, problem }) => {
      runAll(rounds);
      expect(rounds.joints).toEqual(hung.joints.map((value, k) => value + (k % 3 === 0 ? 0.05 : 0)));
      expect(system.rest.view).toEqual(problem.prepared.trajectories.rest);
    });
  });

  it('takes a lone root, and a bone without vertices, which goes along with its parent', () => {
    const { sequence, rig, clip } = hingedSquares();
    const alone = { bones: rig.bones.slice(0, 1), weights: { ...rig.weights, bones: new Uint16Array(8) } };
    const first = clip.transforms.filter((_, k) => k % 24 < 12);
    const single = { sequence, rig: { ...rig, ...alone }, clip: { ...clip, transforms: first } };
    withRounds(single, {}, (rounds, { system }) => {
      runAll(rounds);
      expect(Number.isFinite(rounds.bestError)).toBe(true);
      for (const sum of sumsOf(system)) expect(sum).toBeCloseTo(1, 9);
    });
    const transforms = Float64Array.from(
      Array.from(clip.times.keys()).flatMap((t) => {
        const frame = clip.transforms.subarray(24 * t, 24 * t + 24);
        return [...frame, ...frame.subarray(0, 12)];
      }),
    );
    const bones = [...rig.bones, { ...rig.bones[1], name: 'idle', parent: 1 }];
    withRounds({ sequence, rig: { ...rig, bones }, clip: { ...clip, transforms } }, {}, (rounds, { system }) => {
      rounds.step();
      const M = system.transforms.view;
      for (let t = 0; t < system.S; t++) {
        for (const e of [0, 1, 2, 4, 5, 6, 8, 9, 10]) expect(M[36 * t + 24 + e]).toBe(M[36 * t + 12 + e]);
      }
    });
  });
});
