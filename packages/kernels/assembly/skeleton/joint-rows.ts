import { JointRows } from '../generated/skeleton';

/**
 * Normal equations of all joints o_a of a skeleton for fixed rotations and weights: minimise
 *
 *   Σ_t Σ_i ‖f_ti − Σ_a W_ia D_ta o_a‖²,   D_ta = R_t,parent(a) − R_ta,
 *
 * with W_ia the centred weight of the bones below joint a and f_ti what the bones leave without any joint:
 * A_ab = (Σ_i W_ia W_ib) Σ_t D_taᵀ D_tb (3 × 3, lower triangle of blocks), b_a = Σ_t D_taᵀ Σ_i W_ia f_ti.
 *
 * Arguments: R (S × m × 9), bones (q i32), their parents (q i32), Σ_i W_ia W_ib (q × q), Σ_i W_ia v_ti (3S × q),
 * Σ_i W_ia w_il p_i (q × m × 3), A (3q × 3q, out), b (3q, out), m, S, q. Items are joints.
 */
export function jointRows(begin: i32, end: i32, args: JointRows, scratch: usize): void {
  const q = args.q;
  for (let a = begin; a < end; a++) {
    rightHandSide(a, args);
    for (let c = 0; c <= a; c++) block(a, c, q, args);
  }
}

// @ts-ignore: decorator
@inline
function difference(parent: usize, child: usize, k: usize): f64 {
  return load<f64>(parent + (k << 3)) - load<f64>(child + (k << 3));
}

// @ts-ignore: decorator
@inline
function indexAt(list: usize, k: i32): usize {
  return <usize>load<i32>(list + (<usize>k << 2));
}

function rightHandSide(a: i32, args: JointRows): void {
  const m = args.m;
  const S = args.S;
  const q = args.q;
  const frame = <usize>m * 72;
  const rest = args.rest + <usize>(a * m) * 24;
  let R = args.rotations;
  let moved = args.moved + (<usize>a << 3);
  const row = <usize>q << 3;
  const child = indexAt(args.bones, a) * 72;
  const parent = indexAt(args.parents, a) * 72;
  let x: f64 = 0, y: f64 = 0, z: f64 = 0;
  for (let t = 0; t < S; t++) {
    for (let d: usize = 0; d < 3; d++) {
      let u = load<f64>(moved + d * row);
      for (let l = 0; l < m; l++) {
        const r = R + <usize>l * 72 + d * 24;
        const p = rest + <usize>l * 24;
        u -= load<f64>(r) * load<f64>(p) + load<f64>(r, 8) * load<f64>(p, 8) + load<f64>(r, 16) * load<f64>(p, 16);
      }
      x += u * difference(R + parent, R + child, 3 * d);
      y += u * difference(R + parent, R + child, 3 * d + 1);
      z += u * difference(R + parent, R + child, 3 * d + 2);
    }
    R += frame;
    moved += 3 * row;
  }
  const b = args.b + <usize>a * 24;
  store<f64>(b, x);
  store<f64>(b, y, 8);
  store<f64>(b, z, 16);
}

function block(a: i32, c: i32, q: i32, args: JointRows): void {
  const frame = <usize>args.m * 72;
  const S = args.S;
  const bones = args.bones;
  const parents = args.parents;
  const R = args.rotations;
  let childA = R + indexAt(bones, a) * 72, parentA = R + indexAt(parents, a) * 72;
  let childC = R + indexAt(bones, c) * 72, parentC = R + indexAt(parents, c) * 72;
  let xx: f64 = 0, xy: f64 = 0, xz: f64 = 0;
  let yx: f64 = 0, yy: f64 = 0, yz: f64 = 0;
  let zx: f64 = 0, zy: f64 = 0, zz: f64 = 0;
  for (let t = 0; t < S; t++) {
    for (let d: usize = 0; d < 9; d += 3) {
      const ax = difference(parentA, childA, d);
      const ay = difference(parentA, childA, d + 1);
      const az = difference(parentA, childA, d + 2);
      const cx = difference(parentC, childC, d);
      const cy = difference(parentC, childC, d + 1);
      const cz = difference(parentC, childC, d + 2);
      xx += ax * cx; xy += ax * cy; xz += ax * cz;
      yx += ay * cx; yy += ay * cy; yz += ay * cz;
      zx += az * cx; zy += az * cy; zz += az * cz;
    }
    childA += frame; parentA += frame;
    childC += frame; parentC += frame;
  }
  const w = load<f64>(args.pairs + (<usize>(a * q + c) << 3));
  const row = <usize>(3 * q) << 3;
  const out = args.A + <usize>(3 * a) * row + (<usize>(3 * c) << 3);
  store<f64>(out, w * xx); store<f64>(out, w * xy, 8); store<f64>(out, w * xz, 16);
  store<f64>(out + row, w * yx); store<f64>(out + row, w * yy, 8); store<f64>(out + row, w * yz, 16);
  store<f64>(out + 2 * row, w * zx); store<f64>(out + 2 * row, w * zy, 8); store<f64>(out + 2 * row, w * zz, 16);
}
