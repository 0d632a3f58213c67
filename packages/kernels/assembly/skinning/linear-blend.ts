import { LinearBlend } from '../generated/blending';

/**
 * Linear blend skinning in float32: v'ᵢ = Σⱼ wᵢⱼ Mⱼ p̂ᵢ. Bones are stored as four columns of four floats, so that a
 * vertex blends its matrix in four registers and multiplies once.
 *
 * Arguments: rest (n × 3 f32), bones (n × K u16), weights (n × K f32), K, columns (m × 16 f32), out (n × 3 f32,
 * with room for one more float)
 */
export function linearBlend(begin: i32, end: i32, args: LinearBlend, scratch: usize): void {
  const rest = args.rest;
  const K = args.K;
  const columns = args.columns;
  const out = args.out;
  let bone = args.bones + (<usize>(begin * K) << 1);
  let weight = args.weights + (<usize>(begin * K) << 2);
  if (K == 4) {
    blendFour(begin, end, rest, bone, weight, columns, out);
    return;
  }
  for (let i = begin; i < end; i++) {
    let w = v128.load32_splat(weight);
    let at = columns + (<usize>load<u16>(bone) << 6);
    let c0 = f32x4.mul(w, v128.load(at));
    let c1 = f32x4.mul(w, v128.load(at, 16));
    let c2 = f32x4.mul(w, v128.load(at, 32));
    let c3 = f32x4.mul(w, v128.load(at, 48));
    for (let s = 1; s < K; s++) {
      w = v128.load32_splat(weight + (<usize>s << 2));
      at = columns + (<usize>load<u16>(bone + (<usize>s << 1)) << 6);
      c0 = f32x4.add(c0, f32x4.mul(w, v128.load(at)));
      c1 = f32x4.add(c1, f32x4.mul(w, v128.load(at, 16)));
      c2 = f32x4.add(c2, f32x4.mul(w, v128.load(at, 32)));
      c3 = f32x4.add(c3, f32x4.mul(w, v128.load(at, 48)));
    }
    weight += <usize>K << 2;
    bone += <usize>K << 1;
    const p = rest + <usize>i * 12;
    let v = f32x4.add(c3, f32x4.mul(c0, v128.load32_splat(p)));
    v = f32x4.add(v, f32x4.mul(c1, v128.load32_splat(p, 4)));
    v = f32x4.add(v, f32x4.mul(c2, v128.load32_splat(p, 8)));
    const to = out + <usize>i * 12;
    v128.store64_lane(to, v, 0);
    v128.store32_lane(to, v, 2, 8);
  }
}

/** The same for four weights, which is what engines have: unrolled, with sums in pairs. */
function blendFour(begin: i32, end: i32, rest: usize, bones: usize, weights: usize, columns: usize, out: usize): void {
  let bone = bones;
  let weight = weights;
  let p = rest + <usize>begin * 12;
  let to = out + <usize>begin * 12;
  for (let i = begin; i < end; i++) {
    const a = columns + (<usize>load<u16>(bone) << 6);
    const b = columns + (<usize>load<u16>(bone, 2) << 6);
    const c = columns + (<usize>load<u16>(bone, 4) << 6);
    const d = columns + (<usize>load<u16>(bone, 6) << 6);
    const wa = v128.load32_splat(weight);
    const wb = v128.load32_splat(weight, 4);
    const wc = v128.load32_splat(weight, 8);
    const wd = v128.load32_splat(weight, 12);
    const c0 = f32x4.add(
      f32x4.add(f32x4.mul(wa, v128.load(a)), f32x4.mul(wb, v128.load(b))),
      f32x4.add(f32x4.mul(wc, v128.load(c)), f32x4.mul(wd, v128.load(d))),
    );
    const c1 = f32x4.add(
      f32x4.add(f32x4.mul(wa, v128.load(a, 16)), f32x4.mul(wb, v128.load(b, 16))),
      f32x4.add(f32x4.mul(wc, v128.load(c, 16)), f32x4.mul(wd, v128.load(d, 16))),
    );
    const c2 = f32x4.add(
      f32x4.add(f32x4.mul(wa, v128.load(a, 32)), f32x4.mul(wb, v128.load(b, 32))),
      f32x4.add(f32x4.mul(wc, v128.load(c, 32)), f32x4.mul(wd, v128.load(d, 32))),
    );
    const c3 = f32x4.add(
      f32x4.add(f32x4.mul(wa, v128.load(a, 48)), f32x4.mul(wb, v128.load(b, 48))),
      f32x4.add(f32x4.mul(wc, v128.load(c, 48)), f32x4.mul(wd, v128.load(d, 48))),
    );
    const v = f32x4.add(
      f32x4.add(c3, f32x4.mul(c0, v128.load32_splat(p))),
      f32x4.add(f32x4.mul(c1, v128.load32_splat(p, 4)), f32x4.mul(c2, v128.load32_splat(p, 8))),
    );
    v128.store64_lane(to, v, 0);
    v128.store32_lane(to, v, 2, 8);
    bone += 8;
    weight += 16;
    p += 12;
    to += 12;
  }
}
