/** Symmetric positive definite matrices of many shapes for the tests of the sparse solver. */
import { type Random, type SparseSymmetric, sparseFromTriplets } from '../../src/index.ts';
import { cotangentLaplacian, tetrahedralBox, tetrahedralLaplacian } from './laplacians.ts';

/** A matrix with the given edges, random values and a dominant diagonal. */
export function matrixOfEdges(random: Random, size: number, edges: readonly (readonly [number, number])[]) {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const diagonal = Array.from({ length: size }, () => random.uniform(0.5, 1.5));
  for (const [i, j] of edges) {
    if (i === j) continue;
    const value = random.uniform(-1, 1);
    rows.push(i);
    columns.push(j);
    values.push(value);
    diagonal[i] += Math.abs(value);
    diagonal[j] += Math.abs(value);
  }
  diagonal.forEach((value, i) => {
    rows.push(i);
    columns.push(i);
    values.push(value);
  });
  return sparseFromTriplets(size, rows, columns, values);
}

/** `count` edges between random vertices. */
export function randomEdges(random: Random, size: number, count: number): [number, number][] {
  return Array.from({ length: count }, () => [random.integer(size), random.integer(size)]);
}

export const SHAPES: Readonly<Record<string, (random: Random, size: number) => SparseSymmetric>> = {
  'diagonal only': (random, size) => matrixOfEdges(random, size, []),
  path: (random, size) =>
    matrixOfEdges(
      random,
      size,
      Array.from({ length: Math.max(size - 1, 0) }, (_, i) => [i, i + 1]),
    ),
  'arrow, head first': (random, size) =>
    matrixOfEdges(
      random,
      size,
      Array.from({ length: size }, (_, i) => [0, i]),
    ),
  'arrow, head last': (random, size) =>
    matrixOfEdges(
      random,
      size,
      Array.from({ length: size }, (_, i) => [size - 1, i]),
    ),
  dense: (random, size) =>
    matrixOfEdges(
      random,
      size,
      Array.from({ length: size * size }, (_, k) => [Math.floor(k / size), k % size]),
    ),
  'two parts': (random, size) => {
    const half = Math.floor(size / 2);
    const edges = randomEdges(random, size, 2 * size);
    return matrixOfEdges(
      random,
      size,
      edges.filter(([i, j]) => i < half === j < half),
    );
  },
  'random, sparse': (random, size) => matrixOfEdges(random, size, randomEdges(random, size, size)),
  'random, fuller': (random, size) => matrixOfEdges(random, size, randomEdges(random, size, 6 * size)),
};

/** The Laplacian of a wavy sheet of nx × ny vertices, with a mass term. */
export function sheet(nx: number, ny: number, mass = 1): SparseSymmetric {
  const positions = new Float64Array(3 * nx * ny);
  const triangles: number[] = [];
  for (let y = 0; y < ny; y++) {
    for (let x = 0; x < nx; x++) {
      const i = y * nx + x;
      positions.set([x, y, Math.sin(x) * Math.cos(0.7 * y)], 3 * i);
      if (x + 1 < nx && y + 1 < ny) triangles.push(i, i + 1, i + nx, i + 1, i + nx + 1, i + nx);
    }
  }
  return cotangentLaplacian(positions, Uint32Array.from(triangles), mass);
}

/** The Laplacian of a box of tetrahedra, with a mass term. */
export function solid(nx: number, ny: number, nz: number, mass = 0.01): SparseSymmetric {
  return tetrahedralLaplacian(tetrahedralBox(nx, ny, nz, 0.1), mass);
}

/** n × n, row-major. */
export function denseOf(matrix: SparseSymmetric): Float64Array {
  const n = matrix.size;
  const out = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let p = matrix.columnStarts[j]; p < matrix.columnStarts[j + 1]; p++) {
      out[matrix.rows[p] * n + j] = matrix.values[p];
      out[j * n + matrix.rows[p]] = matrix.values[p];
    }
  }
  return out;
}

export function isPermutation(order: ArrayLike<number>, size: number): boolean {
  const seen = new Set<number>();
  for (let k = 0; k < order.length; k++) if (order[k] >= 0 && order[k] < size) seen.add(order[k]);
  return order.length === size && seen.size === size;
}
