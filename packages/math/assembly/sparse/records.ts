/** Fields of the i32 records that describe a factor to the kernels; as in src/sparse/factor-layout.ts. */

// @ts-ignore: decorator
@inline
export const PANEL_WIDTH: i32 = 64;
/** Bytes of a tile: 4 × 4 numbers, the four of a column adjacent. */
// @ts-ignore: decorator
@inline
export const TILE: usize = 128;

/** What a row of a solution is: two numbers, four, or four of single precision. As in src/sparse/substitution.ts. */
// @ts-ignore: decorator
@inline
export const NARROW: i32 = 2;
// @ts-ignore: decorator
@inline
export const WIDE: i32 = 4;
// @ts-ignore: decorator
@inline
export const SINGLE: i32 = 1;

// @ts-ignore: decorator
@inline
export const NODE_BYTES: usize = 44;
// @ts-ignore: decorator
@inline
export const PANEL_BYTES: usize = 20;

// @ts-ignore: decorator
@inline
export function nodeFirstColumn(node: usize): i32 {
  return load<i32>(node);
}

// @ts-ignore: decorator
@inline
export function nodeColumns(node: usize): i32 {
  return load<i32>(node, 4);
}

// @ts-ignore: decorator
@inline
export function nodeRows(node: usize): i32 {
  return load<i32>(node, 8);
}

/** Numbers before the node's first panel. */
// @ts-ignore: decorator
@inline
export function nodeValues(node: usize): usize {
  return <usize>load<i32>(node, 12);
}

/** Tiles before the node's update matrix. */
// @ts-ignore: decorator
@inline
export function nodeUpdate(node: usize): usize {
  return <usize>load<i32>(node, 16);
}

// @ts-ignore: decorator
@inline
export function nodeChildrenBegin(node: usize): i32 {
  return load<i32>(node, 20);
}

// @ts-ignore: decorator
@inline
export function nodeChildrenEnd(node: usize): i32 {
  return load<i32>(node, 24);
}

/** First of the places of the node's rows in its parent's front. */
// @ts-ignore: decorator
@inline
export function nodeParentOffsets(node: usize): usize {
  return <usize>load<i32>(node, 28);
}

/** How many of the node's rows are pivots of its parent. */
// @ts-ignore: decorator
@inline
export function nodeSplit(node: usize): i32 {
  return load<i32>(node, 32);
}

// @ts-ignore: decorator
@inline
export function nodeEntriesBegin(node: usize): i32 {
  return load<i32>(node, 36);
}

// @ts-ignore: decorator
@inline
export function nodeEntriesEnd(node: usize): i32 {
  return load<i32>(node, 40);
}

// @ts-ignore: decorator
@inline
export function panelFirstColumn(panel: usize): i32 {
  return load<i32>(panel);
}

// @ts-ignore: decorator
@inline
export function panelWidth(panel: usize): i32 {
  return load<i32>(panel, 4);
}

/** First slot below the panel's own columns. */
// @ts-ignore: decorator
@inline
export function panelSlots(panel: usize): usize {
  return <usize>load<i32>(panel, 8);
}

/** Blocks of four rows below. */
// @ts-ignore: decorator
@inline
export function panelBlocks(panel: usize): i32 {
  return load<i32>(panel, 12);
}

/** Numbers before the panel's values. */
// @ts-ignore: decorator
@inline
export function panelValues(panel: usize): usize {
  return <usize>load<i32>(panel, 16);
}

/** Bytes of a row of a solution. */
// @ts-ignore: decorator
@inline
export function rowBytes(kind: i32): usize {
  return kind == WIDE ? 32 : 16;
}

/** Tiles before tile column b of a lower triangle with `tileRows` rows of tiles. */
// @ts-ignore: decorator
@inline
export function tileColumn(b: i32, tileRows: i32): usize {
  return <usize>(b * tileRows - ((b * (b - 1)) >> 1));
}

/** Bytes of a panel's diagonal part with this many row blocks. */
// @ts-ignore: decorator
@inline
export function diagonalBytes(blocks: i32): usize {
  return <usize>(blocks * (blocks + 1)) << 6;
}
