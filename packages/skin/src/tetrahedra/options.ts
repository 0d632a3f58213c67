/** Options of tetrahedralisation, with their defaults. */

/** Options of `tetrahedralize`. */
export interface TetrahedralizeOptions {
  /** Edge length of the tetrahedra near the surface, relative to the surface's edges. */
  readonly spacing: number;
  /** Growth of the edge length with depth: by grading · d at the distance d from the surface. */
  readonly grading: number;
  /** Vertices nearer than this fraction of the bounding box's diagonal are welded. */
  readonly weldTolerance: number;
  /** Least thickness of a sheet, in edge lengths; thinner ones are thickened. */
  readonly thinnest: number;
  /** Refine a surface that is mostly only a few of its edges thick. */
  readonly refine: boolean;
  /** Dihedral angle, in degrees, below which a tetrahedron is improved. */
  readonly angle: number;
  /** Most passes of mesh improvement. */
  readonly rounds: number;
}

export const TETRAHEDRALIZE_DEFAULTS: TetrahedralizeOptions = {
  spacing: 1,
  grading: 0.5,
  weldTolerance: 1e-6,
  thinnest: 0.15,
  refine: true,
  angle: 13,
  rounds: 5,
};
