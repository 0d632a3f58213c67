/**
 * C = α A B + β C, blocked for the caches and cut into row blocks for the threads.
 *
 * B is packed once into panels of four columns; each row block packs its own part of A, `DEPTH` steps at a time, and
 * sweeps the panels of B over it: a panel of B stays in the first-level cache, the packed part of A in the second.
 *
 * Reference: Goto, van de Geijn. Anatomy of high-performance matrix multiplication. 2008 (§5.1, Figure 8).
 */
import { GemmPack, GemmRows, GemmScratch } from '../generated/dense';
import { addTile, addTilePart, packPanel, STEP_SHIFT, TILE } from './tile';

/** Steps of k that are packed at a time; as in the description of the scratch. */
const DEPTH: i32 = 256;

/**
 * Packs the columns of B. Items are panels of four columns.
 * Arguments: b, bytes between rows, bytes between columns, steps (rows of B), columns, packed (⌈columns/4⌉ panels)
 */
export function gemmPack(begin: i32, end: i32, args: GemmPack, scratch: usize): void {
  const b = args.b;
  const rowBytes = args.rowBytes;
  const columnBytes = args.columnBytes;
  const steps = args.steps;
  const columns = args.columns;
  const packed = args.packed;
  for (let panel = begin; panel < end; panel++) {
    const first = panel * TILE;
    const target = packed + (<usize>panel * steps << STEP_SHIFT);
    packPanel(b + <usize>first * columnBytes, columnBytes, rowBytes, min(TILE, columns - first), steps, target);
  }
}

/**
 * Rows [begin, end) of C, C with consecutive columns.
 * Arguments: a, bytes between its rows, bytes between its columns, packed B, c, bytes between its rows, columns, steps,
 * alpha, beta
 */
export function gemmRows(begin: i32, end: i32, args: GemmRows, scratch: usize): void {
  const a = args.a;
  const aRow = args.aRow;
  const aColumn = args.aColumn;
  const packedB = args.packed;
  const c = args.c;
  const cRow = args.cRow;
  const columns = args.columns;
  const steps = args.steps;
  const alpha = args.alpha;
  const beta = args.beta;
  const spare = GemmScratch.spare(scratch, args.block);

  for (let r = begin; r < end; r++) scaleRow(c + <usize>r * cRow, columns, beta);
  for (let k = 0; k < steps; k += DEPTH) {
    const depth = min(DEPTH, steps - k);
    const panelBytes = <usize>depth << STEP_SHIFT;
    let target = scratch;
    for (let r = begin; r < end; r += TILE) {
      packPanel(a + <usize>r * aRow + <usize>k * aColumn, aRow, aColumn, min(TILE, end - r), depth, target);
      target += panelBytes;
    }
    for (let column = 0; column < columns; column += TILE) {
      const panelB = packedB + ((<usize>(column / TILE) * steps + k) << STEP_SHIFT);
      const width = min(TILE, columns - column);
      let panelA = scratch;
      for (let r = begin; r < end; r += TILE) {
        const at = c + <usize>r * cRow + (<usize>column << 3);
        const height = min(TILE, end - r);
        if (width == TILE && height == TILE) addTile(depth, alpha, panelA, panelB, at, cRow);
        else addTilePart(depth, alpha, panelA, panelB, at, cRow, height, width, spare);
        panelA += panelBytes;
      }
    }
  }
}

/** β = 0 clears, so that what was in C, be it NaN, does not matter. */
function scaleRow(row: usize, columns: i32, beta: f64): void {
  if (beta == 1) return;
  if (beta == 0) {
    memory.fill(row, 0, <usize>columns << 3);
    return;
  }
  for (let k: usize = 0; k < <usize>columns << 3; k += 8) store<f64>(row + k, beta * load<f64>(row + k));
}
