import { integer, pointer } from '../arguments';

/**
 * Adds pose-dependent displacements to posed vertices: v_i += F_i Σ_r (Σ_s w_is c_bs,r) d_ir, with the coefficients c of
 * the R displacements blended from those of the vertex's bones. Displacements come in groups of four, so that a group is
 * one register per coordinate.
 *
 * args: 0 vertices (count u32), 1 groups, 2 displacements (count × groups × 12 f32: x, y and z of four), 3 K, 4 bones
 * (count × K u16), 5 weights (count × K f32), 6 coefficients (m × 4 groups f32), 7 axes (count u16), 8 rotations (L × 12
 * f32, three columns padded to four), 9 out (n × 3 f32; added to)
 */
export function displaceVertices(begin: i32, end: i32, args: usize, scratch: usize): void {
  const groups = <usize>integer(args, 1);
  const stride = groups << 4;
  const K = integer(args, 3);
  const coefficients = pointer(args, 6);
  const rotations = pointer(args, 8);
  const out = pointer(args, 9);
  let vertex = pointer(args, 0) + (<usize>begin << 2);
  let d = pointer(args, 2) + <usize>begin * groups * 48;
  let bone = pointer(args, 4) + (<usize>(begin * K) << 1);
  let weight = pointer(args, 5) + (<usize>(begin * K) << 2);
  let axis = pointer(args, 7) + (<usize>begin << 1);
  for (let i = begin; i < end; i++) {
    let x = f32x4.splat(0);
    let y = f32x4.splat(0);
    let z = f32x4.splat(0);
    if (K == 4) {
      let a = coefficients + <usize>load<u16>(bone) * stride;
      let b = coefficients + <usize>load<u16>(bone, 2) * stride;
      let e = coefficients + <usize>load<u16>(bone, 4) * stride;
      let f = coefficients + <usize>load<u16>(bone, 6) * stride;
      const wa = v128.load32_splat(weight);
      const wb = v128.load32_splat(weight, 4);
      const we = v128.load32_splat(weight, 8);
      const wf = v128.load32_splat(weight, 12);
      for (let g: usize = 0; g < groups; g++) {
        const c = f32x4.add(
          f32x4.add(f32x4.mul(wa, v128.load(a)), f32x4.mul(wb, v128.load(b))),
          f32x4.add(f32x4.mul(we, v128.load(e)), f32x4.mul(wf, v128.load(f))),
        );
        x = f32x4.add(x, f32x4.mul(c, v128.load(d)));
        y = f32x4.add(y, f32x4.mul(c, v128.load(d, 16)));
        z = f32x4.add(z, f32x4.mul(c, v128.load(d, 32)));
        a += 16;
        b += 16;
        e += 16;
        f += 16;
        d += 48;
      }
    } else {
      for (let g: usize = 0; g < groups; g++) {
        let c = f32x4.splat(0);
        for (let s = 0; s < K; s++) {
          const row = coefficients + <usize>load<u16>(bone + (<usize>s << 1)) * stride + (g << 4);
          c = f32x4.add(c, f32x4.mul(v128.load32_splat(weight + (<usize>s << 2)), v128.load(row)));
        }
        x = f32x4.add(x, f32x4.mul(c, v128.load(d)));
        y = f32x4.add(y, f32x4.mul(c, v128.load(d, 16)));
        z = f32x4.add(z, f32x4.mul(c, v128.load(d, 32)));
        d += 48;
      }
    }
    const F = rotations + <usize>load<u16>(axis) * 48;
    const moved = f32x4.add(
      f32x4.mul(sumOfLanes(x), v128.load(F)),
      f32x4.add(f32x4.mul(sumOfLanes(y), v128.load(F, 16)), f32x4.mul(sumOfLanes(z), v128.load(F, 32))),
    );
    const to = out + <usize>load<u32>(vertex) * 12;
    const v = f32x4.add(v128.load32_lane(to, v128.load64_zero(to), 2, 8), moved);
    v128.store64_lane(to, v, 0);
    v128.store32_lane(to, v, 2, 8);
    vertex += 4;
    axis += 2;
    bone += <usize>K << 1;
    weight += <usize>K << 2;
  }
}

/** The sum of all four, in every lane. */
// @ts-ignore: decorator
@inline
function sumOfLanes(a: v128): v128 {
  const pairs = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  return f32x4.add(pairs, v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2));
}
