/**
 * Weights as shapes, to minimise ‖Da − w‖² instead of the error on examples: a skinning system in which bone j moves every
 * vertex to the unit vector e_j and the target of vertex i is w_i.
 */
import { SkinningSystem, type Trajectories } from '@pelt/kernels';
import type { Numerics } from '@pelt/math';
import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';

/** A system whose error is that of the weights, with no weights set. The caller disposes it. */
export function weightSpaceSystem(numerics: Numerics, skin: SkinWeights, m: number, slots: number): SkinningSystem {
  const n = skin.bones.length / skin.slots;
  // Each frame has three coordinates.
  const S = Math.ceil(m / 3);
  const r = 3 * S;
  const basis = new Float64Array(r * r);
  for (let k = 0; k < r; k++) basis[k * r + k] = 1;
  const trajectories: Trajectories = {
    rest: new Float64Array(3 * n),
    basis,
    coefficients: new Float64Array(n * r),
    squaredNorms: new Float64Array(n),
  };
  for (let k = 0; k < skin.bones.length; k++) {
    const i = Math.floor(k / skin.slots);
    trajectories.coefficients[i * r + skin.bones[k]] += skin.weights[k];
    trajectories.squaredNorms[i] += skin.weights[k] ** 2;
  }
  const system = new SkinningSystem(numerics, trajectories, m, slots);
  const transforms = system.editTransforms();
  for (let j = 0; j < m; j++) {
    const frame = Math.floor(j / 3) * m + j;
    transforms[frame * TRANSFORM_SIZE + 4 * (j % 3) + 3] = 1;
  }
  return system;
}
