/** A solver's system that holds the rig of a scene: its weights, its motion, its joints. */
import { type SkinningSystem, skeletonTree } from '@pelt/kernels';
import type { Numerics } from '@pelt/math';
import type { Scene } from '@pelt/testkit';
import { FitProblem } from '../../src/decompose/fit-problem.ts';
import type { JointedTree } from '../../src/skeleton/joint-tree.ts';

export interface KnownSkeleton {
  readonly problem: FitProblem;
  /** The caller disposes it. */
  readonly system: SkinningSystem;
  readonly hung: JointedTree;
}

/** @param slots  K of the system, at least as many as the rig's vertices use */
export function knownSkeleton(numerics: Numerics, { sequence, rig, clip }: Scene, slots = 2): KnownSkeleton {
  const problem = FitProblem.of(sequence, { numerics });
  const m = rig.bones.length;
  const system = problem.system(m, slots);
  for (let i = 0; i < system.n; i++) {
    for (let s = 0; s < Math.min(system.K, rig.weights.slots); s++) {
      system.editWeights().bones[i * system.K + s] = rig.weights.bones[i * rig.weights.slots + s];
      system.editWeights().weights[i * system.K + s] = rig.weights.weights[i * rig.weights.slots + s];
    }
  }
  system.editTransforms().set(problem.prepared.transformsToSolver(clip.transforms, m));
  const { centre, radius } = problem.prepared.space;
  const joints = Float64Array.from(
    rig.bones.flatMap(({ rest }) => [0, 1, 2].map((d) => (rest[4 * d + 3] - centre[d]) / radius)),
  );
  return { problem, system, hung: { tree: skeletonTree(rig.bones.map(({ parent }) => parent)), joints } };
}

/**
 * Two unit squares in the plane z = 0 that share the corner (1, 0, 0): the first stands, the second turns about z through
 * that corner, by 0.3 more in each frame. A scene that can be solved by hand.
 */
export function hingedSquares(frames = 6): Scene {
  const square = (x: number) => [x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, x, 1, 0];
  const mesh = {
    name: 'squares',
    positions: Float32Array.from([...square(0), ...square(1)]),
    triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 1, 4, 2, 2, 4, 7),
  };
  const times = Float64Array.from({ length: frames }, (_, t) => t / 24);
  const transforms = new Float64Array(frames * 24);
  const moved = new Float32Array(frames * 24);
  for (let t = 0; t < frames; t++) {
    const [c, s] = [Math.cos(0.3 * t), Math.sin(0.3 * t)];
    transforms.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 24 * t);
    transforms.set([c, -s, 0, 1 - c, s, c, 0, -s, 0, 0, 1, 0], 24 * t + 12);
    moved.set(mesh.positions, 24 * t);
    for (let i = 4; i < 8; i++) {
      const [x, y] = [mesh.positions[3 * i] - 1, mesh.positions[3 * i + 1]];
      moved.set([1 + c * x - s * y, s * x + c * y, 0], 24 * t + 3 * i);
    }
  }
  return {
    sequence: { name: 'squares', rest: mesh, frames: moved, times },
    rig: {
      name: 'squares',
      mesh,
      bones: [
        { name: 'still', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) },
        { name: 'turning', parent: 0, rest: Float64Array.of(1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0) },
      ],
      weights: { slots: 1, bones: Uint16Array.of(0, 0, 0, 0, 1, 1, 1, 1), weights: new Float32Array(8).fill(1) },
    },
    clip: { name: 'turn', times, transforms },
  };
}
