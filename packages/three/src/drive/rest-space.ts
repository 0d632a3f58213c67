/**
 * The space in which a character stands upright, as the file's scene has it, against that of its mesh, which may be turned
 * and in other units. With W the joints' matrices in the scene, I their inverse bind matrices and M the mesh's matrix, a
 * vertex v of the geometry is at B v at rest, B = W_r I_r of the root joint r; a pose T' of the scene is T = M⁻¹ T' B for
 * the mesh. The same B as `readRig` of @pelt/io takes, so that poses of the two can be exchanged.
 */
import { type Rig, TRANSFORM_SIZE } from '@pelt/model';
import { Matrix3, Matrix4, type Object3D, Vector3 } from 'three';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { rowsOf } from '../model/geometry-rig.ts';

/**
 * Takes poses from the scene of a character to its mesh and back.
 * @example
 * {@includeCode ../../examples/rest-space.ts}
 */
export class RestSpace {
  /** B and M in the space of the root, and their inverses. */
  readonly #rest = new Matrix4();
  readonly #restInverse = new Matrix4();
  readonly #mesh = new Matrix4();
  readonly #meshInverse = new Matrix4();
  readonly #isIdentity: boolean;

  /**
   * @param mesh  with its joints at rest
   * @param root  of the character; absent: the topmost object above the mesh that is no scene
   */
  constructor(mesh: PeltMesh, root: Object3D = topOf(mesh)) {
    const { joints, inverses } = requirePaletteSkeleton(mesh);
    const above = new Set<Object3D>(joints);
    const r = Math.max(
      0,
      joints.findIndex(({ parent }) => parent === null || !above.has(parent)),
    );
    for (const object of [root, mesh, joints[r]]) object.updateWorldMatrix(true, false);
    const outer = new Matrix4().copy(root.matrixWorld).invert();
    this.#rest.multiplyMatrices(outer, joints[r].matrixWorld).multiply(inverses[r]);
    this.#mesh.multiplyMatrices(outer, mesh.matrixWorld);
    this.#restInverse.copy(this.#rest).invert();
    this.#meshInverse.copy(this.#mesh).invert();
    this.#isIdentity = isNear(this.#rest) && isNear(this.#mesh);
  }

  /** A rig of the mesh as the scene has it. */
  rigOf(rig: Rig): Rig {
    if (this.#isIdentity) return rig;
    const point = new Vector3();
    const positions = rig.mesh.positions.slice();
    for (let k = 0; k < positions.length; k += 3) {
      point.fromArray(positions, k).applyMatrix4(this.#rest).toArray(positions, k);
    }
    const matrix = new Matrix4();
    const bones = rig.bones.map((bone) => {
      setRows(matrix, bone.rest, 0).premultiply(this.#rest);
      return { ...bone, rest: rowsOf(matrix, new Float64Array(TRANSFORM_SIZE), 0) };
    });
    return { ...rig, mesh: { ...rig.mesh, positions }, bones };
  }

  /**
   * A pose of the scene as one of the mesh.
   *
   * @param transforms  m × 12, rest → pose; changed in place
   */
  toMesh(transforms: Float64Array): Float64Array {
    return this.#between(transforms, this.#meshInverse, this.#rest);
  }

  /**
   * A pose of the mesh as one of the scene.
   *
   * @param transforms  m × 12, rest → pose; changed in place
   */
  toScene(transforms: Float64Array): Float64Array {
    return this.#between(transforms, this.#mesh, this.#restInverse);
  }

  /**
   * A surface that is posed in the scene as one of the mesh.
   *
   * @param positions  n × 3; changed in place
   * @param normals    n × 3, unit length; changed in place
   */
  surfaceToMesh(positions: Float32Array, normals: Float32Array): void {
    if (this.#isIdentity) return;
    // Normals go by the inverse transpose of what positions go by.
    const turn = new Matrix3().setFromMatrix4(this.#mesh).transpose();
    const vector = new Vector3();
    for (let k = 0; k < positions.length; k += 3) {
      vector.fromArray(positions, k).applyMatrix4(this.#meshInverse).toArray(positions, k);
      vector.fromArray(normals, k).applyMatrix3(turn).normalize().toArray(normals, k);
    }
  }

  #between(transforms: Float64Array, left: Matrix4, right: Matrix4): Float64Array {
    if (this.#isIdentity) return transforms;
    for (let at = 0; at < transforms.length; at += TRANSFORM_SIZE) {
      rowsOf(setRows(SCRATCH, transforms, at).premultiply(left).multiply(right), transforms, at);
    }
    return transforms;
  }
}

const SCRATCH = new Matrix4();
/** Elements of a matrix that differ by less are the same: what float32 leaves of inverse bind matrices. */
const NEAR = 1e-5;
const IDENTITY = new Matrix4();

function isNear({ elements }: Matrix4): boolean {
  return elements.every((value, k) => Math.abs(value - IDENTITY.elements[k]) < NEAR);
}

function setRows(out: Matrix4, rows: ArrayLike<number>, at: number): Matrix4 {
  const e = out.elements;
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) e[4 * c + r] = rows[at + 4 * r + c];
  e[3] = e[7] = e[11] = 0;
  e[15] = 1;
  return out;
}

export function topOf(mesh: Object3D): Object3D {
  let top = mesh;
  while (top.parent && !('isScene' in top.parent)) top = top.parent;
  return top;
}
