/** Rows of R numbers, R even: trajectories in their basis. */

/** out ← p̂·B, the image of a vertex under a bone's four rows (4 × R) */
export function imageOf(bone: usize, R: i32, p: usize, out: usize): void {
  const row = <usize>R << 3;
  const x = f64x2.splat(load<f64>(p));
  const y = f64x2.splat(load<f64>(p, 8));
  const z = f64x2.splat(load<f64>(p, 16));
  for (let k: usize = 0; k < row; k += 16) {
    const at = bone + k;
    let sum = f64x2.add(f64x2.mul(x, v128.load(at)), f64x2.mul(y, v128.load(at + row)));
    sum = f64x2.add(sum, f64x2.add(f64x2.mul(z, v128.load(at + 2 * row)), v128.load(at + 3 * row)));
    v128.store(out + k, sum);
  }
}

/** out ← p̂·B − c */
export function missOf(bone: usize, R: i32, p: usize, c: usize, out: usize): void {
  imageOf(bone, R, p, out);
  const row = <usize>R << 3;
  for (let k: usize = 0; k < row; k += 16) v128.store(out + k, f64x2.sub(v128.load(out + k), v128.load(c + k)));
}

/** y ← y + s·x */
export function addScaled(y: usize, s: f64, x: usize, R: i32): void {
  const row = <usize>R << 3;
  const factor = f64x2.splat(s);
  for (let k: usize = 0; k < row; k += 16) {
    v128.store(y + k, f64x2.add(v128.load(y + k), f64x2.mul(factor, v128.load(x + k))));
  }
}

export function dotRows(a: usize, b: usize, R: i32): f64 {
  const row = <usize>R << 3;
  let sum = f64x2.splat(0);
  for (let k: usize = 0; k < row; k += 16) sum = f64x2.add(sum, f64x2.mul(v128.load(a + k), v128.load(b + k)));
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}
