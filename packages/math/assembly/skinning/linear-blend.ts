import { integer, pointer } from '../arguments';

/**
 * Linear blend skinning in float32: v'ᵢ = Σⱼ wᵢⱼ Mⱼ p̂ᵢ. Bones are stored as four columns of four floats, so that a
 * vertex blends its matrix in four registers and multiplies once.
 *
 * args: 0 rest (n × 3 f32), 1 bones (n × K u16), 2 weights (n × K f32), 3 K, 4 columns (m × 16 f32), 5 out (n × 3 f32,
 * with room for one more float)
 */
export function linearBlend(begin: i32, end: i32, args: usize, scratch: usize): void {
  const rest = pointer(args, 0);
  const K = integer(args, 3);
  const columns = pointer(args, 4);
  const out = pointer(args, 5);
  let bone = pointer(args, 1) + (<usize>(begin * K) << 1);
  let weight = pointer(args, 2) + (<usize>(begin * K) << 2);
  for (let i = begin; i < end; i++) {
    let c0 = f32x4.splat(0), c1 = f32x4.splat(0), c2 = f32x4.splat(0), c3 = f32x4.splat(0);
    for (let s = 0; s < K; s++) {
      const w = v128.load32_splat(weight);
      const at = columns + (<usize>load<u16>(bone) << 6);
      c0 = f32x4.add(c0, f32x4.mul(w, v128.load(at)));
      c1 = f32x4.add(c1, f32x4.mul(w, v128.load(at, 16)));
      c2 = f32x4.add(c2, f32x4.mul(w, v128.load(at, 32)));
      c3 = f32x4.add(c3, f32x4.mul(w, v128.load(at, 48)));
      weight += 4;
      bone += 2;
    }
    const p = rest + <usize>i * 12;
    let v = f32x4.add(c3, f32x4.mul(c0, v128.load32_splat(p)));
    v = f32x4.add(v, f32x4.mul(c1, v128.load32_splat(p, 4)));
    v = f32x4.add(v, f32x4.mul(c2, v128.load32_splat(p, 8)));
    const at = out + <usize>i * 12;
    v128.store64_lane(at, v, 0);
    v128.store32_lane(at, v, 2, 8);
  }
}
