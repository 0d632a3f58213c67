/**
 * Substitution in one panel of a supernodal factor.
 *
 * A row of the solution holds its right-hand sides side by side, two (one vector) or four (two vectors, a and b), so a
 * number of the factor is read once, spread over a vector, and meets all of them. A panel streams through its values in
 * order: four rows at a time stay in registers while the panel's columns pass. In single precision four numbers are one
 * vector, and half as many bytes stream by, which is what a solve waits for.
 *
 * `kind` says which: a constant in each of the three copies that the compiler makes.
 */
import { diagonalBytes, NARROW, panelFirstColumn, panelSlots, panelValues, panelWidth, rowBytes, SINGLE, WIDE }
  from './records';

export function forwardOwn(panel: usize, values: usize, solution: usize, scratch: usize, lanes: i32): void {
  if (lanes == SINGLE) solveTriangle(panel, values, solution, scratch, SINGLE);
  else if (lanes == WIDE) solveTriangle(panel, values, solution, scratch, WIDE);
  else solveTriangle(panel, values, solution, scratch, NARROW);
}

export function forwardBelow(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, lanes: i32,
): void {
  if (lanes == SINGLE) updateRows(panel, slots, values, solution, begin, end, SINGLE);
  else if (lanes == WIDE) updateRows(panel, slots, values, solution, begin, end, WIDE);
  else updateRows(panel, slots, values, solution, begin, end, NARROW);
}

export function backwardBelow(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, x: usize, lanes: i32,
): void {
  if (lanes == SINGLE) gatherRows(panel, slots, values, solution, begin, end, x, SINGLE);
  else if (lanes == WIDE) gatherRows(panel, slots, values, solution, begin, end, x, WIDE);
  else gatherRows(panel, slots, values, solution, begin, end, x, NARROW);
}

export function backwardOwn(panel: usize, values: usize, solution: usize, scratch: usize, lanes: i32): void {
  if (lanes == SINGLE) solveTransposedTriangle(panel, values, solution, scratch, SINGLE);
  else if (lanes == WIDE) solveTransposedTriangle(panel, values, solution, scratch, WIDE);
  else solveTransposedTriangle(panel, values, solution, scratch, NARROW);
}

/** L x = b for the panel's own rows of the solution, in place. */
// @ts-ignore: decorator
@inline
function solveTriangle(panel: usize, values: usize, solution: usize, x: usize, kind: i32): void {
  const width = panelWidth(panel);
  const own = solution + <usize>panelFirstColumn(panel) * rowBytes(kind);
  copyPadded(x, own, width, kind);
  let value = valuesAt(panel, values, kind);
  for (let b = 0, at = x; b < width; b += 4, at += 4 * rowBytes(kind)) {
    let r0a = loadA(at, 0, kind), r1a = loadA(at, 1, kind), r2a = loadA(at, 2, kind), r3a = loadA(at, 3, kind);
    let r0b = loadB(at, 0, kind), r1b = loadB(at, 1, kind), r2b = loadB(at, 2, kind), r3b = loadB(at, 3, kind);
    for (let column = x; column < at; column += rowBytes(kind), value += columnBytes(kind)) {
      const xa = loadA(column, 0, kind);
      const xb = loadB(column, 0, kind);
      let l = spread(value, 0, kind);
      r0a = minus(r0a, l, xa, kind);
      if (kind == WIDE) r0b = minus(r0b, l, xb, kind);
      l = spread(value, 1, kind);
      r1a = minus(r1a, l, xa, kind);
      if (kind == WIDE) r1b = minus(r1b, l, xb, kind);
      l = spread(value, 2, kind);
      r2a = minus(r2a, l, xa, kind);
      if (kind == WIDE) r2b = minus(r2b, l, xb, kind);
      l = spread(value, 3, kind);
      r3a = minus(r3a, l, xa, kind);
      if (kind == WIDE) r3b = minus(r3b, l, xb, kind);
    }
    // The triangle: column k from the 4 k-th number on, reciprocals on the diagonal.
    let l = spread(value, 0, kind);
    r0a = times(r0a, l, kind);
    if (kind == WIDE) r0b = times(r0b, l, kind);
    l = spread(value, 1, kind);
    r1a = minus(r1a, l, r0a, kind);
    if (kind == WIDE) r1b = minus(r1b, l, r0b, kind);
    l = spread(value, 5, kind);
    r1a = times(r1a, l, kind);
    if (kind == WIDE) r1b = times(r1b, l, kind);
    l = spread(value, 2, kind);
    r2a = minus(r2a, l, r0a, kind);
    if (kind == WIDE) r2b = minus(r2b, l, r0b, kind);
    l = spread(value, 6, kind);
    r2a = minus(r2a, l, r1a, kind);
    if (kind == WIDE) r2b = minus(r2b, l, r1b, kind);
    l = spread(value, 10, kind);
    r2a = times(r2a, l, kind);
    if (kind == WIDE) r2b = times(r2b, l, kind);
    l = spread(value, 3, kind);
    r3a = minus(r3a, l, r0a, kind);
    if (kind == WIDE) r3b = minus(r3b, l, r0b, kind);
    l = spread(value, 7, kind);
    r3a = minus(r3a, l, r1a, kind);
    if (kind == WIDE) r3b = minus(r3b, l, r1b, kind);
    l = spread(value, 11, kind);
    r3a = minus(r3a, l, r2a, kind);
    if (kind == WIDE) r3b = minus(r3b, l, r2b, kind);
    l = spread(value, 15, kind);
    r3a = times(r3a, l, kind);
    if (kind == WIDE) r3b = times(r3b, l, kind);
    storeRow(at, 0, r0a, r0b, kind);
    storeRow(at, 1, r1a, r1b, kind);
    storeRow(at, 2, r2a, r2b, kind);
    storeRow(at, 3, r3a, r3b, kind);
    value += 4 * columnBytes(kind);
  }
  copyRows(own, x, width, kind);
}

/** Subtracts L x, x being the panel's own rows, from the row blocks [begin, end) below. */
// @ts-ignore: decorator
@inline
function updateRows(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, kind: i32,
): void {
  const width = panelWidth(panel);
  const x = solution + <usize>panelFirstColumn(panel) * rowBytes(kind);
  const xEnd = x + <usize>width * rowBytes(kind);
  let value = belowAt(panel, values, width, kind) + <usize>(begin * width) * columnBytes(kind);
  let slot = slots + (panelSlots(panel) << 2) + (<usize>begin << 4);
  const slotEnd = slot + (<usize>(end - begin) << 4);
  for (; slot < slotEnd; slot += 16) {
    let r0a = f64x2.splat(0), r1a = f64x2.splat(0), r2a = f64x2.splat(0), r3a = f64x2.splat(0);
    let r0b = f64x2.splat(0), r1b = f64x2.splat(0), r2b = f64x2.splat(0), r3b = f64x2.splat(0);
    for (let column = x; column < xEnd; column += rowBytes(kind), value += columnBytes(kind)) {
      const xa = loadA(column, 0, kind);
      const xb = loadB(column, 0, kind);
      let l = spread(value, 0, kind);
      r0a = plus(r0a, l, xa, kind);
      if (kind == WIDE) r0b = plus(r0b, l, xb, kind);
      l = spread(value, 1, kind);
      r1a = plus(r1a, l, xa, kind);
      if (kind == WIDE) r1b = plus(r1b, l, xb, kind);
      l = spread(value, 2, kind);
      r2a = plus(r2a, l, xa, kind);
      if (kind == WIDE) r2b = plus(r2b, l, xb, kind);
      l = spread(value, 3, kind);
      r3a = plus(r3a, l, xa, kind);
      if (kind == WIDE) r3b = plus(r3b, l, xb, kind);
    }
    subtractFrom(rowAt(solution, slot, kind), r0a, r0b, kind);
    subtractFrom(rowAt(solution, slot + 4, kind), r1a, r1b, kind);
    subtractFrom(rowAt(solution, slot + 8, kind), r2a, r2b, kind);
    subtractFrom(rowAt(solution, slot + 12, kind), r3a, r3b, kind);
  }
}

/** Subtracts Lᵀ y, y being the row blocks [begin, end) below, from x. */
// @ts-ignore: decorator
@inline
function gatherRows(
  panel: usize, slots: usize, values: usize, solution: usize, begin: i32, end: i32, x: usize, kind: i32,
): void {
  const width = panelWidth(panel);
  const xEnd = x + <usize>width * rowBytes(kind);
  let value = belowAt(panel, values, width, kind) + <usize>(begin * width) * columnBytes(kind);
  let slot = slots + (panelSlots(panel) << 2) + (<usize>begin << 4);
  const slotEnd = slot + (<usize>(end - begin) << 4);
  for (; slot < slotEnd; slot += 16) {
    const row0 = rowAt(solution, slot, kind), row1 = rowAt(solution, slot + 4, kind);
    const row2 = rowAt(solution, slot + 8, kind), row3 = rowAt(solution, slot + 12, kind);
    value = subtractRows(
      x, xEnd, value, loadA(row0, 0, kind), loadA(row1, 0, kind), loadA(row2, 0, kind), loadA(row3, 0, kind),
      loadB(row0, 0, kind), loadB(row1, 0, kind), loadB(row2, 0, kind), loadB(row3, 0, kind), kind,
    );
  }
}

/** Lᵀ x = b for the panel's own rows of the solution, in place. */
// @ts-ignore: decorator
@inline
function solveTransposedTriangle(panel: usize, values: usize, solution: usize, x: usize, kind: i32): void {
  const width = panelWidth(panel);
  const own = solution + <usize>panelFirstColumn(panel) * rowBytes(kind);
  copyPadded(x, own, width, kind);
  let value = belowAt(panel, values, width, kind);
  for (let b = ((width + 3) >> 2) - 1; b >= 0; b--) {
    const at = x + <usize>(4 * b) * rowBytes(kind);
    value -= 4 * columnBytes(kind);
    let r0a = loadA(at, 0, kind), r1a = loadA(at, 1, kind), r2a = loadA(at, 2, kind), r3a = loadA(at, 3, kind);
    let r0b = loadB(at, 0, kind), r1b = loadB(at, 1, kind), r2b = loadB(at, 2, kind), r3b = loadB(at, 3, kind);
    let l = spread(value, 15, kind);
    r3a = times(r3a, l, kind);
    if (kind == WIDE) r3b = times(r3b, l, kind);
    l = spread(value, 11, kind);
    r2a = minus(r2a, l, r3a, kind);
    if (kind == WIDE) r2b = minus(r2b, l, r3b, kind);
    l = spread(value, 10, kind);
    r2a = times(r2a, l, kind);
    if (kind == WIDE) r2b = times(r2b, l, kind);
    l = spread(value, 7, kind);
    r1a = minus(r1a, l, r3a, kind);
    if (kind == WIDE) r1b = minus(r1b, l, r3b, kind);
    l = spread(value, 6, kind);
    r1a = minus(r1a, l, r2a, kind);
    if (kind == WIDE) r1b = minus(r1b, l, r2b, kind);
    l = spread(value, 5, kind);
    r1a = times(r1a, l, kind);
    if (kind == WIDE) r1b = times(r1b, l, kind);
    l = spread(value, 3, kind);
    r0a = minus(r0a, l, r3a, kind);
    if (kind == WIDE) r0b = minus(r0b, l, r3b, kind);
    l = spread(value, 2, kind);
    r0a = minus(r0a, l, r2a, kind);
    if (kind == WIDE) r0b = minus(r0b, l, r2b, kind);
    l = spread(value, 1, kind);
    r0a = minus(r0a, l, r1a, kind);
    if (kind == WIDE) r0b = minus(r0b, l, r1b, kind);
    l = spread(value, 0, kind);
    r0a = times(r0a, l, kind);
    if (kind == WIDE) r0b = times(r0b, l, kind);
    storeRow(at, 0, r0a, r0b, kind);
    storeRow(at, 1, r1a, r1b, kind);
    storeRow(at, 2, r2a, r2b, kind);
    storeRow(at, 3, r3a, r3b, kind);
    value -= <usize>(4 * b) * columnBytes(kind);
    subtractRows(x, at, value, r0a, r1a, r2a, r3a, r0b, r1b, r2b, r3b, kind);
  }
  copyRows(own, x, width, kind);
}

/** x −= (a row block of the factor)ᵀ · (four rows of the solution), for the block's columns; returns where they end. */
// @ts-ignore: decorator
@inline
function subtractRows(
  x: usize, xEnd: usize, value: usize, r0a: v128, r1a: v128, r2a: v128, r3a: v128,
  r0b: v128, r1b: v128, r2b: v128, r3b: v128, kind: i32,
): usize {
  for (; x < xEnd; x += rowBytes(kind), value += columnBytes(kind)) {
    let xa = loadA(x, 0, kind);
    let xb = loadB(x, 0, kind);
    let l = spread(value, 0, kind);
    xa = minus(xa, l, r0a, kind);
    if (kind == WIDE) xb = minus(xb, l, r0b, kind);
    l = spread(value, 1, kind);
    xa = minus(xa, l, r1a, kind);
    if (kind == WIDE) xb = minus(xb, l, r1b, kind);
    l = spread(value, 2, kind);
    xa = minus(xa, l, r2a, kind);
    if (kind == WIDE) xb = minus(xb, l, r2b, kind);
    l = spread(value, 3, kind);
    xa = minus(xa, l, r3a, kind);
    if (kind == WIDE) xb = minus(xb, l, r3b, kind);
    storeRow(x, 0, xa, xb, kind);
  }
  return value;
}

/** First vector of the r-th row from `at` on. */
// @ts-ignore: decorator
@inline
function loadA(at: usize, r: usize, kind: i32): v128 {
  return v128.load(at + r * rowBytes(kind));
}

/** Second vector of the r-th row from `at` on. */
// @ts-ignore: decorator
@inline
function loadB(at: usize, r: usize, kind: i32): v128 {
  return kind == WIDE ? v128.load(at + r * rowBytes(kind) + 16) : f64x2.splat(0);
}

// @ts-ignore: decorator
@inline
function storeRow(at: usize, r: usize, a: v128, b: v128, kind: i32): void {
  v128.store(at + r * rowBytes(kind), a);
  if (kind == WIDE) v128.store(at + r * rowBytes(kind) + 16, b);
}

// @ts-ignore: decorator
@inline
function subtractFrom(row: usize, a: v128, b: v128, kind: i32): void {
  const whole = v128.load(row);
  v128.store(row, kind == SINGLE ? f32x4.sub(whole, a) : f64x2.sub(whole, a));
  if (kind == WIDE) v128.store(row, f64x2.sub(v128.load(row, 16), b), 16);
}

// @ts-ignore: decorator
@inline
function rowAt(solution: usize, slot: usize, kind: i32): usize {
  return solution + <usize>load<i32>(slot) * rowBytes(kind);
}

/** Values of the row blocks below the panel's triangle. */
// @ts-ignore: decorator
@inline
function belowAt(panel: usize, values: usize, width: i32, kind: i32): usize {
  return valuesAt(panel, values, kind) + (diagonalBytes((width + 3) >> 2) >> (kind == SINGLE ? 1 : 0));
}

// @ts-ignore: decorator
@inline
function valuesAt(panel: usize, values: usize, kind: i32): usize {
  return values + (panelValues(panel) << (kind == SINGLE ? 2 : 3));
}

/** Bytes of four numbers of the factor: one column of a block of four rows. */
// @ts-ignore: decorator
@inline
function columnBytes(kind: i32): usize {
  return kind == SINGLE ? 16 : 32;
}

/** The k-th number of the factor from `value` on, for all right-hand sides. */
// @ts-ignore: decorator
@inline
function spread(value: usize, k: usize, kind: i32): v128 {
  return kind == SINGLE ? v128.load32_splat(value + (k << 2)) : v128.load64_splat(value + (k << 3));
}

/** Copies rows; the triangle's kernels work on whole blocks of four, so the last one is padded with zeros. */
// @ts-ignore: decorator
@inline
function copyPadded(to: usize, from: usize, count: i32, kind: i32): void {
  copyRows(to, from, count, kind);
  for (let k = count; (k & 3) != 0; k++) storeRow(to, k, f64x2.splat(0), f64x2.splat(0), kind);
}

// @ts-ignore: decorator
@inline
function copyRows(to: usize, from: usize, count: i32, kind: i32): void {
  const end = from + <usize>count * rowBytes(kind);
  for (; from < end; from += rowBytes(kind), to += rowBytes(kind)) {
    storeRow(to, 0, loadA(from, 0, kind), loadB(from, 0, kind), kind);
  }
}

// @ts-ignore: decorator
@inline
function times(a: v128, b: v128, kind: i32): v128 {
  return kind == SINGLE ? f32x4.mul(a, b) : f64x2.mul(a, b);
}

// @ts-ignore: decorator
@inline
function plus(sum: v128, a: v128, b: v128, kind: i32): v128 {
  return kind == SINGLE ? f32x4.add(sum, f32x4.mul(a, b)) : f64x2.add(sum, f64x2.mul(a, b));
}

// @ts-ignore: decorator
@inline
function minus(sum: v128, a: v128, b: v128, kind: i32): v128 {
  return kind == SINGLE ? f32x4.sub(sum, f32x4.mul(a, b)) : f64x2.sub(sum, f64x2.mul(a, b));
}
