import { InputError } from './errors.ts';
import { type Mesh, validateMesh, vertexCount } from './mesh.ts';
import { requireFinite, requireLength } from './require.ts';
import { type SkinWeights, validateSkinWeights } from './skin-weights.ts';

/**
 * A bone, or joint. Its frame at rest says where it sits in the model; its motion is given elsewhere (Pose, Clip) as a
 * transform from rest to pose, so that the frame matters to viewers and editors but not to the deformation.
 */
export interface Bone {
  readonly name: string;
  /** Index of the parent bone, always smaller than this bone's own; −1 for a root or a loose bone. */
  readonly parent: number;
  /** 12 numbers, row-major 3 × 4 [A | o]: bone frame → model, at rest. Need not be orthonormal. */
  readonly rest: Float64Array;
  /** Which bone of a human body it is, where its file says so, by the names of VRM: hips, leftUpperArm … */
  readonly place?: string;
}

/** A mesh bound to bones. */
export interface Rig {
  readonly name: string;
  readonly mesh: Mesh;
  readonly bones: readonly Bone[];
  readonly weights: SkinWeights;
}

/** A row-major 3 × 4 [R | t] as pelt keeps all its transforms. */
export const TRANSFORM_SIZE = 12;

export const IDENTITY_TRANSFORM: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/**
 * Throws `InputError` unless the mesh is valid, parents come before children and weights name bones that exist.
 * @example
 * {@includeCode ../examples/rig.ts}
 */
export function validateRig(rig: Rig): void {
  validateMesh(rig.mesh);
  if (rig.bones.length === 0) throw new InputError(`rig '${rig.name}': no bones`);
  rig.bones.forEach((bone, j) => {
    const what = `rig '${rig.name}': bone ${j} '${bone.name}'`;
    if (!Number.isInteger(bone.parent) || bone.parent < -1 || bone.parent >= j) {
      throw new InputError(`${what}: parent ${bone.parent} must be −1 or come before it`);
    }
    requireLength(`${what}: rest`, bone.rest, TRANSFORM_SIZE);
    requireFinite(`${what}: rest`, bone.rest);
  });
  validateSkinWeights(rig.weights, vertexCount(rig.mesh), rig.bones.length);
}
