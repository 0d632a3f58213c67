/**
 * Entries of the multifrontal factorisation: subtrees in parallel, then the fronts above them one after the other, the
 * large ones among these with all threads.
 */
import { SparseFactorRows, SparseFactorSubtrees, SparseUpdateColumns, SubtreeScratch } from '../generated/sparse';
import {
  addUpdatesOfChildren, assemblePivots, Factorisation, factorDiagonal, factorFront, panelAt, substituteRows,
  updateTrailing,
} from './front';
import { NODE_BYTES, nodeUpdate, TILE } from './records';

/**
 * Factors the subtrees [begin, end).
 *
 * Arguments: factorisation, begins, ends (i32 each), failures (i32 each; set to the failing column + 1), arena for the update
 * matrices of the roots, tiles of pivots. scratch: the tiles of pivots, then the stack of update matrices.
 */
export function sparseFactorSubtrees(begin: i32, end: i32, args: SparseFactorSubtrees, scratch: usize): void {
  const f = changetype<Factorisation>(args.factorisation);
  const begins = args.begins;
  const ends = args.ends;
  const failures = args.failures;
  const arena = args.arena;
  const pivots = SubtreeScratch.pivots(scratch, args.frontTiles, args.stackTiles);
  const stack = SubtreeScratch.stack(scratch, args.frontTiles, args.stackTiles);
  for (let t = begin; t < end; t++) {
    const last = load<i32>(ends + (<usize>t << 2)) - 1;
    for (let s = load<i32>(begins + (<usize>t << 2)); s <= last; s++) {
      const failed = factorNode(f, nodeAt(f, s), pivots, stack, s < last ? stack : arena);
      if (failed < 0) continue;
      store<i32>(failures + (<usize>t << 2), failed + 1);
      break;
    }
  }
}

/** Factors one node of the top; returns the failing column + 1, or 0. */
export function sparseFactorNode(factorisation: usize, s: i32, pivots: usize, arena: usize): i32 {
  const f = changetype<Factorisation>(factorisation);
  return factorNode(f, nodeAt(f, s), pivots, arena, arena) + 1;
}

/**
 * @param updates  where the children's update matrices lie
 * @param own      where the node's own goes
 */
function factorNode(f: Factorisation, node: usize, pivots: usize, updates: usize, own: usize): i32 {
  const update = own + nodeUpdate(node) * TILE;
  assemblePivots(f, node, pivots, updates);
  const failed = factorFront(f, node, pivots, update);
  if (failed < 0) addUpdatesOfChildren(f, node, update, updates);
  return failed;
}

function nodeAt(f: Factorisation, s: i32): usize {
  return f.nodes + <usize>s * NODE_BYTES;
}

/** A large front of the top in steps: assembly; for each panel its triangle, its rows, what they update; the rest. */
export function sparseBeginFront(factorisation: usize, s: i32, pivots: usize, arena: usize): void {
  const f = changetype<Factorisation>(factorisation);
  assemblePivots(f, nodeAt(f, s), pivots, arena);
}

/** The triangle of the panel that begins at pivot `from`; returns the failing column + 1, or 0. */
export function sparseFactorTriangle(factorisation: usize, s: i32, from: i32, pivots: usize): i32 {
  const f = changetype<Factorisation>(factorisation);
  const node = nodeAt(f, s);
  return factorDiagonal(f, node, from, pivots, panelAt(f, node, from)) + 1;
}

/** The row blocks [begin, end) below the panel. Arguments: factorisation, s, from, pivots. */
export function sparseFactorRows(begin: i32, end: i32, args: SparseFactorRows, scratch: usize): void {
  const f = changetype<Factorisation>(args.factorisation);
  const node = nodeAt(f, args.s);
  const from = args.from;
  substituteRows(node, from, args.pivots, panelAt(f, node, from), begin, end);
}

/** The tile columns [begin, end) right of the panel. Arguments: factorisation, s, from, pivots, arena. */
export function sparseUpdateColumns(begin: i32, end: i32, args: SparseUpdateColumns, scratch: usize): void {
  const f = changetype<Factorisation>(args.factorisation);
  const node = nodeAt(f, args.s);
  const from = args.from;
  const update = args.arena + nodeUpdate(node) * TILE;
  updateTrailing(node, from, args.pivots, update, panelAt(f, node, from), begin, end);
}

export function sparseEndFront(factorisation: usize, s: i32, arena: usize): void {
  const f = changetype<Factorisation>(factorisation);
  const node = nodeAt(f, s);
  addUpdatesOfChildren(f, node, arena + nodeUpdate(node) * TILE, arena);
}
