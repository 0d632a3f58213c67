/** Choice of the root bone. */
import type { SkinningSystem } from '@pelt/math';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { nearestBone } from './joint-tree.ts';

/** A vertex, a point of the model, or undefined for the centre of the rest pose. */
export type RootChoice = number | readonly [number, number, number] | undefined;

/** The bone that moves the vertex most, or the one whose centre is nearest to the point. */
export function rootBone({ prepared }: FitProblem, system: SkinningSystem, root: RootChoice): number {
  if (root === undefined) return nearestBone(system, [0, 0, 0]);
  if (typeof root !== 'number') {
    return nearestBone(
      system,
      root.map((value, d) => (value - prepared.space.centre[d]) / prepared.space.radius),
    );
  }
  const weights = system.weights.view.subarray(root * system.K, (root + 1) * system.K);
  const slot = weights.indexOf(weights.reduce((a, b) => Math.max(a, b)));
  return system.boneIndices.view[root * system.K + slot];
}
