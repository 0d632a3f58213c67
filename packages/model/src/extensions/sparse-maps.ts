/**
 * The matrices that drive proxies, 4P × W each, without their zeros: a proxy reads a few blocks of columns only, those of
 * some keys or bones, the same for its four rows.
 */
import { InputError } from '../errors.ts';
import { requireLength } from '../require.ts';

/** A place without use. */
export const NO_PLACE = 0xffff;
const ROWS = 4;
/** Columns that a proxy reads of a key, x, y and z of its gradient, and of a bone. */
export const KEY_COLUMNS = 3;
export const BONE_COLUMNS = 4;

export interface SparseMaps<T> {
  /** P × G blocks that each proxy reads, ascending; `NO_PLACE` behind them */
  readonly places: Uint16Array;
  /** 4P × G × size */
  readonly values: T;
}

type Numbers = Float64Array | Int8Array | Int16Array | Int32Array;

/**
 * @param like  the matrix whose blocks without any number are left out; `matrix` itself, or one with the same zeros
 * @param size  columns of a block
 */
export function sparseMaps<T extends Numbers>(
  matrix: T,
  proxies: number,
  size: number,
  like: Numbers = matrix,
): SparseMaps<T> {
  const width = proxies > 0 ? matrix.length / (ROWS * proxies) : 0;
  const used = Array.from({ length: proxies }, (_, p) => usedBlocks(like, p, width, size));
  const most = used.reduce((greatest, { length }) => Math.max(greatest, length), 0);
  const places = new Uint16Array(proxies * most).fill(NO_PLACE);
  const values = new (matrix.constructor as new (length: number) => T)(ROWS * proxies * most * size);
  used.forEach((blocks, p) => {
    places.set(blocks, p * most);
    for (let r = 0; r < ROWS; r++) {
      const row = ROWS * p + r;
      blocks.forEach((block, g) => {
        const from = row * width + block * size;
        values.set(matrix.subarray(from, from + size), (row * most + g) * size);
      });
    }
  });
  return { places, values };
}

function usedBlocks(matrix: Numbers, p: number, width: number, size: number): number[] {
  const blocks: number[] = [];
  for (let block = 0; block * size < width; block++) {
    let isUsed = false;
    for (let r = 0; r < ROWS && !isUsed; r++) {
      const from = (ROWS * p + r) * width + block * size;
      for (let k = from; k < from + size; k++) isUsed ||= matrix[k] !== 0;
    }
    if (isUsed) blocks.push(block);
  }
  return blocks;
}

/**
 * The matrix with its zeros, 4P × blocks · size.
 *
 * @param what  for errors
 */
export function denseMaps(
  what: string,
  { places, values }: SparseMaps<Float64Array>,
  count: { readonly proxies: number; readonly blocks: number },
  size: number,
): Float64Array {
  const { proxies, blocks } = count;
  const most = proxies > 0 ? places.length / proxies : 0;
  if (!Number.isInteger(most)) {
    throw new InputError(`${what}: ${places.length} places are not those of ${proxies} proxies`);
  }
  requireLength(what, values, ROWS * places.length * size);
  const width = blocks * size;
  const out = new Float64Array(ROWS * proxies * width);
  for (let row = 0; row < ROWS * proxies; row++) {
    for (let g = 0; g < most; g++) {
      const place = places[Math.floor(row / ROWS) * most + g];
      if (place === NO_PLACE) continue;
      if (place >= blocks) throw new InputError(`${what}: place ${place} is out of range, there are ${blocks}`);
      const from = (row * most + g) * size;
      out.set(values.subarray(from, from + size), row * width + place * size);
    }
  }
  return out;
}
