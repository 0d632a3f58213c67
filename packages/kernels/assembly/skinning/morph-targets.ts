import { AddMorphTargets } from '../generated/blending';

/**
 * A rest pose with its morph targets, in float32: out = rest + Σ_e a_e δ_e. Items are groups of four numbers.
 *
 * Arguments: rest, deltas (E of them, `stride` floats apart), E, stride, shares (E f32), out
 */
export function addMorphTargets(begin: i32, end: i32, args: AddMorphTargets, scratch: usize): void {
  const rest = args.rest;
  const deltas = args.deltas;
  const E = args.targets;
  const stride = <usize>args.stride << 2;
  const shares = args.shares;
  const out = args.out;
  for (let k = <usize>begin << 4; k < <usize>end << 4; k += 16) {
    let sum = v128.load(rest + k);
    let delta = deltas + k;
    for (let e = 0; e < E; e++, delta += stride) {
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(shares + (<usize>e << 2)), v128.load(delta)));
    }
    v128.store(out + k, sum);
  }
}
