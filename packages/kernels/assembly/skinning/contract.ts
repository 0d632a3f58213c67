/**
 * Accumulate, then contract: what every skinning solver needs of the examples without touching them per bone.
 *
 * Trajectories live in an orthonormal basis of r rows (r ≤ 3S), padded to an even number R: c_i (R) for vertex i, and
 * N_ja (R) for column a of bone j's transforms over all frames. With the monomials q of p̂ = (p, 1),
 *
 *   x_j·x_k = p̂ᵀ(Σ_t M_tjᵀ M_tk)p̂ = G_jk·q   (ten coefficients a bone pair),
 *   x_j·v   = Σ_a p̂_a (N_ja·c).
 */
import { PairScratch, Vertices } from '../generated/skinning';

/** q ← (x², 2xy, 2xz, 2x, y², 2yz, 2y, z², 2z, 1), ten f64 */
export function monomials(p: usize, q: usize): void {
  const x = load<f64>(p);
  const y = load<f64>(p, 8);
  const z = load<f64>(p, 16);
  store<f64>(q, x * x);
  store<f64>(q, 2 * x * y, 8);
  store<f64>(q, 2 * x * z, 16);
  store<f64>(q, 2 * x, 24);
  store<f64>(q, y * y, 32);
  store<f64>(q, 2 * y * z, 40);
  store<f64>(q, 2 * y, 48);
  store<f64>(q, z * z, 56);
  store<f64>(q, 2 * z, 64);
  store<f64>(q, 1, 72);
}

/** Σ of ten products */
// @ts-ignore: decorator
@inline
export function dotTen(a: usize, b: usize): f64 {
  let sum = f64x2.mul(v128.load(a), v128.load(b));
  sum = f64x2.add(sum, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
  sum = f64x2.add(sum, f64x2.mul(v128.load(a, 32), v128.load(b, 32)));
  sum = f64x2.add(sum, f64x2.mul(v128.load(a, 48), v128.load(b, 48)));
  sum = f64x2.add(sum, f64x2.mul(v128.load(a, 64), v128.load(b, 64)));
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** The four products N_ja·c of one bone with one vertex → out (4 f64). R is even. */
export function boneTimesVertex(bone: usize, R: i32, c: usize, out: usize): void {
  const row = <usize>R << 3;
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  for (let k: usize = 0; k < row; k += 16) {
    const v = v128.load(c + k);
    s0 = f64x2.add(s0, f64x2.mul(v128.load(bone + k), v));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(bone + row + k), v));
    s2 = f64x2.add(s2, f64x2.mul(v128.load(bone + 2 * row + k), v));
    s3 = f64x2.add(s3, f64x2.mul(v128.load(bone + 3 * row + k), v));
  }
  store<f64>(out, f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1));
  store<f64>(out, f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s1, 1), 8);
  store<f64>(out, f64x2.extract_lane(s2, 0) + f64x2.extract_lane(s2, 1), 16);
  store<f64>(out, f64x2.extract_lane(s3, 0) + f64x2.extract_lane(s3, 1), 24);
}

/** The same for two vertices at once: the bone's rows are loaded once. */
export function boneTimesTwoVertices(bone: usize, R: i32, c: usize, d: usize, out: usize, outD: usize): void {
  const row = <usize>R << 3;
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let t0 = f64x2.splat(0);
  let t1 = f64x2.splat(0);
  let t2 = f64x2.splat(0);
  let t3 = f64x2.splat(0);
  for (let k: usize = 0; k < row; k += 16) {
    const v = v128.load(c + k);
    const u = v128.load(d + k);
    const n0 = v128.load(bone + k);
    const n1 = v128.load(bone + row + k);
    const n2 = v128.load(bone + 2 * row + k);
    const n3 = v128.load(bone + 3 * row + k);
    s0 = f64x2.add(s0, f64x2.mul(n0, v));
    t0 = f64x2.add(t0, f64x2.mul(n0, u));
    s1 = f64x2.add(s1, f64x2.mul(n1, v));
    t1 = f64x2.add(t1, f64x2.mul(n1, u));
    s2 = f64x2.add(s2, f64x2.mul(n2, v));
    t2 = f64x2.add(t2, f64x2.mul(n2, u));
    s3 = f64x2.add(s3, f64x2.mul(n3, v));
    t3 = f64x2.add(t3, f64x2.mul(n3, u));
  }
  store<f64>(out, f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1));
  store<f64>(out, f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s1, 1), 8);
  store<f64>(out, f64x2.extract_lane(s2, 0) + f64x2.extract_lane(s2, 1), 16);
  store<f64>(out, f64x2.extract_lane(s3, 0) + f64x2.extract_lane(s3, 1), 24);
  store<f64>(outD, f64x2.extract_lane(t0, 0) + f64x2.extract_lane(t0, 1));
  store<f64>(outD, f64x2.extract_lane(t1, 0) + f64x2.extract_lane(t1, 1), 8);
  store<f64>(outD, f64x2.extract_lane(t2, 0) + f64x2.extract_lane(t2, 1), 16);
  store<f64>(outD, f64x2.extract_lane(t3, 0) + f64x2.extract_lane(t3, 1), 24);
}

/** x_j·v of one bone, from its four products */
// @ts-ignore: decorator
@inline
export function contractProduct(products: usize, p: usize): f64 {
  return (
    load<f64>(p) * load<f64>(products) +
    load<f64>(p, 8) * load<f64>(products, 8) +
    load<f64>(p, 16) * load<f64>(products, 16) +
    load<f64>(products, 24)
  );
}

/**
 * b_j = x_j·v for all m bones and up to two vertices.
 *
 * @param products  2 × 4 f64 of scratch
 */
export function allProducts(
  bones: usize, m: i32, R: i32, c: usize, p: usize, b: usize, d: usize, pD: usize, bD: usize, products: usize,
): void {
  const stride = (<usize>R << 3) * 4;
  for (let j = 0; j < m; j++) {
    const bone = bones + <usize>j * stride;
    if (d != 0) {
      boneTimesTwoVertices(bone, R, c, d, products, products + 32);
      store<f64>(bD + (<usize>j << 3), contractProduct(products + 32, pD));
    } else boneTimesVertex(bone, R, c, products);
    store<f64>(b + (<usize>j << 3), contractProduct(products, p));
  }
}

/** The products of vertex `first` with the first `count` bones, and of vertex `second` if it is not negative, into scratch. */
export function pairProducts(args: Vertices, count: i32, first: i32, second: i32, scratch: usize): void {
  const R = args.R;
  const m = args.m;
  const d: usize = second < 0 ? 0 : args.coefficients + (<usize>(second * R) << 3);
  allProducts(
    args.projected, count, R, args.coefficients + (<usize>(first * R) << 3), args.rest + <usize>first * 24,
    PairScratch.b(scratch, m), d, args.rest + <usize>second * 24, PairScratch.bSecond(scratch, m),
    PairScratch.products(scratch, m),
  );
}
