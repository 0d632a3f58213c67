/**
 * Laplacians of meshes as sparse matrices, for tests and benchmarks: the systems that surfaces and solids bring to the
 * sparse solver.
 *
 * Cotangent weights: Pinkall, Polthier. Computing discrete minimal surfaces and their conjugates. 1993, equation 8.
 * On tetrahedra the same stiffness ∫ ∇φᵢ·∇φⱼ is volume · gᵢ·gⱼ, with gᵢ the gradient of vertex i's hat function.
 */
import { Random, type SparseSymmetric, sparseFromTriplets } from '../../src/index.ts';

/** A solid. */
export interface Tetrahedra {
  /** n × 3 */
  readonly positions: Float64Array;
  /** count × 4 vertices */
  readonly tetrahedra: Uint32Array;
}

/**
 * Stiffness plus `mass` × the lumped mass matrix (a third of each triangle's area to each of its corners).
 *
 * @param positions  n × 3
 * @param triangles  f × 3
 * @param mass       above 0 the matrix is positive definite where every vertex is in a triangle
 */
export function cotangentLaplacian(
  positions: Float32Array | Float64Array,
  triangles: Uint32Array,
  mass: number,
): SparseSymmetric {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const add = (i: number, j: number, value: number) => {
    rows.push(i);
    columns.push(j);
    values.push(value);
  };
  for (let f = 0; f < triangles.length; f += 3) {
    const corners = [triangles[f], triangles[f + 1], triangles[f + 2]];
    const at = corners.map((i) => positions.subarray(3 * i, 3 * i + 3));
    const normal = cross(difference(at[1], at[0]), difference(at[2], at[0]));
    const area = Math.hypot(...normal) / 2;
    if (area === 0) continue;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [corners[(k + 1) % 3], corners[(k + 2) % 3]];
      // Half the cotangent of the angle opposite to edge ij: cos / sin = (u·v) / (2 area).
      const weight = dot(difference(at[(k + 1) % 3], at[k]), difference(at[(k + 2) % 3], at[k])) / (4 * area);
      add(i, j, -weight);
      add(i, i, weight);
      add(j, j, weight);
      add(corners[k], corners[k], (mass * area) / 3);
    }
  }
  return sparseFromTriplets(positions.length / 3, rows, columns, values);
}

/** Stiffness plus `mass` × the lumped mass matrix (a quarter of each volume to each corner). */
export function tetrahedralLaplacian({ positions, tetrahedra }: Tetrahedra, mass: number): SparseSymmetric {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = tetrahedra.subarray(t, t + 4);
    const at = Array.from(corners, (i) => positions.subarray(3 * i, 3 * i + 3));
    const edges = [1, 2, 3].map((k) => difference(at[k], at[0]));
    const sixVolumes = dot(cross(edges[0], edges[1]), edges[2]);
    // Gradients of corners 1, 2, 3 are the rows of the inverse edge matrix; all four sum to zero.
    const gradients = [1, 2, 3].map((k) =>
      cross(edges[k % 3], edges[(k + 1) % 3]).map((component) => component / sixVolumes),
    );
    gradients.unshift([0, 1, 2].map((c) => -gradients[0][c] - gradients[1][c] - gradients[2][c]));
    const volume = Math.abs(sixVolumes) / 6;
    for (let a = 0; a < 4; a++) {
      for (let b = a; b < 4; b++) {
        rows.push(corners[a]);
        columns.push(corners[b]);
        values.push(volume * dot(gradients[a], gradients[b]) + (a === b ? (mass * volume) / 4 : 0));
      }
    }
  }
  return sparseFromTriplets(positions.length / 3, rows, columns, values);
}

/**
 * A box of unit cells, each cut into the six tetrahedra around a diagonal (Kuhn), inner vertices displaced.
 *
 * @param nx, ny, nz  vertices along each axis, at least 2
 * @param jitter      largest displacement along an axis, in cells; up to 0.1 keeps every tetrahedron upright
 */
export function tetrahedralBox(nx: number, ny: number, nz: number, jitter: number): Tetrahedra {
  const index = (x: number, y: number, z: number) => (z * ny + y) * nx + x;
  const positions = new Float64Array(nx * ny * nz * 3);
  const random = new Random(nx);
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        const i = index(x, y, z);
        const inner = x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1;
        [x, y, z].forEach((coordinate, c) => {
          positions[3 * i + c] = coordinate + (inner ? random.uniform(-jitter, jitter) : 0);
        });
      }
    }
  }
  const tetrahedra: number[] = [];
  for (let z = 0; z + 1 < nz; z++) {
    for (let y = 0; y + 1 < ny; y++) {
      for (let x = 0; x + 1 < nx; x++) {
        // Corner k of the cell: bit 0 is x, bit 1 is y, bit 2 is z.
        const corner = (k: number) => index(x + (k & 1), y + ((k >> 1) & 1), z + (k >> 2));
        for (const cell of SIX_TETRAHEDRA) tetrahedra.push(...cell.map(corner));
      }
    }
  }
  return { positions, tetrahedra: Uint32Array.from(tetrahedra) };
}

/** The paths along the edges of the cube from corner 0 to corner 7. */
const SIX_TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 1, 5, 7],
  [0, 2, 3, 7],
  [0, 2, 6, 7],
  [0, 4, 5, 7],
  [0, 4, 6, 7],
];

function difference(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Positions (n × 3) and triangles (f × 3) of an OBJ file of triangles without further attributes. */
export function trianglesOfObj(text: string) {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === 'v') positions.push(...words.slice(0, 3).map(Number));
    if (keyword === 'f') triangles.push(...words.map((word) => Number.parseInt(word, 10) - 1));
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}
