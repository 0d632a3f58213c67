/**
 * Cage-based deformation for the reductions: v'_i = Σ_j w_ij c_j (equation 31 of the course notes) is linear blending in
 * which a bone has no rotation to hand on, M_j = [0 | c_j]. So every reduction of a rig reduces a cage as well, with the
 * control points kept where they are.
 */
import { type Clip, InputError, type Mesh, type Rig, type SkinWeights, TRANSFORM_SIZE, validateRig } from '@pelt/model';

/** A mesh in a cage that moves. */
export interface CagedMesh {
  readonly mesh: Mesh;
  /** n × K coordinates of the vertices in the cage, convex (harmonic, Green's without the normals, …) */
  readonly weights: SkinWeights;
  /** m × 3 control points at rest */
  readonly cage: Float32Array;
  /** S × m × 3 control points in every frame */
  readonly frames: Float32Array;
  /** S seconds */
  readonly times: Float64Array;
}

export function cageModel({ mesh, weights, cage, frames, times }: CagedMesh): {
  readonly rig: Rig;
  readonly clip: Clip;
} {
  const m = cage.length / 3;
  if (frames.length !== times.length * cage.length) {
    throw new InputError(`cage: ${frames.length} numbers for ${times.length} frames of ${m} control points`);
  }
  const bones = Array.from({ length: m }, (_, j) => ({
    name: `control-${j}`,
    parent: -1,
    rest: Float64Array.of(1, 0, 0, cage[3 * j], 0, 1, 0, cage[3 * j + 1], 0, 0, 1, cage[3 * j + 2]),
  }));
  const transforms = new Float64Array(times.length * m * TRANSFORM_SIZE);
  frames.forEach((value, k) => {
    transforms[Math.floor(k / 3) * TRANSFORM_SIZE + 4 * (k % 3) + 3] = value;
  });
  const rig = { name: mesh.name, mesh, bones, weights };
  validateRig(rig);
  return { rig, clip: { name: 'cage', times, transforms } };
}
