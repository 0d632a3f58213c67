/**
 * Initialises a bone again that moves hardly anything, Σ_i w_ij² < 3: Kabsch's algorithm on the 20 vertices nearest, in the
 * rest pose, to the vertex of largest error (section 1.5.2 of the course).
 */
import { SkinningSystem, type Trajectories } from '@pelt/kernels';
import type { KdTree, Numerics } from '@pelt/math';
import { IDENTITY_TRANSFORM, TRANSFORM_SIZE } from '@pelt/model';

/** ε, the number of points that determine a rotation. */
export const INSIGNIFICANT = 3;
const NEAREST = 20;

/** @param tree  over the rest positions */
export function restartBone(
  system: SkinningSystem,
  j: number,
  trajectories: Trajectories,
  tree: KdTree,
  numerics: Numerics,
): void {
  const { m, S } = system;
  const errors = system.error.view;
  let worst = 0;
  for (let i = 1; i < errors.length; i++) if (errors[i] > errors[worst]) worst = i;
  const indices = new Int32Array(NEAREST);
  const count = tree.nearest(trajectories.rest, 3 * worst, NEAREST, indices, new Float64Array(NEAREST));
  const around = Array.from(indices.subarray(0, count));
  const one = new SkinningSystem(numerics, partOf(trajectories, around), 1, 1);
  one.editWeights().weights.fill(1);
  const transforms = one.editTransforms();
  for (let t = 0; t < S; t++) transforms.set(IDENTITY_TRANSFORM, t * TRANSFORM_SIZE);
  one.solveRigidBones(1);
  const found = one.transforms.view.slice();
  one.dispose();
  const own = system.editTransforms();
  for (let t = 0; t < S; t++) {
    own.set(found.subarray(t * TRANSFORM_SIZE, (t + 1) * TRANSFORM_SIZE), (t * m + j) * TRANSFORM_SIZE);
  }
  // The next bone to be restarted takes another vertex.
  for (const i of around) system.error.view[i] = 0;
}

function partOf({ rest, basis, coefficients, squaredNorms }: Trajectories, vertices: readonly number[]): Trajectories {
  const r = coefficients.length / squaredNorms.length;
  const gather = (values: Float64Array, size: number) => {
    const out = new Float64Array(vertices.length * size);
    vertices.forEach((i, k) => {
      out.set(values.subarray(i * size, (i + 1) * size), k * size);
    });
    return out;
  };
  return {
    rest: gather(rest, 3),
    basis,
    coefficients: gather(coefficients, r),
    squaredNorms: gather(squaredNorms, 1),
  };
}
