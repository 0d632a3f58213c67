import { DisplaceVertices } from '../generated/blending';

/** Bytes of a record before its displacements, and of eight displacements. */
const HEAD: usize = 32;
const GROUP: usize = 24;

/**
 * Adds pose-dependent displacements to posed vertices: v_i += F_i Σ_r (Σ_s w_is c_bs,r) d_ir, with the coefficients c of
 * the displacements blended from those of four bones. All in fixed point up to the sum, eight displacements in a register.
 * A record has all that belongs to a vertex, with addresses in place of indices, whose arithmetic would take half of the
 * time: four addresses of coefficients (i16 each), two pairs of weights (i16, 15 bits of fraction), the addresses of the
 * rotation (12 f32, three columns padded to four, with the unit of the sum) and of the vertex (3 f32; added to), then i8
 * displacements: x, y and z of eight, and so on.
 *
 * Arguments: records, groups of eight displacements
 */
export function displaceVertices(begin: i32, end: i32, args: DisplaceVertices, scratch: usize): void {
  const groups = <usize>args.groups;
  const size = HEAD + GROUP * groups;
  let at = args.records + <usize>begin * size;
  const last = args.records + <usize>end * size;
  if (groups == 1) {
    for (; at < last; at += size) {
      const c = blended(at, 0);
      move(at, along(c, at, 0), along(c, at, 8), along(c, at, 16));
    }
  } else if (groups == 2) {
    for (; at < last; at += size) {
      const a = blended(at, 0);
      const b = blended(at, 16);
      const x = i32x4.add(along(a, at, 0), along(b, at, 24));
      const y = i32x4.add(along(a, at, 8), along(b, at, 32));
      const z = i32x4.add(along(a, at, 16), along(b, at, 40));
      move(at, x, y, z);
    }
  } else {
    for (; at < last; at += size) {
      let x = i32x4.splat(0);
      let y = i32x4.splat(0);
      let z = i32x4.splat(0);
      for (let g: usize = 0; g < groups; g++) {
        const c = blended(at, g << 4);
        x = i32x4.add(x, along(c, at, GROUP * g));
        y = i32x4.add(y, along(c, at, GROUP * g + 8));
        z = i32x4.add(z, along(c, at, GROUP * g + 16));
      }
      move(at, x, y, z);
    }
  }
}

/** Eight coefficients of the four bones, blended: products of pairs, so that nothing saturates on the way. */
// @ts-ignore: decorator
@inline
function blended(at: usize, offset: usize): v128 {
  const a = v128.load(<usize>load<u32>(at) + offset);
  const b = v128.load(<usize>load<u32>(at, 4) + offset);
  const c = v128.load(<usize>load<u32>(at, 8) + offset);
  const d = v128.load(<usize>load<u32>(at, 12) + offset);
  const ab = v128.load32_splat(at, 16);
  const cd = v128.load32_splat(at, 20);
  const low = i32x4.add(
    i32x4.dot_i16x8_s(ab, v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11)),
    i32x4.dot_i16x8_s(cd, v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11)),
  );
  const high = i32x4.add(
    i32x4.dot_i16x8_s(ab, v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15)),
    i32x4.dot_i16x8_s(cd, v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15)),
  );
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, 15), i32x4.shr_s(high, 15));
}

/** One coordinate of eight displacements times their coefficients, in four sums. */
// @ts-ignore: decorator
@inline
function along(coefficients: v128, at: usize, offset: usize): v128 {
  return i32x4.dot_i16x8_s(coefficients, v128.load8x8_s(at + offset, HEAD));
}

/** Sums up, rotates and adds to the vertex. */
// @ts-ignore: decorator
@inline
function move(at: usize, x: v128, y: v128, z: v128): void {
  const xy = i32x4.add(v128.shuffle<i32>(x, y, 0, 2, 4, 6), v128.shuffle<i32>(x, y, 1, 3, 5, 7));
  const zz = i32x4.add(v128.shuffle<i32>(z, z, 0, 2, 4, 6), v128.shuffle<i32>(z, z, 1, 3, 5, 7));
  const sums = f32x4.convert_i32x4_s(
    i32x4.add(v128.shuffle<i32>(xy, zz, 0, 2, 4, 6), v128.shuffle<i32>(xy, zz, 1, 3, 5, 7)),
  );
  const F = <usize>load<u32>(at, 24);
  const moved = f32x4.add(
    f32x4.mul(v128.shuffle<f32>(sums, sums, 0, 0, 0, 0), v128.load(F)),
    f32x4.add(
      f32x4.mul(v128.shuffle<f32>(sums, sums, 1, 1, 1, 1), v128.load(F, 16)),
      f32x4.mul(v128.shuffle<f32>(sums, sums, 2, 2, 2, 2), v128.load(F, 32)),
    ),
  );
  const to = <usize>load<u32>(at, 28);
  const v = f32x4.add(v128.load32_lane(to, v128.load64_zero(to), 2, 8), moved);
  v128.store64_lane(to, v, 0);
  v128.store32_lane(to, v, 2, 8);
}
