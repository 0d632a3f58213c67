import { InputError } from './errors.ts';
import { requireFinite, requireIndices } from './require.ts';

/** Stands for "no vertex" in `TetMesh.surface`. */
export const NO_VERTEX = 0xffffffff;

/** A body of tetrahedra inside a surface. */
export interface TetMesh {
  readonly name: string;
  /** v × 3 */
  readonly positions: Float32Array;
  /** e × 4 vertices, each of positive volume: (b − a) · ((c − a) × (d − a)) > 0 */
  readonly tetrahedra: Uint32Array;
  /**
   * For each of the n vertices of the surface the vertex of the body that carries it, or `NO_VERTEX` for one that no
   * triangle uses. Several may share one (welded seams), and a vertex may lie a little off the one that carries it (thin
   * sheets are thickened).
   */
  readonly surface: Uint32Array;
}

/**
 * The number e of tetrahedra of a mesh.
 * @example
 * {@includeCode ../examples/tetrahedra.ts}
 */
export function tetrahedronCount(mesh: TetMesh): number {
  return mesh.tetrahedra.length / 4;
}

/**
 * Six times the signed volume of tetrahedron e.
 *
 * @param positions   v × 3
 * @param tetrahedra  e × 4 vertex indices
 * @example
 * {@includeCode ../examples/tetrahedra.ts}
 */
export function tetrahedronDeterminant(positions: ArrayLike<number>, tetrahedra: ArrayLike<number>, e: number): number {
  const a = 3 * tetrahedra[4 * e];
  const b = 3 * tetrahedra[4 * e + 1];
  const c = 3 * tetrahedra[4 * e + 2];
  const d = 3 * tetrahedra[4 * e + 3];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const wx = positions[d] - positions[a];
  const wy = positions[d + 1] - positions[a + 1];
  const wz = positions[d + 2] - positions[a + 2];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

/**
 * The volume of a tetrahedral mesh.
 *
 * @param positions  v × 3; the rest positions unless given
 * @example
 * {@includeCode ../examples/tetrahedra.ts}
 */
export function tetMeshVolume(mesh: TetMesh, positions: ArrayLike<number> = mesh.positions): number {
  let sum = 0;
  for (let e = 0; e < tetrahedronCount(mesh); e++) sum += tetrahedronDeterminant(positions, mesh.tetrahedra, e);
  return sum / 6;
}

/**
 * Throws `InputError` unless sizes fit, indices exist and every tetrahedron has positive volume.
 * @example
 * {@includeCode ../examples/tetrahedra.ts}
 */
export function validateTetMesh(mesh: TetMesh): void {
  const what = `tetrahedra '${mesh.name}'`;
  if (mesh.positions.length % 3 !== 0) {
    throw new InputError(`${what}: ${mesh.positions.length} position numbers are not a multiple of 3`);
  }
  if (mesh.tetrahedra.length % 4 !== 0 || mesh.tetrahedra.length === 0) {
    throw new InputError(`${what}: ${mesh.tetrahedra.length} indices are not whole tetrahedra`);
  }
  requireFinite(`${what}: positions`, mesh.positions, 3);
  requireIndices(`${what}: tetrahedra`, mesh.tetrahedra, mesh.positions.length / 3);
  for (let e = 0; e < tetrahedronCount(mesh); e++) {
    const determinant = tetrahedronDeterminant(mesh.positions, mesh.tetrahedra, e);
    if (!(determinant > 0)) throw new InputError(`${what}: tetrahedron ${e} has the volume ${determinant / 6}`);
  }
  for (let i = 0; i < mesh.surface.length; i++) {
    const v = mesh.surface[i];
    if (v !== NO_VERTEX && v >= mesh.positions.length / 3) {
      throw new InputError(`${what}: surface vertex ${i} names vertex ${v}, which is not there`);
    }
  }
}
