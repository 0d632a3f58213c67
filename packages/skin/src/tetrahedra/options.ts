/** Options of filling a surface with tetrahedra, and their defaults. */

export interface TetrahedralizeOptions {
  /** Edges of the tetrahedra next to the surface, in lengths of the surface's own edges. */
  readonly spacing: number;
  /** How fast they grow with depth: a tetrahedron at distance d has edges longer by grading · d. */
  readonly grading: number;
  /** Vertices nearer than this share of the box's diagonal are one. */
  readonly weldTolerance: number;
  /** Thinner sheets are given this thickness, in lengths of their edges. */
  readonly thinnest: number;
  /** Whether a surface that is mostly a few of its edges thick is cut finer. */
  readonly refine: boolean;
  /** Dihedral angle, in degrees, below which a tetrahedron is mended. */
  readonly angle: number;
  /** Rounds of mending, at most. */
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
