/**
 * One step of the multifrontal Cholesky factorisation: the front of a supernode is assembled from the matrix's entries
 * and from the update matrices of its children, its pivot columns are factored, and what they do to the remaining rows
 * becomes its own update matrix.
 *
 * Reference: Duff, Reid. The multifrontal solution of indefinite sparse symmetric linear equations. ACM TOMS, 1983.
 * Liu. The multifrontal method for sparse matrix solution: theory and practice. SIAM Review, 1992 (§3).
 */
import {
  diagonalBytes, NODE_BYTES, nodeEntriesBegin, nodeEntriesEnd, nodeChildrenBegin, nodeChildrenEnd, nodeColumns,
  nodeFirstColumn, nodeParentOffsets, nodeRows, nodeSplit, nodeUpdate, nodeValues, PANEL_WIDTH, TILE, tileColumn,
} from './records';
import { factorTile, substituteTile, updateTile } from './tile';

/** Everything of the factorisation that is the same for all fronts. */
@unmanaged
export class Factorisation {
  nodes: usize;
  children: usize;
  parentOffsets: usize;
  entryMap: usize;
  /** The matrix's values, in its own order. */
  matrix: usize;
  /** For each column what its pivot must exceed. */
  floors: usize;
  /** The factor. */
  values: usize;
}

/** Tiles of the pivot columns of a node's front: the entries of the matrix and its children's part of them. */
export function assemblePivots(f: Factorisation, node: usize, pivots: usize, updates: usize): void {
  const tileRows = tileRowsOf(node);
  memory.fill(pivots, 0, tileColumn(pivotTilesOf(node), tileRows) * TILE);
  const end = f.entryMap + (<usize>nodeEntriesEnd(node) << 2);
  for (let at = f.entryMap + (<usize>nodeEntriesBegin(node) << 2); at < end; at += 8) {
    const value = load<f64>(f.matrix + (<usize>load<i32>(at) << 3));
    store<f64>(pivots + <usize>load<i32>(at, 4), value);
  }
  for (let k = nodeChildrenBegin(node); k < nodeChildrenEnd(node); k++) {
    const child = f.nodes + <usize>load<i32>(f.children + (<usize>k << 2)) * NODE_BYTES;
    addUpdate(f, child, updates + nodeUpdate(child) * TILE, 0, nodeSplit(child), pivots, tileRows, 0);
  }
}

/** Adds the children's part of the update matrix of a node. */
export function addUpdatesOfChildren(f: Factorisation, node: usize, update: usize, updates: usize): void {
  const pivotTiles = pivotTilesOf(node);
  const tileRows = tileRowsOf(node) - pivotTiles;
  for (let k = nodeChildrenBegin(node); k < nodeChildrenEnd(node); k++) {
    const child = f.nodes + <usize>load<i32>(f.children + (<usize>k << 2)) * NODE_BYTES;
    const from = updates + nodeUpdate(child) * TILE;
    addUpdate(f, child, from, nodeSplit(child), nodeRows(child), update, tileRows, pivotTiles);
  }
}

/** Adds the columns [begin, end) of a child's update matrix into tiles that start at tile `shift` of the front. */
function addUpdate(
  f: Factorisation, child: usize, from: usize, begin: i32, end: i32, to: usize, tileRows: i32, shift: i32,
): void {
  const blocks = (nodeRows(child) + 3) >> 2;
  const offsets = f.parentOffsets + (nodeParentOffsets(child) << 2);
  const offsetsEnd = offsets + (<usize>blocks << 4);
  for (let j = begin; j < end; j++) {
    const offset = load<i32>(offsets + (<usize>j << 2));
    const block = (offset >> 7) - shift;
    // Column of the target, such that adding a row's offset gives the number's address.
    const column =
      to + (tileColumn(block, tileRows) - <usize>(block + shift)) * TILE + <usize>((offset & 24) << 2);
    let source = from + tileColumn(j >> 2, blocks) * TILE + <usize>((j & 3) << 5);
    // The diagonal tile from the diagonal on, then whole columns of tiles; padding adds zeros.
    let row = offsets + (<usize>(j >> 2) << 4);
    for (let r = j & 3; r < 4; r++) add(column + <usize>load<i32>(row + (<usize>r << 2)), source + (<usize>r << 3));
    for (row += 16, source += TILE; row < offsetsEnd; row += 16, source += TILE) {
      add(column + <usize>load<i32>(row), source);
      add(column + <usize>load<i32>(row, 4), source + 8);
      add(column + <usize>load<i32>(row, 8), source + 16);
      add(column + <usize>load<i32>(row, 12), source + 24);
    }
  }
}

// @ts-ignore: decorator
@inline
function add(to: usize, from: usize): void {
  store<f64>(to, load<f64>(to) + load<f64>(from));
}

/** Tiles along the padded rows of a front, and along its padded pivots. */
function tileRowsOf(node: usize): i32 {
  return ((nodeColumns(node) + 3) >> 2) + ((nodeRows(node) + 3) >> 2);
}

function pivotTilesOf(node: usize): i32 {
  return (nodeColumns(node) + 3) >> 2;
}

/** Factors the pivots of an assembled front; returns the failing column of the matrix, or −1. */
export function factorFront(f: Factorisation, node: usize, pivots: usize, update: usize): i32 {
  const columns = nodeColumns(node);
  let values = f.values + (nodeValues(node) << 3);
  for (let from = 0; from < columns; from += PANEL_WIDTH) {
    const failed = factorDiagonal(f, node, from, pivots, values);
    if (failed >= 0) return failed;
    const blocks = blocksBelow(node, from);
    substituteRows(node, from, pivots, values, 0, blocks);
    updateTrailing(node, from, pivots, update, values, 0, blocks);
    values += panelBytes(node, from);
  }
  return -1;
}

// @ts-ignore: decorator
@inline
function widthOf(node: usize, from: i32): i32 {
  return min<i32>(PANEL_WIDTH, nodeColumns(node) - from);
}

/** Row blocks below the panel that begins at pivot `from`. */
function blocksBelow(node: usize, from: i32): i32 {
  return tileRowsOf(node) - (from >> 2) - ((widthOf(node, from) + 3) >> 2);
}

function panelBytes(node: usize, from: i32): usize {
  const width = widthOf(node, from);
  return diagonalBytes((width + 3) >> 2) + (<usize>(blocksBelow(node, from) * width) << 5);
}

/** Values of the panel that begins at pivot `from`. */
export function panelAt(f: Factorisation, node: usize, from: i32): usize {
  let values = f.values + (nodeValues(node) << 3);
  for (let pivot = 0; pivot < from; pivot += PANEL_WIDTH) values += panelBytes(node, pivot);
  return values;
}

/** The panel's own rows, block by block; returns the failing column of the matrix, or −1. */
export function factorDiagonal(f: Factorisation, node: usize, from: i32, pivots: usize, values: usize): i32 {
  const width = widthOf(node, from);
  const tileRows = tileRowsOf(node);
  const first = from >> 2;
  let rowBlock = values;
  for (let i = 0; 4 * i < width; i++) {
    let diagonalBlock = values;
    for (let b = 0; b < i; b++) {
      const tile = pivots + (tileColumn(first + b, tileRows) + <usize>(i - b)) * TILE;
      substituteTile(tile, rowBlock, diagonalBlock, 4 * b, 4);
      diagonalBlock += <usize>(b + 1) * TILE;
    }
    const tile = rowBlock + <usize>i * TILE;
    updateTile(tile, pivots + tileColumn(first + i, tileRows) * TILE, rowBlock, rowBlock, 4 * i, true);
    const column = nodeFirstColumn(node) + from + 4 * i;
    const failed = factorTile(tile, min<i32>(4, width - 4 * i), f.floors + (<usize>column << 3));
    if (failed >= 0) return column + failed;
    rowBlock += <usize>(i + 1) * TILE;
  }
  return -1;
}

/** The row blocks [begin, end) below the panel: each by forward substitution with the panel's triangle. */
export function substituteRows(node: usize, from: i32, pivots: usize, values: usize, begin: i32, end: i32): void {
  const width = widthOf(node, from);
  const own = (width + 3) >> 2;
  const tileRows = tileRowsOf(node);
  const first = from >> 2;
  let rowBlock = values + diagonalBytes(own) + (<usize>(begin * width) << 5);
  for (let i = begin; i < end; i++) {
    let diagonalBlock = values;
    for (let b = 0; b < own; b++) {
      const tile = pivots + (tileColumn(first + b, tileRows) + <usize>(own + i - b)) * TILE;
      substituteTile(tile, rowBlock, diagonalBlock, 4 * b, min<i32>(4, width - 4 * b));
      diagonalBlock += <usize>(b + 1) * TILE;
    }
    rowBlock += <usize>width << 5;
  }
}

/**
 * The tile columns [begin, end) right of the panel, counted from its end: those of further pivots, then the update
 * matrix, which the first panel overwrites.
 */
export function updateTrailing(
  node: usize, from: i32, pivots: usize, update: usize, values: usize, begin: i32, end: i32,
): void {
  const width = widthOf(node, from);
  const own = (width + 3) >> 2;
  const tileRows = tileRowsOf(node);
  const pivotTiles = pivotTilesOf(node);
  const blocks = tileRows - (from >> 2) - own;
  const below = values + diagonalBytes(own);
  const stride = <usize>width << 5;
  for (let j = begin; j < end; j++) {
    const column = (from >> 2) + own + j;
    const block = below + <usize>j * stride;
    if (column < pivotTiles) {
      updateColumn(pivots + tileColumn(column, tileRows) * TILE, block, stride, width, blocks - j, true);
      continue;
    }
    const target = update + tileColumn(column - pivotTiles, tileRows - pivotTiles) * TILE;
    if (from == 0) updateColumn(target, block, stride, width, blocks - j, false);
    else updateColumn(target, block, stride, width, blocks - j, true);
  }
}

/** A column of `count` tiles from the diagonal down, minus the row blocks from `block` on times the first of them. */
// @ts-ignore: decorator
@inline
function updateColumn(tile: usize, block: usize, stride: usize, width: i32, count: i32, accumulate: bool): void {
  let rowBlock = block;
  for (let i = 0; i < count; i++) {
    updateTile(tile, tile, rowBlock, block, width, accumulate);
    tile += TILE;
    rowBlock += stride;
  }
}
