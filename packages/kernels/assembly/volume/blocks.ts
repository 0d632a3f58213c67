/** How pairs of tetrahedra lie in blocks: sizes of their records, and access to the corners of both at once. */

/** Bytes of a vertex in a block, of a pair's corners (8 × i32), operators (20 × f64) and shapes (14 × f64). */
export const ENTRY: usize = 32;
export const CORNERS: usize = 32;
export const OPERATORS: usize = 160;
export const SHAPES: usize = 112;

/** The k-th number of corner c of both tetrahedra, of entries at `local`. */
// @ts-ignore: decorator
@inline
export function coordinate(local: usize, corners: usize, c: usize, k: usize): v128 {
  const first = load<i32>(corners + (c << 3));
  const second = load<i32>(corners + (c << 3), 4);
  return v128.load64_lane(local + <usize>second + (k << 3), v128.load64_zero(local + <usize>first + (k << 3)), 1);
}

/** Adds to a number of corner c of both tetrahedra, of entries at `out`. */
// @ts-ignore: decorator
@inline
export function deposit(corners: usize, out: usize, c: usize, value: v128): void {
  const first = out + <usize>load<i32>(corners + (c << 3));
  store<f64>(first, load<f64>(first) + f64x2.extract_lane(value, 0));
  const second = out + <usize>load<i32>(corners + (c << 3), 4);
  store<f64>(second, load<f64>(second) + f64x2.extract_lane(value, 1));
}
