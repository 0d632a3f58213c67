/**
 * 3 × 3 matrices of two tetrahedra at once, one in each lane: the nearest rotation, and a matrix between it and the
 * nearest one that keeps the volume. Results are in globals, which belong to one instance and hence to one thread.
 */
import { decompose } from '../../../math/assembly/small/singular-values';
import { u00, u01, u02, u10, u11, u12, u20, u21, u22 } from '../../../math/assembly/small/singular-values';
import { v00, v01, v02, v10, v11, v12, v20, v21, v22 } from '../../../math/assembly/small/singular-values';

/** Newton's iteration keeps its digits for det F above this fraction of ‖F‖³; else the SVD takes over. */
const WELL_CONDITIONED: f64 = 1e-4;
/** Newton converges quadratically: after a step whose square is below this, half of that square is the error. */
const LAST_STEP: f64 = 1e-9;
const MAX_TURNS: i32 = 24;
/** Least volume that is asked of a tetrahedron, relative to rest: one that is pressed flat is opened again. */
const LEAST: f64 = 0.25;
/** Bound of a projection's factor: a nearly collapsed tetrahedron grows step by step, not beyond all bounds. */
const LONGEST_STEP: f64 = 2;
/** Keeps quotients of zeros finite without changing any other number. */
const TINY: f64 = 1e-200;

/** The matrices that `polar` takes, and the rotations that it leaves there. Row-major. */
export let a00: v128 = i64x2.splat(0), a01: v128 = i64x2.splat(0), a02: v128 = i64x2.splat(0);
export let a10: v128 = i64x2.splat(0), a11: v128 = i64x2.splat(0), a12: v128 = i64x2.splat(0);
export let a20: v128 = i64x2.splat(0), a21: v128 = i64x2.splat(0), a22: v128 = i64x2.splat(0);

// @ts-ignore: decorator
@inline
export function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

// @ts-ignore: decorator
@inline
export function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}

// @ts-ignore: decorator
@inline
export function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

/** a x + b y + c z */
// @ts-ignore: decorator
@inline
export function dot(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 {
  return add(add(mul(a, x), mul(b, y)), mul(c, z));
}

/** a x − b y */
// @ts-ignore: decorator
@inline
export function minor(a: v128, x: v128, b: v128, y: v128): v128 {
  return sub(mul(a, x), mul(b, y));
}

export function setMatrix(
  b00: v128, b01: v128, b02: v128, b10: v128, b11: v128, b12: v128, b20: v128, b21: v128, b22: v128,
): void {
  a00 = b00; a01 = b01; a02 = b02;
  a10 = b10; a11 = b11; a12 = b12;
  a20 = b20; a21 = b21; a22 = b22;
}

/**
 * A := its polar rotation, by X ← (X + X⁻ᵀ)/2. A lane that is nearly flat or mirrored gets the proper rotation nearest to
 * it from the singular value decomposition.
 *
 * Reference: Higham. Computing the polar decomposition, with applications. 1986.
 *
 * @param scratch  72 bytes
 */
export function polar(scratch: usize): void {
  const half = f64x2.splat(0.5);
  let b00 = a00, b01 = a01, b02 = a02, b10 = a10, b11 = a11, b12 = a12, b20 = a20, b21 = a21, b22 = a22;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    // The cofactors: X⁻ᵀ times the determinant.
    const c00 = minor(b11, b22, b12, b21), c01 = minor(b12, b20, b10, b22), c02 = minor(b10, b21, b11, b20);
    const c10 = minor(b02, b21, b01, b22), c11 = minor(b00, b22, b02, b20), c12 = minor(b01, b20, b00, b21);
    const c20 = minor(b01, b12, b02, b11), c21 = minor(b02, b10, b00, b12), c22 = minor(b00, b11, b01, b10);
    const determinant = dot(b00, c00, b01, c01, b02, c02);
    if (turn == 0) {
      const squares = add(
        add(dot(b00, b00, b01, b01, b02, b02), dot(b10, b10, b11, b11, b12, b12)),
        dot(b20, b20, b21, b21, b22, b22),
      );
      const least = mul(f64x2.splat(WELL_CONDITIONED), mul(squares, f64x2.sqrt(squares)));
      if (i64x2.bitmask(f64x2.gt(determinant, least)) != 3) {
        polarByLanes(scratch);
        return;
      }
    }
    const q = f64x2.div(half, determinant);
    const n00 = add(mul(half, b00), mul(q, c00)), n01 = add(mul(half, b01), mul(q, c01));
    const n02 = add(mul(half, b02), mul(q, c02)), n10 = add(mul(half, b10), mul(q, c10));
    const n11 = add(mul(half, b11), mul(q, c11)), n12 = add(mul(half, b12), mul(q, c12));
    const n20 = add(mul(half, b20), mul(q, c20)), n21 = add(mul(half, b21), mul(q, c21));
    const n22 = add(mul(half, b22), mul(q, c22));
    const d00 = sub(n00, b00), d01 = sub(n01, b01), d02 = sub(n02, b02);
    const d10 = sub(n10, b10), d11 = sub(n11, b11), d12 = sub(n12, b12);
    const d20 = sub(n20, b20), d21 = sub(n21, b21), d22 = sub(n22, b22);
    const step = add(
      add(dot(d00, d00, d01, d01, d02, d02), dot(d10, d10, d11, d11, d12, d12)),
      dot(d20, d20, d21, d21, d22, d22),
    );
    b00 = n00; b01 = n01; b02 = n02; b10 = n10; b11 = n11; b12 = n12; b20 = n20; b21 = n21; b22 = n22;
    if (i64x2.bitmask(f64x2.le(step, f64x2.splat(LAST_STEP))) == 3) break;
  }
  setMatrix(b00, b01, b02, b10, b11, b12, b20, b21, b22);
}

function polarByLanes(scratch: usize): void {
  storeLane(scratch, 0);
  const r00 = f64x2.splat(u00 * v00 + u01 * v01 + u02 * v02), r01 = f64x2.splat(u00 * v10 + u01 * v11 + u02 * v12);
  const r02 = f64x2.splat(u00 * v20 + u01 * v21 + u02 * v22), r10 = f64x2.splat(u10 * v00 + u11 * v01 + u12 * v02);
  const r11 = f64x2.splat(u10 * v10 + u11 * v11 + u12 * v12), r12 = f64x2.splat(u10 * v20 + u11 * v21 + u12 * v22);
  const r20 = f64x2.splat(u20 * v00 + u21 * v01 + u22 * v02), r21 = f64x2.splat(u20 * v10 + u21 * v11 + u22 * v12);
  const r22 = f64x2.splat(u20 * v20 + u21 * v21 + u22 * v22);
  storeLane(scratch, 1);
  setMatrix(
    f64x2.replace_lane(r00, 1, u00 * v00 + u01 * v01 + u02 * v02),
    f64x2.replace_lane(r01, 1, u00 * v10 + u01 * v11 + u02 * v12),
    f64x2.replace_lane(r02, 1, u00 * v20 + u01 * v21 + u02 * v22),
    f64x2.replace_lane(r10, 1, u10 * v00 + u11 * v01 + u12 * v02),
    f64x2.replace_lane(r11, 1, u10 * v10 + u11 * v11 + u12 * v12),
    f64x2.replace_lane(r12, 1, u10 * v20 + u11 * v21 + u12 * v22),
    f64x2.replace_lane(r20, 1, u20 * v00 + u21 * v01 + u22 * v02),
    f64x2.replace_lane(r21, 1, u20 * v10 + u21 * v11 + u22 * v12),
    f64x2.replace_lane(r22, 1, u20 * v20 + u21 * v21 + u22 * v22),
  );
}

/** Decomposes the matrix of one lane. */
function storeLane(scratch: usize, lane: i32): void {
  store<f64>(scratch, laneOf(a00, lane)); store<f64>(scratch, laneOf(a01, lane), 8);
  store<f64>(scratch, laneOf(a02, lane), 16); store<f64>(scratch, laneOf(a10, lane), 24);
  store<f64>(scratch, laneOf(a11, lane), 32); store<f64>(scratch, laneOf(a12, lane), 40);
  store<f64>(scratch, laneOf(a20, lane), 48); store<f64>(scratch, laneOf(a21, lane), 56);
  store<f64>(scratch, laneOf(a22, lane), 64);
  decompose(scratch);
}

function laneOf(values: v128, lane: i32): f64 {
  return lane == 0 ? f64x2.extract_lane(values, 0) : f64x2.extract_lane(values, 1);
}

/**
 * A := (R + w D)/(1 + w), where R is what A holds, and D the projection of B onto det D = det B + whole · (1 − mean),
 * linearised at B: D = B + cof B (wanted − det B)/‖cof B‖². Cofactors have the singular vectors of their matrix, so this
 * moves the singular values alone, and none need be computed. Further projections moved nothing: rounds do the same.
 *
 * Reference: Bouaziz, Martin, Liu, Kavan, Pauly. Projective dynamics. 2014 (appendix A, there on singular values).
 *
 * @param whole  determinant of the shape that the tetrahedron should have
 * @param mean   mean dilatation about it, relative to that shape
 */
export function towardsVolume(
  weight: f64, whole: v128, mean: v128,
  b00: v128, b01: v128, b02: v128, b10: v128, b11: v128, b12: v128, b20: v128, b21: v128, b22: v128,
): void {
  const c00 = minor(b11, b22, b12, b21), c01 = minor(b12, b20, b10, b22), c02 = minor(b10, b21, b11, b20);
  const c10 = minor(b02, b21, b01, b22), c11 = minor(b00, b22, b02, b20), c12 = minor(b01, b20, b00, b21);
  const c20 = minor(b01, b12, b02, b11), c21 = minor(b02, b10, b00, b12), c22 = minor(b00, b11, b01, b10);
  const determinant = dot(b00, c00, b01, c01, b02, c02);
  const squares = add(add(dot(c00, c00, c01, c01, c02, c02), dot(c10, c10, c11, c11, c12, c12)),
    dot(c20, c20, c21, c21, c22, c22));
  const missing = f64x2.pmax(
    sub(mul(f64x2.splat(LEAST), whole), determinant),
    mul(whole, sub(f64x2.splat(1), mean)),
  );
  let factor = f64x2.div(missing, add(squares, f64x2.splat(TINY)));
  factor = f64x2.pmax(f64x2.splat(-LONGEST_STEP), f64x2.pmin(f64x2.splat(LONGEST_STEP), factor));
  const w = f64x2.splat(weight / (1 + weight));
  const r = f64x2.splat(1 / (1 + weight));
  const f = mul(w, factor);
  a00 = add(mul(r, a00), add(mul(w, b00), mul(f, c00))); a01 = add(mul(r, a01), add(mul(w, b01), mul(f, c01)));
  a02 = add(mul(r, a02), add(mul(w, b02), mul(f, c02))); a10 = add(mul(r, a10), add(mul(w, b10), mul(f, c10)));
  a11 = add(mul(r, a11), add(mul(w, b11), mul(f, c11))); a12 = add(mul(r, a12), add(mul(w, b12), mul(f, c12)));
  a20 = add(mul(r, a20), add(mul(w, b20), mul(f, c20))); a21 = add(mul(r, a21), add(mul(w, b21), mul(f, c21)));
  a22 = add(mul(r, a22), add(mul(w, b22), mul(f, c22)));
}
