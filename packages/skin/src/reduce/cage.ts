/**
 * Cage-based deformation as linear blend skinning: v'_i = Σ_j w_ij c_j (equation 31 of the course notes) is linear blending
 * with bones M_j = [0 | c_j] that have no linear part. Every reduction of a rig therefore applies to a cage as well, with
 * fixed control points.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 3.
 */
import { type Clip, InputError, type Mesh, type Rig, type SkinWeights, TRANSFORM_SIZE, validateRig } from '@pelt/model';

/** A mesh deformed by an animated cage. */
export interface CagedMesh {
  readonly mesh: Mesh;
  /** n × K convex coordinates of the vertices in the cage (harmonic, Green coordinates without normals, …) */
  readonly weights: SkinWeights;
  /** m × 3 control points at rest */
  readonly cage: Float32Array;
  /** S × m × 3 control points in every frame */
  readonly frames: Float32Array;
  /** S seconds */
  readonly times: Float64Array;
}

/**
 * A cage deformation as a rig with a clip, whose bones are the control points.
 *
 * @param caged  n vertices with coordinates in a cage of m control points, which S frames move
 *
 * @example
 * {@includeCode ../../examples/cage-model.ts}
 */
export function cageModel({ mesh, weights, cage, frames, times }: CagedMesh): {
  readonly rig: Rig;
  readonly clip: Clip;
} {
  const m = cage.length / 3;
  if (frames.length !== times.length * cage.length) {
    throw new InputError(`cageModel: frames has ${frames.length} numbers; it must have ${times.length} × ${m} × 3`);
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
