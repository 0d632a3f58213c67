/**
 * The inside of a shape as cells of a grid, with their depth below the surface. The grid is as fine as the volume allows:
 * a slender body has as many cells as a stout one.
 *
 * What is inside a mesh follows from its generalised winding number, so that holes, overlapping parts and parts of different
 * orientation do no harm. It is evaluated near the surface; elsewhere, one cell decides for a block.
 */
import { cbrt } from '@pelt/math';
import { type Bounds, boundsOf, checkCancelled, InputError, type RunContext } from '@pelt/model';
import { WindingNumber } from '../shared/mesh/winding-number.ts';
import { distanceTransform } from './distance-transform.ts';

export interface Solid {
  /** Edge of a cell. */
  readonly spacing: number;
  /** c × 3 centres of the cells inside */
  readonly centres: Float64Array;
  /** c distances of the centres from the surface, at least half a cell */
  readonly depth: Float64Array;
  /** Up to 26 neighbours of each cell, in compressed rows. */
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
}

/** Says of the cells of a grid which are inside. */
type Classify = (grid: Grid) => Uint8Array;

interface Grid {
  readonly size: readonly [number, number, number];
  readonly origin: readonly [number, number, number];
  readonly spacing: number;
}

/** Cells inside, about; and most cells of the grid around them. */
const CELLS = 50_000;
const MOST_IN_GRID = 3_000_000;
/** Cells of the grid by which the volume is estimated, of a mesh and of a function. */
const [COARSE, COARSE_FIELD] = [150_000, 30_000];
/** Fewest cells inside: what has less is a sheet. */
const FEWEST = 50;

/**
 * The inside of a mesh.
 *
 * @param positions  n × 3
 * @param triangles  f × 3
 */
export function solidOfMesh(positions: Float64Array, triangles: Uint32Array, run?: RunContext): Solid {
  const winding = new WindingNumber(positions, triangles);
  return solidBy((grid) => classifyMesh(grid, positions, triangles, winding, run), boundsOf(positions), CELLS, COARSE);
}

/** The inside of a shape that is given as a function, negative inside. */
export function solidOfField(field: (x: number, y: number, z: number) => number, bounds: Bounds, cells: number): Solid {
  return solidBy((grid) => classifyField(grid, field), bounds, cells, COARSE_FIELD);
}

function solidBy(classify: Classify, bounds: Bounds, cells: number, first: number): Solid {
  const sides = [0, 1, 2].map((k) => bounds.max[k] - bounds.min[k]);
  const longest = Math.max(...sides);
  const padded = sides.map((side) => Math.max(side, longest / 100));
  const box = padded[0] * padded[1] * padded[2];
  const coarse = cbrt(box / first);
  const volume = count(classify(gridOf(bounds, coarse))) * coarse ** 3;
  if (!(longest > 0) || volume === 0)
    throw new InputError('the mesh encloses no volume; a skeleton goes inside of one');
  const spacing = Math.max(cbrt(volume / cells), cbrt(box / MOST_IN_GRID));
  const grid = gridOf(bounds, spacing);
  const inside = classify(grid);
  if (count(inside) < FEWEST) throw new InputError('the mesh encloses almost no volume; a skeleton goes inside of one');
  return cellsOf(grid, inside);
}

/** With a border of two cells, so that neighbours never leave the grid. */
function gridOf({ min, max }: Bounds, spacing: number): Grid {
  const size = [0, 1, 2].map((k) => Math.ceil((max[k] - min[k]) / spacing) + 4) as [number, number, number];
  // About the middle, so that a symmetric shape has a symmetric grid.
  const origin = [0, 1, 2].map((k) => (min[k] + max[k] - size[k] * spacing) / 2) as [number, number, number];
  return { size, origin, spacing };
}

function centreOf({ size, origin, spacing }: Grid, cell: number, axis: number): number {
  const [nx, ny] = size;
  const at = axis === 0 ? cell % nx : axis === 1 ? Math.floor(cell / nx) % ny : Math.floor(cell / (nx * ny));
  return origin[axis] + (at + 0.5) * spacing;
}

function classifyField(grid: Grid, field: (x: number, y: number, z: number) => number): Uint8Array {
  const [nx, ny, nz] = grid.size;
  return Uint8Array.from({ length: nx * ny * nz }, (_, cell) =>
    field(centreOf(grid, cell, 0), centreOf(grid, cell, 1), centreOf(grid, cell, 2)) < 0 ? 1 : 0,
  );
}

/** Codes of cells whose side is not known yet. */
const [UNKNOWN, NEAR] = [2, 3];
/** Edge in cells of a block away from the surface, of which one cell stands for all unless its winding number is this near ½. */
const [BLOCK, UNSURE] = [4, 0.2];
/** Evaluations between two looks at the signal. */
const BATCH = 4096;

function classifyMesh(
  grid: Grid,
  positions: Float64Array,
  triangles: Uint32Array,
  winding: WindingNumber,
  run: RunContext | undefined,
): Uint8Array {
  const [nx, ny, nz] = grid.size;
  const cells = new Uint8Array(nx * ny * nz).fill(UNKNOWN);
  markNearSurface(grid, positions, triangles, cells);
  const windingAt = (cell: number) =>
    winding.at(centreOf(grid, cell, 0), centreOf(grid, cell, 1), centreOf(grid, cell, 2));
  let steps = 0;
  // Away from the surface it changes slowly: near holes it is between 0 and 1.
  for (let z = 0; z < nz; z += BLOCK) {
    for (let y = 0; y < ny; y += BLOCK) {
      for (let x = 0; x < nx; x += BLOCK) {
        const block: number[] = [];
        for (let c = z; c < Math.min(z + BLOCK, nz); c++) {
          for (let b = y; b < Math.min(y + BLOCK, ny); b++) {
            for (let a = x; a < Math.min(x + BLOCK, nx); a++) block.push(a + nx * (b + ny * c));
          }
        }
        const apart = block.every((cell) => cells[cell] === UNKNOWN);
        if (steps++ % BATCH === 0) checkCancelled(run);
        const around = apart ? windingAt(block[0]) : 0.5;
        const sure = Math.abs(around - 0.5) > UNSURE;
        for (const cell of block) {
          if (!sure && steps++ % BATCH === 0) checkCancelled(run);
          cells[cell] = (sure ? around : windingAt(cell)) > 0.5 ? 1 : 0;
        }
      }
    }
  }
  return cells;
}

/** Marks the cells that triangles pass through, and those around them, so that nothing leaks between. */
function markNearSurface(grid: Grid, positions: Float64Array, triangles: Uint32Array, cells: Uint8Array): void {
  const { size, origin, spacing } = grid;
  const [nx, ny, nz] = size;
  const mark = (x: number, y: number, z: number) => {
    const [i, j, k] = [x - origin[0], y - origin[1], z - origin[2]].map((offset) => Math.floor(offset / spacing));
    for (let c = Math.max(k - 1, 0); c <= Math.min(k + 1, nz - 1); c++) {
      for (let b = Math.max(j - 1, 0); b <= Math.min(j + 1, ny - 1); b++) {
        for (let a = Math.max(i - 1, 0); a <= Math.min(i + 1, nx - 1); a++) cells[a + nx * (b + ny * c)] = NEAR;
      }
    }
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    let longest = 0;
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const edge = [0, 1, 2].map((d) => positions[p + d] - positions[q + d]);
      longest = Math.max(longest, Math.hypot(edge[0], edge[1], edge[2]));
    }
    const steps = Math.ceil(longest / spacing) + 1;
    for (let u = 0; u <= steps; u++) {
      for (let v = 0; u + v <= steps; v++) {
        const [s, r] = [u / steps, v / steps];
        const at = (d: number) =>
          positions[a + d] + s * (positions[b + d] - positions[a + d]) + r * (positions[c + d] - positions[a + d]);
        mark(at(0), at(1), at(2));
      }
    }
  }
}

function count(inside: Uint8Array): number {
  let sum = 0;
  for (const side of inside) sum += side;
  return sum;
}

function cellsOf(grid: Grid, inside: Uint8Array): Solid {
  const { size, spacing } = grid;
  const [nx, ny] = size;
  const squared = distanceTransform(
    inside.map((side) => 1 - side),
    [size[0], size[1], size[2]],
  );
  const index = new Int32Array(inside.length).fill(-1);
  const cells: number[] = [];
  inside.forEach((side, cell) => {
    if (side) index[cell] = cells.push(cell) - 1;
  });
  const steps: number[] = [];
  for (let z = -1; z <= 1; z++)
    for (let y = -1; y <= 1; y++) for (let x = -1; x <= 1; x++) if (x || y || z) steps.push(x + nx * (y + ny * z));
  const starts = new Int32Array(cells.length + 1);
  const neighbours: number[] = [];
  cells.forEach((cell, c) => {
    for (const step of steps) if (index[cell + step] >= 0) neighbours.push(index[cell + step]);
    starts[c + 1] = neighbours.length;
  });
  const centres = new Float64Array(3 * cells.length);
  cells.forEach((cell, c) => {
    for (let axis = 0; axis < 3; axis++) centres[3 * c + axis] = centreOf(grid, cell, axis);
  });
  const depth = Float64Array.from(cells, (cell) => (Math.sqrt(squared[cell]) - 0.5) * spacing);
  return { spacing, centres, depth, starts, neighbours: Int32Array.from(neighbours) };
}
