/**
 * Substitution in one panel of a supernodal factor.
 *
 * A row of the solution holds its right-hand sides side by side, two (one vector) or four (two vectors, a and b), so a
 * number of the factor is read once, spread over a vector, and meets all of them. A panel streams through its values in
 * order: four rows at a time stay in registers while the panel's columns pass.
 *
 * `wide` says whether there is a second vector: a constant in each of the two copies that the compiler makes.
 */
import { diagonalBytes, panelFirstColumn, panelSlots, panelValues, panelWidth, TILE } from './records';

export function forwardOwn(panel: usize, values: usize, solution: usize, scratch: usize, lanes: i32): void {
  if (lanes == 4) solveTriangle(panel, values, solution, scratch, true);
  else solveTriangle(panel, values, solution, scratch, false);
}

export function forwardBelow(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, lanes: i32,
): void {
  if (lanes == 4) updateRows(panel, slots, values, solution, begin, end, true);
  else updateRows(panel, slots, values, solution, begin, end, false);
}

export function backwardBelow(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, x: usize, lanes: i32,
): void {
  if (lanes == 4) gatherRows(panel, slots, values, solution, begin, end, x, true);
  else gatherRows(panel, slots, values, solution, begin, end, x, false);
}

export function backwardOwn(panel: usize, values: usize, solution: usize, scratch: usize, lanes: i32): void {
  if (lanes == 4) solveTransposedTriangle(panel, values, solution, scratch, true);
  else solveTransposedTriangle(panel, values, solution, scratch, false);
}

/** L x = b for the panel's own rows of the solution, in place. */
// @ts-ignore: decorator
@inline
function solveTriangle(panel: usize, values: usize, solution: usize, x: usize, wide: bool): void {
  const width = panelWidth(panel);
  const own = solution + <usize>panelFirstColumn(panel) * rowBytes(wide);
  copyPadded(x, own, width, wide);
  let value = values + (panelValues(panel) << 3);
  for (let b = 0, at = x; b < width; b += 4, at += 4 * rowBytes(wide)) {
    let r0a = loadA(at, 0, wide), r1a = loadA(at, 1, wide), r2a = loadA(at, 2, wide), r3a = loadA(at, 3, wide);
    let r0b = loadB(at, 0, wide), r1b = loadB(at, 1, wide), r2b = loadB(at, 2, wide), r3b = loadB(at, 3, wide);
    for (let column = x; column < at; column += rowBytes(wide), value += 32) {
      const xa = loadA(column, 0, wide);
      const xb = loadB(column, 0, wide);
      let l = v128.load64_splat(value);
      r0a = minus(r0a, l, xa);
      if (wide) r0b = minus(r0b, l, xb);
      l = v128.load64_splat(value, 8);
      r1a = minus(r1a, l, xa);
      if (wide) r1b = minus(r1b, l, xb);
      l = v128.load64_splat(value, 16);
      r2a = minus(r2a, l, xa);
      if (wide) r2b = minus(r2b, l, xb);
      l = v128.load64_splat(value, 24);
      r3a = minus(r3a, l, xa);
      if (wide) r3b = minus(r3b, l, xb);
    }
    // The triangle: column k at 32 k, row r at 8 r, reciprocals on the diagonal.
    let l = v128.load64_splat(value);
    r0a = f64x2.mul(r0a, l);
    if (wide) r0b = f64x2.mul(r0b, l);
    l = v128.load64_splat(value, 8);
    r1a = minus(r1a, l, r0a);
    if (wide) r1b = minus(r1b, l, r0b);
    l = v128.load64_splat(value, 40);
    r1a = f64x2.mul(r1a, l);
    if (wide) r1b = f64x2.mul(r1b, l);
    l = v128.load64_splat(value, 16);
    r2a = minus(r2a, l, r0a);
    if (wide) r2b = minus(r2b, l, r0b);
    l = v128.load64_splat(value, 48);
    r2a = minus(r2a, l, r1a);
    if (wide) r2b = minus(r2b, l, r1b);
    l = v128.load64_splat(value, 80);
    r2a = f64x2.mul(r2a, l);
    if (wide) r2b = f64x2.mul(r2b, l);
    l = v128.load64_splat(value, 24);
    r3a = minus(r3a, l, r0a);
    if (wide) r3b = minus(r3b, l, r0b);
    l = v128.load64_splat(value, 56);
    r3a = minus(r3a, l, r1a);
    if (wide) r3b = minus(r3b, l, r1b);
    l = v128.load64_splat(value, 88);
    r3a = minus(r3a, l, r2a);
    if (wide) r3b = minus(r3b, l, r2b);
    l = v128.load64_splat(value, 120);
    r3a = f64x2.mul(r3a, l);
    if (wide) r3b = f64x2.mul(r3b, l);
    storeRow(at, 0, r0a, r0b, wide);
    storeRow(at, 1, r1a, r1b, wide);
    storeRow(at, 2, r2a, r2b, wide);
    storeRow(at, 3, r3a, r3b, wide);
    value += TILE;
  }
  copyRows(own, x, width, wide);
}

/** Subtracts L x, x being the panel's own rows, from the row blocks [begin, end) below. */
// @ts-ignore: decorator
@inline
function updateRows(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, wide: bool,
): void {
  const width = panelWidth(panel);
  const x = solution + <usize>panelFirstColumn(panel) * rowBytes(wide);
  const xEnd = x + <usize>width * rowBytes(wide);
  let value = belowAt(panel, values, width) + (<usize>(begin * width) << 5);
  let slot = slots + (panelSlots(panel) << 2) + (<usize>begin << 4);
  const slotEnd = slot + (<usize>(end - begin) << 4);
  for (; slot < slotEnd; slot += 16) {
    let r0a = f64x2.splat(0), r1a = f64x2.splat(0), r2a = f64x2.splat(0), r3a = f64x2.splat(0);
    let r0b = f64x2.splat(0), r1b = f64x2.splat(0), r2b = f64x2.splat(0), r3b = f64x2.splat(0);
    for (let column = x; column < xEnd; column += rowBytes(wide), value += 32) {
      const xa = loadA(column, 0, wide);
      const xb = loadB(column, 0, wide);
      let l = v128.load64_splat(value);
      r0a = plus(r0a, l, xa);
      if (wide) r0b = plus(r0b, l, xb);
      l = v128.load64_splat(value, 8);
      r1a = plus(r1a, l, xa);
      if (wide) r1b = plus(r1b, l, xb);
      l = v128.load64_splat(value, 16);
      r2a = plus(r2a, l, xa);
      if (wide) r2b = plus(r2b, l, xb);
      l = v128.load64_splat(value, 24);
      r3a = plus(r3a, l, xa);
      if (wide) r3b = plus(r3b, l, xb);
    }
    subtractFrom(rowAt(solution, slot, wide), r0a, r0b, wide);
    subtractFrom(rowAt(solution, slot + 4, wide), r1a, r1b, wide);
    subtractFrom(rowAt(solution, slot + 8, wide), r2a, r2b, wide);
    subtractFrom(rowAt(solution, slot + 12, wide), r3a, r3b, wide);
  }
}

/** Subtracts Lᵀ y, y being the row blocks [begin, end) below, from x. */
// @ts-ignore: decorator
@inline
function gatherRows(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, x: usize, wide: bool,
): void {
  const width = panelWidth(panel);
  const xEnd = x + <usize>width * rowBytes(wide);
  let value = belowAt(panel, values, width) + (<usize>(begin * width) << 5);
  let slot = slots + (panelSlots(panel) << 2) + (<usize>begin << 4);
  const slotEnd = slot + (<usize>(end - begin) << 4);
  for (; slot < slotEnd; slot += 16) {
    const row0 = rowAt(solution, slot, wide), row1 = rowAt(solution, slot + 4, wide);
    const row2 = rowAt(solution, slot + 8, wide), row3 = rowAt(solution, slot + 12, wide);
    value = subtractRows(
      x, xEnd, value, loadA(row0, 0, wide), loadA(row1, 0, wide), loadA(row2, 0, wide), loadA(row3, 0, wide),
      loadB(row0, 0, wide), loadB(row1, 0, wide), loadB(row2, 0, wide), loadB(row3, 0, wide), wide,
    );
  }
}

/** Lᵀ x = b for the panel's own rows of the solution, in place. */
// @ts-ignore: decorator
@inline
function solveTransposedTriangle(panel: usize, values: usize, solution: usize, x: usize, wide: bool): void {
  const width = panelWidth(panel);
  const own = solution + <usize>panelFirstColumn(panel) * rowBytes(wide);
  copyPadded(x, own, width, wide);
  let value = belowAt(panel, values, width);
  for (let b = ((width + 3) >> 2) - 1; b >= 0; b--) {
    const at = x + <usize>(4 * b) * rowBytes(wide);
    value -= TILE;
    let r0a = loadA(at, 0, wide), r1a = loadA(at, 1, wide), r2a = loadA(at, 2, wide), r3a = loadA(at, 3, wide);
    let r0b = loadB(at, 0, wide), r1b = loadB(at, 1, wide), r2b = loadB(at, 2, wide), r3b = loadB(at, 3, wide);
    let l = v128.load64_splat(value, 120);
    r3a = f64x2.mul(r3a, l);
    if (wide) r3b = f64x2.mul(r3b, l);
    l = v128.load64_splat(value, 88);
    r2a = minus(r2a, l, r3a);
    if (wide) r2b = minus(r2b, l, r3b);
    l = v128.load64_splat(value, 80);
    r2a = f64x2.mul(r2a, l);
    if (wide) r2b = f64x2.mul(r2b, l);
    l = v128.load64_splat(value, 56);
    r1a = minus(r1a, l, r3a);
    if (wide) r1b = minus(r1b, l, r3b);
    l = v128.load64_splat(value, 48);
    r1a = minus(r1a, l, r2a);
    if (wide) r1b = minus(r1b, l, r2b);
    l = v128.load64_splat(value, 40);
    r1a = f64x2.mul(r1a, l);
    if (wide) r1b = f64x2.mul(r1b, l);
    l = v128.load64_splat(value, 24);
    r0a = minus(r0a, l, r3a);
    if (wide) r0b = minus(r0b, l, r3b);
    l = v128.load64_splat(value, 16);
    r0a = minus(r0a, l, r2a);
    if (wide) r0b = minus(r0b, l, r2b);
    l = v128.load64_splat(value, 8);
    r0a = minus(r0a, l, r1a);
    if (wide) r0b = minus(r0b, l, r1b);
    l = v128.load64_splat(value);
    r0a = f64x2.mul(r0a, l);
    if (wide) r0b = f64x2.mul(r0b, l);
    storeRow(at, 0, r0a, r0b, wide);
    storeRow(at, 1, r1a, r1b, wide);
    storeRow(at, 2, r2a, r2b, wide);
    storeRow(at, 3, r3a, r3b, wide);
    value -= <usize>b * TILE;
    subtractRows(x, at, value, r0a, r1a, r2a, r3a, r0b, r1b, r2b, r3b, wide);
  }
  copyRows(own, x, width, wide);
}

/** x −= (a row block of the factor)ᵀ · (four rows of the solution), for the block's columns; returns where they end. */
// @ts-ignore: decorator
@inline
function subtractRows(
  x: usize, xEnd: usize, value: usize, r0a: v128, r1a: v128, r2a: v128, r3a: v128,
  r0b: v128, r1b: v128, r2b: v128, r3b: v128, wide: bool,
): usize {
  for (; x < xEnd; x += rowBytes(wide), value += 32) {
    let xa = loadA(x, 0, wide);
    let xb = loadB(x, 0, wide);
    let l = v128.load64_splat(value);
    xa = minus(xa, l, r0a);
    if (wide) xb = minus(xb, l, r0b);
    l = v128.load64_splat(value, 8);
    xa = minus(xa, l, r1a);
    if (wide) xb = minus(xb, l, r1b);
    l = v128.load64_splat(value, 16);
    xa = minus(xa, l, r2a);
    if (wide) xb = minus(xb, l, r2b);
    l = v128.load64_splat(value, 24);
    xa = minus(xa, l, r3a);
    if (wide) xb = minus(xb, l, r3b);
    storeRow(x, 0, xa, xb, wide);
  }
  return value;
}

// @ts-ignore: decorator
@inline
function rowBytes(wide: bool): usize {
  return wide ? 32 : 16;
}

/** First vector of the r-th row from `at` on. */
// @ts-ignore: decorator
@inline
function loadA(at: usize, r: usize, wide: bool): v128 {
  return v128.load(at + r * rowBytes(wide));
}

/** Second vector of the r-th row from `at` on. */
// @ts-ignore: decorator
@inline
function loadB(at: usize, r: usize, wide: bool): v128 {
  return wide ? v128.load(at + r * rowBytes(wide) + 16) : f64x2.splat(0);
}

// @ts-ignore: decorator
@inline
function storeRow(at: usize, r: usize, a: v128, b: v128, wide: bool): void {
  v128.store(at + r * rowBytes(wide), a);
  if (wide) v128.store(at + r * rowBytes(wide) + 16, b);
}

// @ts-ignore: decorator
@inline
function subtractFrom(row: usize, a: v128, b: v128, wide: bool): void {
  v128.store(row, f64x2.sub(v128.load(row), a));
  if (wide) v128.store(row, f64x2.sub(v128.load(row, 16), b), 16);
}

// @ts-ignore: decorator
@inline
function rowAt(solution: usize, slot: usize, wide: bool): usize {
  return solution + <usize>load<i32>(slot) * rowBytes(wide);
}

/** Values of the row blocks below the panel's triangle. */
// @ts-ignore: decorator
@inline
function belowAt(panel: usize, values: usize, width: i32): usize {
  return values + (panelValues(panel) << 3) + diagonalBytes((width + 3) >> 2);
}

/** Copies rows; the triangle's kernels work on whole blocks of four, so the last one is padded with zeros. */
// @ts-ignore: decorator
@inline
function copyPadded(to: usize, from: usize, count: i32, wide: bool): void {
  copyRows(to, from, count, wide);
  for (let k = count; (k & 3) != 0; k++) storeRow(to, k, f64x2.splat(0), f64x2.splat(0), wide);
}

// @ts-ignore: decorator
@inline
function copyRows(to: usize, from: usize, count: i32, wide: bool): void {
  const end = from + <usize>count * rowBytes(wide);
  for (; from < end; from += rowBytes(wide), to += rowBytes(wide)) {
    storeRow(to, 0, loadA(from, 0, wide), loadB(from, 0, wide), wide);
  }
}

// @ts-ignore: decorator
@inline
function plus(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

// @ts-ignore: decorator
@inline
function minus(sum: v128, a: v128, b: v128): v128 {
  return f64x2.sub(sum, f64x2.mul(a, b));
}
