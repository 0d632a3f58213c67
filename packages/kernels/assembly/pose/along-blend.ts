/** Σ β_e v_e over a run of `run` bytes, a multiple of 16. */
// @ts-ignore: decorator
@inline
export function alongBlend(values: usize, beta: usize, run: usize): f64 {
  let total = f64x2.splat(0);
  for (let e: usize = 0; e < run; e += 16) {
    total = f64x2.add(total, f64x2.mul(v128.load(values + e), v128.load(beta + e)));
  }
  return f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1);
}
