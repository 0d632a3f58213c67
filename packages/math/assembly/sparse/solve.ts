/**
 * Substitution with a supernodal factor: L y = b up the tree, Lᵀ x = y down again, for up to four right-hand sides at
 * once. `lanes` says what a row of the solution is: NARROW, WIDE or SINGLE.
 */
import { Groups, SparseBackward, SparseBackwardRows, SparseForward, SparseForwardRows, SparsePermute, SparseUnpermute } from '../generated/sparse';
import { backwardBelow, backwardOwn, forwardBelow, forwardOwn } from './panel';
import { PANEL_BYTES, PANEL_WIDTH, panelBlocks, panelFirstColumn, panelWidth, rowBytes, SINGLE } from './records';

/**
 * Forward substitution in the groups of panels [begin, end).
 *
 * Arguments: panels, slots, values, solution, lanes, first panel of each group and of what follows (i32 each).
 * scratch: a panel's own rows.
 */
export function sparseForward(begin: i32, end: i32, args: SparseForward, scratch: usize): void {
  const slots = args.slots;
  const values = args.values;
  const solution = args.solution;
  const lanes = args.lanes;
  const last = panelAt(args, end);
  for (let panel = panelAt(args, begin); panel < last; panel += PANEL_BYTES) {
    forwardOwn(panel, values, solution, scratch, lanes);
    forwardBelow(panel, slots, values, solution, 0, panelBlocks(panel), lanes);
  }
}

/** Backward substitution in the groups of panels [begin, end), as above. */
export function sparseBackward(begin: i32, end: i32, args: SparseBackward, scratch: usize): void {
  const slots = args.slots;
  const values = args.values;
  const solution = args.solution;
  const lanes = args.lanes;
  const first = panelAt(args, begin);
  for (let panel = panelAt(args, end); panel > first; ) {
    panel -= PANEL_BYTES;
    const own = ownRows(panel, solution, lanes);
    backwardBelow(panel, slots, values, solution, 0, panelBlocks(panel), own, lanes);
    backwardOwn(panel, values, solution, scratch, lanes);
  }
}

function panelAt(args: Groups, group: i32): usize {
  return args.panels + <usize>load<i32>(args.starts + (<usize>group << 2)) * PANEL_BYTES;
}

function ownRows(panel: usize, solution: usize, lanes: i32): usize {
  return solution + <usize>panelFirstColumn(panel) * rowBytes(lanes);
}

/** The own rows of a large panel; its row blocks below follow in parallel. */
export function sparseForwardOwn(panel: usize, values: usize, solution: usize, lanes: i32, scratch: usize): void {
  forwardOwn(panel, values, solution, scratch, lanes);
}

/** The row blocks [begin, end) below a large panel. Arguments: panel, slots, values, solution, lanes. */
export function sparseForwardRows(begin: i32, end: i32, args: SparseForwardRows, scratch: usize): void {
  forwardBelow(args.panel, args.slots, args.values, args.solution, begin, end, args.lanes);
}

/**
 * What the row blocks [begin, end) below a large panel, a chunk, subtract from its own rows.
 * Arguments: panel, slots, values, solution, lanes, sums (PANEL_WIDTH rows for each chunk), blocks in a chunk.
 */
export function sparseBackwardRows(begin: i32, end: i32, args: SparseBackwardRows, scratch: usize): void {
  const panel = args.panel;
  const lanes = args.lanes;
  const sum = args.sums + <usize>(begin / args.grain) * sumBytes(lanes);
  memory.fill(sum, 0, sumBytes(lanes));
  backwardBelow(panel, args.slots, args.values, args.solution, begin, end, sum, lanes);
}

/** Adds the sums of the chunks to the own rows of a large panel, in order, and solves for them. */
export function sparseBackwardOwn(
  panel: usize, values: usize, solution: usize, lanes: i32, scratch: usize, sums: usize, chunks: i32,
): void {
  const own = ownRows(panel, solution, lanes);
  const bytes = <usize>panelWidth(panel) * rowBytes(lanes);
  for (let k = 0; k < chunks; k++, sums += sumBytes(lanes)) addVectors(own, sums, bytes, lanes);
  backwardOwn(panel, values, solution, scratch, lanes);
}

function sumBytes(lanes: i32): usize {
  return <usize>PANEL_WIDTH * rowBytes(lanes);
}

// @ts-ignore: decorator
@inline
function addVectors(to: usize, from: usize, bytes: usize, lanes: i32): void {
  for (let at: usize = 0; at < bytes; at += 16) {
    const a = v128.load(to + at), b = v128.load(from + at);
    v128.store(to + at, lanes == SINGLE ? f32x4.add(a, b) : f64x2.add(a, b));
  }
}

/**
 * solution[j] = given[order[j]] for rows j of k numbers, widened with zeros; the copies behind all of them become zero.
 * Arguments: given, order (i32), rows, k, solution, lanes, copies.
 */
export function sparsePermute(begin: i32, end: i32, args: SparsePermute, scratch: usize): void {
  const given = args.rows;
  const order = args.order;
  const k = args.k;
  const solution = args.solution;
  const lanes = args.lanes;
  const bytes = rowBytes(lanes);
  if (begin == 0) memory.fill(solution + <usize>args.n * bytes, 0, <usize>args.copies * bytes);
  let to = solution + <usize>begin * bytes;
  for (let j = begin; j < end; j++) {
    const from = given + (<usize>(load<i32>(order + (<usize>j << 2)) * k) << 3);
    if (lanes == SINGLE) {
      for (let c = 0; c < 4; c++, to += 4) store<f32>(to, c < k ? <f32>load<f64>(from + (<usize>c << 3)) : 0);
    } else {
      for (let c = 0; c < lanes; c++, to += 8) store<f64>(to, c < k ? load<f64>(from + (<usize>c << 3)) : 0);
    }
  }
}

/** out[order[j]] = solution[j] for rows j; what has single precision is added. Arguments: out, then as above. */
export function sparseUnpermute(begin: i32, end: i32, args: SparseUnpermute, scratch: usize): void {
  const out = args.rows;
  const order = args.order;
  const k = args.k;
  const lanes = args.lanes;
  let from = args.solution + <usize>begin * rowBytes(lanes);
  for (let j = begin; j < end; j++, from += rowBytes(lanes)) {
    const to = out + (<usize>(load<i32>(order + (<usize>j << 2)) * k) << 3);
    for (let c: usize = 0; c < <usize>k; c++) {
      const at = to + (c << 3);
      if (lanes == SINGLE) store<f64>(at, load<f64>(at) + <f64>load<f32>(from + (c << 2)));
      else store<f64>(at, load<f64>(from + (c << 3)));
    }
  }
}

/** Adds what subtrees collected for rows outside of them: the copies, which lie behind the n rows, in order. */
export function sparseAddCopies(copies: usize, count: i32, solution: usize, n: i32, lanes: i32): void {
  const bytes = rowBytes(lanes);
  let from = solution + <usize>n * bytes;
  for (let k = 0; k < count; k++, from += bytes) {
    addVectors(solution + <usize>load<i32>(copies + (<usize>k << 2)) * bytes, from, bytes, lanes);
  }
}

/** Hands rows that the top has solved to the subtrees below. */
export function sparseRefreshCopies(copies: usize, count: i32, solution: usize, n: i32, lanes: i32): void {
  const bytes = rowBytes(lanes);
  let to = solution + <usize>n * bytes;
  for (let k = 0; k < count; k++, to += bytes) {
    const from = solution + <usize>load<i32>(copies + (<usize>k << 2)) * bytes;
    for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, v128.load(from + at));
  }
}
