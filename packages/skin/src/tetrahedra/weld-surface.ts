/**
 * A surface ready for tetrahedra: vertices nearer than a tolerance become one, triangles that lose an edge go, vertices
 * that no triangle uses go, and the whole is turned so that its normals point out.
 */
import { triangleNormal } from '@pelt/math';
import { InputError, type Mesh, NO_VERTEX, validateMesh, vertexCount } from '@pelt/model';

export interface WeldedSurface {
  /** count × 3; float32 values, so that what is computed exactly here is exact in the file as well */
  readonly positions: Float64Array;
  /** f × 3, counter-clockwise from outside */
  readonly triangles: Uint32Array;
  /** For each vertex of the mesh its welded vertex, or `NO_VERTEX` where no triangle uses it. */
  readonly welded: Uint32Array;
  /** Length of the diagonal of the bounding box. */
  readonly diagonal: number;
  /** Enclosed volume, not negative. */
  readonly volume: number;
  /** ‖Σ area · normal‖ / Σ area: 0 for a closed surface, 1 for a flat sheet. */
  readonly openness: number;
}

/**
 * @param tolerance  distance below which vertices count as one, as a share of the box's diagonal
 */
export function weldSurface(mesh: Mesh, tolerance: number): WeldedSurface {
  validateMesh(mesh);
  const n = vertexCount(mesh);
  const { positions, triangles } = mesh;
  const used = new Uint8Array(n);
  for (const i of triangles) used[i] = 1;
  const { low, diagonal } = box(positions, used);
  if (!(diagonal > 0)) throw new InputError(`tetrahedra: mesh '${mesh.name}' has no extent`);

  const first = firstOfEachPlace(positions, used, low, tolerance * diagonal);
  const corners: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [first[triangles[k]], first[triangles[k + 1]], first[triangles[k + 2]]];
    if (a !== b && b !== c && c !== a) corners.push(a, b, c);
  }
  const place = new Uint32Array(n).fill(NO_VERTEX);
  for (const i of corners) place[i] = 0;
  const kept: number[] = [];
  for (let i = 0; i < n; i++) if (place[i] !== NO_VERTEX) place[i] = kept.push(i) - 1;
  const welded = first.map((i, k) => (used[k] ? place[i] : NO_VERTEX));
  const result = new Float64Array(3 * kept.length);
  kept.forEach((i, k) => {
    for (let axis = 0; axis < 3; axis++) result[3 * k + axis] = positions[3 * i + axis];
  });
  return {
    positions: result,
    welded,
    diagonal,
    ...turnedOut(
      result,
      Uint32Array.from(corners, (i) => place[i]),
    ),
  };
}

function box(positions: Float32Array, used: Uint8Array): { low: number[]; diagonal: number } {
  const low = [0, 0, 0];
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < used.length; i++) {
      if (!used[i]) continue;
      least = Math.min(least, positions[3 * i + axis]);
      most = Math.max(most, positions[3 * i + axis]);
    }
    low[axis] = least;
    squared += Math.max(most - least, 0) ** 2;
  }
  return { low, diagonal: Math.sqrt(squared) };
}

/** For each vertex the first vertex within `distance` of it that stands for itself. */
function firstOfEachPlace(positions: Float32Array, used: Uint8Array, low: number[], distance: number): Uint32Array {
  const n = used.length;
  const first = new Uint32Array(n);
  const cell = Math.max(distance, Number.MIN_VALUE * 2 ** 60);
  const cells = new Map<number, number[]>();
  const at = (i: number, axis: number) => Math.floor((positions[3 * i + axis] - low[axis]) / cell);
  // Cells are hashed into one number; a collision costs a comparison, never a wrong answer.
  const key = (x: number, y: number, z: number) => (x * 73856093 + y * 19349663 + z * 83492791) % 2 ** 50;
  for (let i = 0; i < n; i++) {
    first[i] = i;
    if (!used[i]) continue;
    const [x, y, z] = [at(i, 0), at(i, 1), at(i, 2)];
    let found = -1;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (let dz = -1; dz <= 1; dz++) {
          for (const k of cells.get(key(x + dx, y + dy, z + dz)) ?? []) {
            if ((found < 0 || k < found) && near(positions, i, k, distance)) found = k;
          }
        }
      }
    }
    if (found >= 0) first[i] = found;
    else {
      const list = cells.get(key(x, y, z));
      if (list) list.push(i);
      else cells.set(key(x, y, z), [i]);
    }
  }
  return first;
}

function near(positions: Float32Array, i: number, k: number, distance: number): boolean {
  const x = positions[3 * i] - positions[3 * k];
  const y = positions[3 * i + 1] - positions[3 * k + 1];
  const z = positions[3 * i + 2] - positions[3 * k + 2];
  return x * x + y * y + z * z <= distance * distance;
}

/** The triangles with the turn that makes the enclosed volume positive, and how open the surface is. */
function turnedOut(
  positions: Float64Array,
  triangles: Uint32Array,
): { triangles: Uint32Array; openness: number; volume: number } {
  let volume = 0;
  let area = 0;
  const sum = [0, 0, 0];
  const [ox, oy, oz] = centroid(positions);
  const normal = new Float64Array(3);
  for (let k = 0; k < triangles.length; k += 3) {
    const a = 3 * triangles[k];
    triangleNormal(positions, triangles[k], triangles[k + 1], triangles[k + 2], normal, 0);
    const [nx, ny, nz] = normal;
    volume += (positions[a] - ox) * nx + (positions[a + 1] - oy) * ny + (positions[a + 2] - oz) * nz;
    area += Math.hypot(nx, ny, nz);
    sum[0] += nx;
    sum[1] += ny;
    sum[2] += nz;
  }
  const openness = area > 0 ? Math.hypot(...sum) / area : 1;
  if (volume >= 0) return { triangles, openness, volume: volume / 6 };
  const turned = triangles.slice();
  for (let k = 0; k < turned.length; k += 3) [turned[k + 1], turned[k + 2]] = [turned[k + 2], turned[k + 1]];
  return { triangles: turned, openness, volume: -volume / 6 };
}

function centroid(positions: Float64Array): number[] {
  const sum = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) sum[k % 3] += positions[k];
  return sum.map((value) => value / Math.max(positions.length / 3, 1));
}
