/**
 * Substitution with a supernodal factor: L y = b up the tree, Lᵀ x = y down again, for up to four right-hand sides at
 * once. `lanes`, the numbers in a row of the solution, is 2 or 4.
 */
import { integer, pointer } from '../arguments';
import { backwardBelow, backwardOwn, forwardBelow, forwardOwn } from './panel';
import { PANEL_BYTES, PANEL_WIDTH, panelBlocks, panelFirstColumn, panelWidth } from './records';

/**
 * Forward substitution in the groups of panels [begin, end).
 *
 * args: panels, slots, values, solution, lanes, first panel of each group and of what follows (i32 each).
 * scratch: a panel's own rows.
 */
export function sparseForward(begin: i32, end: i32, args: usize, scratch: usize): void {
  const slots = pointer(args, 1);
  const values = pointer(args, 2);
  const solution = pointer(args, 3);
  const lanes = integer(args, 4);
  const last = panelAt(args, end);
  for (let panel = panelAt(args, begin); panel < last; panel += PANEL_BYTES) {
    forwardOwn(panel, values, solution, scratch, lanes);
    forwardBelow(panel, slots, values, solution, 0, panelBlocks(panel), lanes);
  }
}

/** Backward substitution in the groups of panels [begin, end), as above. */
export function sparseBackward(begin: i32, end: i32, args: usize, scratch: usize): void {
  const slots = pointer(args, 1);
  const values = pointer(args, 2);
  const solution = pointer(args, 3);
  const lanes = integer(args, 4);
  const first = panelAt(args, begin);
  for (let panel = panelAt(args, end); panel > first; ) {
    panel -= PANEL_BYTES;
    const own = ownRows(panel, solution, lanes);
    backwardBelow(panel, slots, values, solution, 0, panelBlocks(panel), own, lanes);
    backwardOwn(panel, values, solution, scratch, lanes);
  }
}

function panelAt(args: usize, group: i32): usize {
  return pointer(args, 0) + <usize>load<i32>(pointer(args, 5) + (<usize>group << 2)) * PANEL_BYTES;
}

function ownRows(panel: usize, solution: usize, lanes: i32): usize {
  return solution + (<usize>(panelFirstColumn(panel) * lanes) << 3);
}

/** The own rows of a large panel; its row blocks below follow in parallel. */
export function sparseForwardOwn(panel: usize, values: usize, solution: usize, lanes: i32, scratch: usize): void {
  forwardOwn(panel, values, solution, scratch, lanes);
}

/** The row blocks [begin, end) below a large panel. args: panel, slots, values, solution, lanes. */
export function sparseForwardRows(begin: i32, end: i32, args: usize, scratch: usize): void {
  forwardBelow(pointer(args, 0), pointer(args, 1), pointer(args, 2), pointer(args, 3), begin, end, integer(args, 4));
}

/**
 * What the row blocks [begin, end) below a large panel, a chunk, subtract from its own rows.
 * args: panel, slots, values, solution, lanes, sums (PANEL_WIDTH rows for each chunk), blocks in a chunk.
 */
export function sparseBackwardRows(begin: i32, end: i32, args: usize, scratch: usize): void {
  const panel = pointer(args, 0);
  const lanes = integer(args, 4);
  const sum = pointer(args, 5) + <usize>(begin / integer(args, 6)) * sumBytes(lanes);
  memory.fill(sum, 0, sumBytes(lanes));
  backwardBelow(panel, pointer(args, 1), pointer(args, 2), pointer(args, 3), begin, end, sum, lanes);
}

/** Adds the sums of the chunks to the own rows of a large panel, in order, and solves for them. */
export function sparseBackwardOwn(
  panel: usize, values: usize, solution: usize, lanes: i32, scratch: usize, sums: usize, chunks: i32,
): void {
  const own = ownRows(panel, solution, lanes);
  const bytes = <usize>(panelWidth(panel) * lanes) << 3;
  for (let k = 0; k < chunks; k++, sums += sumBytes(lanes)) addVectors(own, sums, bytes);
  backwardOwn(panel, values, solution, scratch, lanes);
}

function sumBytes(lanes: i32): usize {
  return <usize>(PANEL_WIDTH * lanes) << 3;
}

// @ts-ignore: decorator
@inline
function addVectors(to: usize, from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(to + at, f64x2.add(v128.load(to + at), v128.load(from + at)));
  }
}

/** solution[j] = given[order[j]] for n rows of k numbers, widened with zeros; the copies behind them become zero. */
export function sparsePermute(
  given: usize, order: usize, n: i32, k: i32, solution: usize, lanes: i32, copies: i32,
): void {
  let to = solution;
  for (let j = 0; j < n; j++) {
    const from = given + (<usize>(load<i32>(order + (<usize>j << 2)) * k) << 3);
    for (let c = 0; c < lanes; c++, to += 8) store<f64>(to, c < k ? load<f64>(from + (<usize>c << 3)) : 0);
  }
  memory.fill(to, 0, <usize>(copies * lanes) << 3);
}

/** out[order[j]] = solution[j]. */
export function sparseUnpermute(solution: usize, order: usize, n: i32, k: i32, out: usize, lanes: i32): void {
  for (let j = 0; j < n; j++) {
    const to = out + (<usize>(load<i32>(order + (<usize>j << 2)) * k) << 3);
    const from = solution + (<usize>(j * lanes) << 3);
    for (let c = 0; c < k; c++) store<f64>(to + (<usize>c << 3), load<f64>(from + (<usize>c << 3)));
  }
}

/** Adds what subtrees collected for rows outside of them: the copies, which lie behind the n rows, in order. */
export function sparseAddCopies(copies: usize, count: i32, solution: usize, n: i32, lanes: i32): void {
  const bytes = <usize>lanes << 3;
  let from = solution + <usize>n * bytes;
  for (let k = 0; k < count; k++, from += bytes) {
    addVectors(solution + <usize>load<i32>(copies + (<usize>k << 2)) * bytes, from, bytes);
  }
}

/** Hands rows that the top has solved to the subtrees below. */
export function sparseRefreshCopies(copies: usize, count: i32, solution: usize, n: i32, lanes: i32): void {
  const bytes = <usize>lanes << 3;
  let to = solution + <usize>n * bytes;
  for (let k = 0; k < count; k++, to += bytes) {
    const from = solution + <usize>load<i32>(copies + (<usize>k << 2)) * bytes;
    for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, v128.load(from + at));
  }
}
