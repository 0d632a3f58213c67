/**
 * Published times of skeleton-driven volumetric deformation, and those of a rival.
 *
 * Budd, Hilton. Skeleton driven Laplacian volumetric deformation. 2009: seconds to convergence by surface vertices and
 * tetrahedra, LU factorisation, one thread of its time.
 */
export const BUDD_HILTON = [
  { vertices: 182, tetrahedra: 1648, seconds: 0.03 },
  { vertices: 682, tetrahedra: 6784, seconds: 0.26 },
  { vertices: 1502, tetrahedra: 14576, seconds: 0.44 },
  { vertices: 2642, tetrahedra: 26434, seconds: 1.06 },
  { vertices: 4102, tetrahedra: 40304, seconds: 1.35 },
  { vertices: 13002, tetrahedra: 128816, seconds: 6.63 },
  { vertices: 25467, tetrahedra: 352352, seconds: 38 },
];

/**
 * One iteration of the as-rigid-as-possible solver of libigl (C++, energy of elements), milliseconds of one core, on
 * boxes of across × across × along cells, six tetrahedra each.
 */
export const LIBIGL_ELEMENTS = [
  { across: 10, along: 40, milliseconds: 21.7 },
  { across: 14, along: 56, milliseconds: 75 },
  { across: 20, along: 80, milliseconds: 247 },
];
