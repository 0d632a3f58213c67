/**
 * The surface of a solid as a triangle mesh: a vertex for every sheet of the surface in every grid cell it crosses, a
 * quad across every grid edge whose ends lie on different sides. Unlike marching cubes it needs no table and gives evenly
 * sized triangles. Vertices are then drawn onto the surface by Newton steps and spread evenly along it, which makes the
 * mesh look modelled rather than sampled.
 *
 * References: Gibson. Constrained elastic surface nets. 1998. Nielson. Dual marching cubes. 2004 (one vertex a sheet, so
 * that sheets that pass through one cell do not touch).
 */
import type { Mesh } from '@pelt/model';
import type { DistanceField } from './distance-field.ts';

/** Grid coordinates along each axis, rising: cells may be finer where the shape is. */
export interface Grid {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly z: readonly number[];
}

/** Rounds of relaxation: more change nothing that can be seen. */
const RELAX_ROUNDS = 8;

/** Corners of a cell are numbered by the bits of their x, y, z offset; an edge is 8·axis + its lower corner. */
const EDGES = 24;

/** The six faces of a cell: four corners in a ring. */
const FACES = [0, 1, 2].flatMap((axis) => {
  const [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
  return [0, 1 << axis].map((side) => [side, side | u, side | u | v, side | v]);
});

export function surfaceNets(name: string, field: DistanceField, grid: Grid): Mesh {
  const lines = [grid.x, grid.y, grid.z];
  const [nx, ny, nz] = lines.map((line) => line.length);
  const strides = [1, nx, nx * ny];
  const values = new Float64Array(nx * ny * nz);
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) values[at++] = field(grid.x[i], grid.y[j], grid.z[k]);
    }
  }

  const positions: number[] = [];
  /** The vertex of the sheet that crosses an edge, seen from a cell: key EDGES·cell + edge. */
  const vertexOf = new Map<number, number>();
  for (let k = 0; k + 1 < nz; k++) {
    for (let j = 0; j + 1 < ny; j++) {
      for (let i = 0; i + 1 < nx; i++) {
        const cell = i + j * nx + k * nx * ny;
        const value = (corner: number) => values[cell + cornerOffset(corner, strides)];
        for (const sheet of sheetsOf(value)) {
          const mean = [0, 0, 0];
          for (const edge of sheet) {
            vertexOf.set(EDGES * cell + edge, positions.length / 3);
            const [axis, a] = [edge >> 3, edge & 7];
            const share = value(a) / (value(a) - value(a | (1 << axis)));
            for (let c = 0; c < 3; c++) {
              const low = [i, j, k][c] + ((a >> c) & 1);
              const reach = c === axis ? share * (lines[c][low + 1] - lines[c][low]) : 0;
              mean[c] += (lines[c][low] + reach) / sheet.length;
            }
          }
          positions.push(...mean);
        }
      }
    }
  }

  const triangles: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (let at = 0; at < values.length; at++) {
      const inside = values[at] < 0;
      if (inside === values[at + strides[axis]] < 0) continue;
      // The four cells about the edge, in a ring that turns from u to v; the edge's lower corner within each.
      const ring = [
        [1, 1],
        [0, 1],
        [0, 0],
        [1, 0],
      ].map(([du, dv]) =>
        vertexOf.get(EDGES * (at - du * strides[u] - dv * strides[v]) + 8 * axis + ((du << u) | (dv << v))),
      );
      // Where the edge lies on the grid's border a cell is missing: the solid must keep clear of it.
      if (ring.every((vertex) => vertex !== undefined)) addQuad(positions, inside ? ring : ring.reverse(), triangles);
    }
  }
  relax(positions, triangles, field);
  return {
    name,
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(triangles),
    normals: { size: 3, values: unitGradients(field, positions) },
  };
}

function cornerOffset(corner: number, strides: readonly number[]): number {
  return (corner & 1) * strides[0] + ((corner >> 1) & 1) * strides[1] + (corner >> 2) * strides[2];
}

/**
 * The sheets of surface in a cell, each as the list of edges that it crosses. On each face the crossings are paired; on
 * a face with four, those about an inside corner belong together, a choice that both cells at the face make alike.
 */
function sheetsOf(value: (corner: number) => number): number[][] {
  let mask = 0;
  for (let corner = 0; corner < 8; corner++) if (value(corner) < 0) mask |= 1 << corner;
  if (mask === 0 || mask === 255) return [];
  const isInside = (corner: number) => (mask >> corner) & 1;
  const links = new Map<number, number[]>();
  const link = (a: number, b: number) => {
    links.set(a, [...(links.get(a) ?? []), b]);
    links.set(b, [...(links.get(b) ?? []), a]);
  };
  for (const face of FACES) {
    const edges = face.map((corner, k) => edgeBetween(corner, face[(k + 1) % 4]));
    const crossing = [0, 1, 2, 3].filter((k) => isInside(face[k]) !== isInside(face[(k + 1) % 4]));
    if (crossing.length === 2) link(edges[crossing[0]], edges[crossing[1]]);
    else if (crossing.length === 4) {
      for (let k = 0; k < 4; k++) if (isInside(face[k])) link(edges[k], edges[(k + 3) % 4]);
    }
  }
  const sheets: number[][] = [];
  const seen = new Set<number>();
  for (const start of links.keys()) {
    const sheet: number[] = [];
    for (let edge: number | undefined = start; edge !== undefined && !seen.has(edge); ) {
      seen.add(edge);
      sheet.push(edge);
      edge = links.get(edge)?.find((next) => !seen.has(next));
    }
    if (sheet.length > 0) sheets.push(sheet);
  }
  return sheets;
}

function edgeBetween(a: number, b: number): number {
  const axis = Math.log2(a ^ b);
  return 8 * axis + Math.min(a, b);
}

/** Two triangles, split along the shorter diagonal. */
function addQuad(positions: readonly number[], [a, b, c, d]: number[], triangles: number[]): void {
  const squared = (p: number, q: number) =>
    [0, 1, 2].reduce((sum, k) => sum + (positions[3 * p + k] - positions[3 * q + k]) ** 2, 0);
  if (squared(a, c) <= squared(b, d)) triangles.push(a, b, c, a, c, d);
  else triangles.push(b, c, d, b, d, a);
}

/** Alternates a step towards the mean of the neighbours with a Newton step back onto the surface. */
function relax(positions: number[], triangles: readonly number[], field: DistanceField): void {
  const n = positions.length / 3;
  const neighbours = Array.from({ length: n }, () => new Set<number>());
  for (let f = 0; f < triangles.length; f += 3) {
    for (let c = 0; c < 3; c++) {
      const [a, b] = [triangles[f + c], triangles[f + ((c + 1) % 3)]];
      neighbours[a].add(b);
      neighbours[b].add(a);
    }
  }
  for (let round = 0; round <= RELAX_ROUNDS; round++) {
    const before = positions.slice();
    for (let i = 0; i < n; i++) {
      let [x, y, z] = before.slice(3 * i, 3 * i + 3);
      if (round > 0) {
        const mean = [0, 0, 0];
        for (const k of neighbours[i]) for (let c = 0; c < 3; c++) mean[c] += before[3 * k + c] / neighbours[i].size;
        [x, y, z] = [(x + mean[0]) / 2, (y + mean[1]) / 2, (z + mean[2]) / 2];
      }
      [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]] = ontoSurface(field, x, y, z);
    }
  }
}

function ontoSurface(field: DistanceField, x: number, y: number, z: number): [number, number, number] {
  for (let round = 0; round < 3; round++) {
    const value = field(x, y, z);
    const [gx, gy, gz] = gradient(field, x, y, z);
    const squared = gx * gx + gy * gy + gz * gz;
    if (squared === 0) break;
    [x, y, z] = [x - (value * gx) / squared, y - (value * gy) / squared, z - (value * gz) / squared];
  }
  return [x, y, z];
}

/** By central differences. */
function gradient(field: DistanceField, x: number, y: number, z: number): [number, number, number] {
  const step = 1e-4;
  return [
    (field(x + step, y, z) - field(x - step, y, z)) / (2 * step),
    (field(x, y + step, z) - field(x, y - step, z)) / (2 * step),
    (field(x, y, z + step) - field(x, y, z - step)) / (2 * step),
  ];
}

/** The outward normal of the solid at each vertex. */
function unitGradients(field: DistanceField, positions: readonly number[]): Float32Array {
  const out = new Float32Array(positions.length);
  for (let k = 0; k < positions.length; k += 3) {
    const direction = gradient(field, positions[k], positions[k + 1], positions[k + 2]);
    const length = Math.hypot(...direction);
    for (let c = 0; c < 3; c++) out[k + c] = direction[c] / length;
  }
  return out;
}

/** Grid coordinates from a first to a last one, with a spacing that may change: [[end, spacing], …]. */
export function gridLine(start: number, ...spans: readonly (readonly [end: number, spacing: number])[]): number[] {
  const line = [start];
  for (const [end, spacing] of spans) {
    const from = line[line.length - 1];
    const cells = Math.max(1, Math.round((end - from) / spacing));
    for (let k = 1; k <= cells; k++) line.push(from + ((end - from) * k) / cells);
  }
  return line;
}
