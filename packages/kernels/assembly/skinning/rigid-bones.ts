import { RigidBones, RigidScratch } from '../generated/skinning';
import { properRotation } from '../../../math/assembly/small/rotation';

/**
 * Rigid bones for fixed weights, frame by frame: one bone at a time against what the others leave,
 *
 *   Y = Q_tj − Σ_{k≠j} M_tk P_kj  (3 × 4),  H = Y₃ − y sᵀ/σ,  R = rotation of H,  T = (y − R s)/σ,
 *
 * where P_jj = [Π s; sᵀ σ] and y is the last column of Y: absolute orientation with blending in moment form
 * (Le, Deng 2012, equations 15–17). Several sweeps cost O(m · neighbours) each, whatever the number of vertices.
 *
 * One or two vertices leave a rotation undetermined, and rounding would decide it. A proximal term εσ‖R − R₀‖²/2, R₀ the
 * rotation at hand, adds εσR₀ᵀ to H: what the vertices do not determine stays, and the fixed points are the same.
 *
 * Arguments: M (S × m × 12, in and out), B (r × 3S), P (m × m × 10), Q (m × 4 × R), m, S, r, R, sweeps,
 * locked (m i32, 1: the bone stays as it is), ε
 */
export function rigidBones(begin: i32, end: i32, args: RigidBones, scratch: usize): void {
  const M = args.transforms;
  const B = args.basis;
  const P = args.moments;
  const Q = args.trajectoryMoments;
  const m = args.m;
  const S = args.S;
  const r = args.r;
  const R = args.R;
  const sweeps = args.sweeps;
  const locked = args.locked;
  const steadiness = args.steadiness;
  const frameQ = RigidScratch.frame(scratch, m);
  const nextQ = RigidScratch.next(scratch, m);
  for (let t = begin; t < end; t += 2) {
    const pair = t + 1 < end;
    expandMoments(Q, B, P, m, S, r, R, t, pair, frameQ, nextQ);
    sweepFrame(M + <usize>(t * m) * 96, P, m, sweeps, locked, steadiness, frameQ, scratch);
    if (pair) sweepFrame(M + <usize>((t + 1) * m) * 96, P, m, sweeps, locked, steadiness, nextQ, scratch);
  }
}

function sweepFrame(
  bones: usize, P: usize, m: i32, sweeps: i32, locked: usize, steadiness: f64, frameQ: usize, scratch: usize,
): void {
  const Y = RigidScratch.Y(scratch, m);
  const H = RigidScratch.H(scratch, m);
  const rotation = RigidScratch.rotation(scratch, m);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let j = 0; j < m; j++) {
      if (load<i32>(locked + (<usize>j << 2)) != 0) continue;
      const own = P + <usize>(j * m + j) * 80;
      const sigma = load<f64>(own, 72);
      // A bone that moves nothing keeps its transform.
      if (!(sigma > 0)) continue;
      memory.copy(Y, frameQ + <usize>j * 96, 96);
      for (let k = 0; k < m; k++) {
        const pair = P + <usize>(k * m + j) * 80;
        if (k != j && load<f64>(pair, 72) != 0) subtractBone(Y, bones + <usize>k * 96, pair);
      }
      solveRigid(Y, own, sigma, steadiness, H, rotation, bones + <usize>j * 96);
    }
  }
}

/**
 * Q_tj = Σ_ρ B_ρt Q_jρ (3 × 4) for all bones that move something, of frame t and, where there is one, of the next: the
 * six numbers of a row of the basis are three pairs.
 */
function expandMoments(
  Q: usize, B: usize, P: usize, m: i32, S: i32, r: i32, R: i32, t: i32, pair: bool, out: usize, outNext: usize,
): void {
  const stride = <usize>(3 * S) << 3;
  const row = <usize>R << 3;
  for (let j = 0; j < m; j++) {
    if (!(load<f64>(P + <usize>(j * m + j) * 80, 72) > 0)) continue;
    for (let a = 0; a < 4; a++) {
      const moments = Q + <usize>(j * 4 + a) * row;
      const at = out + <usize>j * 96 + (<usize>a << 3);
      let basis = B + (<usize>(3 * t) << 3);
      if (!pair) {
        let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0;
        for (let k = 0; k < r; k++) {
          const value = load<f64>(moments + (<usize>k << 3));
          s0 += load<f64>(basis) * value;
          s1 += load<f64>(basis, 8) * value;
          s2 += load<f64>(basis, 16) * value;
          basis += stride;
        }
        store<f64>(at, s0);
        store<f64>(at, s1, 32);
        store<f64>(at, s2, 64);
        continue;
      }
      let s01 = f64x2.splat(0), s23 = f64x2.splat(0), s45 = f64x2.splat(0);
      for (let k = 0; k < r; k++) {
        const value = v128.load64_splat(moments + (<usize>k << 3));
        s01 = f64x2.add(s01, f64x2.mul(v128.load(basis), value));
        s23 = f64x2.add(s23, f64x2.mul(v128.load(basis, 16), value));
        s45 = f64x2.add(s45, f64x2.mul(v128.load(basis, 32), value));
        basis += stride;
      }
      store<f64>(at, f64x2.extract_lane(s01, 0));
      store<f64>(at, f64x2.extract_lane(s01, 1), 32);
      store<f64>(at, f64x2.extract_lane(s23, 0), 64);
      const next = outNext + <usize>j * 96 + (<usize>a << 3);
      store<f64>(next, f64x2.extract_lane(s23, 1));
      store<f64>(next, f64x2.extract_lane(s45, 0), 32);
      store<f64>(next, f64x2.extract_lane(s45, 1), 64);
    }
  }
}

/** Y ← Y − M·P for a 3 × 4 M and a symmetric 4 × 4 P of ten coefficients */
// @ts-ignore: decorator
@inline
function subtractBone(Y: usize, bone: usize, P: usize): void {
  const p01 = v128.load(P);
  const p23 = v128.load(P, 16);
  const p45 = v128.load(P, 32);
  const p67 = v128.load(P, 48);
  const p89 = v128.load(P, 64);
  // Rows of the 4 × 4: (0 1 2 3) (1 4 5 6) (2 5 7 8) (3 6 8 9)
  const r1a = v128.shuffle<f64>(p01, p45, 1, 2);
  const r1b = v128.shuffle<f64>(p45, p67, 1, 2);
  const r2a = v128.shuffle<f64>(p23, p45, 0, 3);
  const r2b = v128.shuffle<f64>(p67, p89, 1, 2);
  const r3a = v128.shuffle<f64>(p23, p67, 1, 2);
  for (let d: usize = 0; d < 96; d += 32) {
    const a0 = v128.load64_splat(bone + d);
    const a1 = v128.load64_splat(bone + d + 8);
    const a2 = v128.load64_splat(bone + d + 16);
    const a3 = v128.load64_splat(bone + d + 24);
    let left = f64x2.add(f64x2.mul(a0, p01), f64x2.mul(a1, r1a));
    left = f64x2.add(left, f64x2.add(f64x2.mul(a2, r2a), f64x2.mul(a3, r3a)));
    let right = f64x2.add(f64x2.mul(a0, p23), f64x2.mul(a1, r1b));
    right = f64x2.add(right, f64x2.add(f64x2.mul(a2, r2b), f64x2.mul(a3, p89)));
    v128.store(Y + d, f64x2.sub(v128.load(Y + d), left));
    v128.store(Y + d + 16, f64x2.sub(v128.load(Y + d + 16), right));
  }
}

function solveRigid(
  Y: usize, own: usize, sigma: f64, steadiness: f64, H: usize, rotation: usize, out: usize,
): void {
  const sx = load<f64>(own, 24);
  const sy = load<f64>(own, 48);
  const sz = load<f64>(own, 64);
  // H = Σ w p̄ q̄ᵀ is the transpose of the centred Y.
  for (let d: usize = 0; d < 3; d++) {
    const row = Y + d * 32;
    const y = load<f64>(row, 24) / sigma;
    const before = out + d * 32;
    const pull = steadiness * sigma;
    store<f64>(H + (d << 3), load<f64>(row) - y * sx + pull * load<f64>(before));
    store<f64>(H + 24 + (d << 3), load<f64>(row, 8) - y * sy + pull * load<f64>(before, 8));
    store<f64>(H + 48 + (d << 3), load<f64>(row, 16) - y * sz + pull * load<f64>(before, 16));
  }
  properRotation(H, rotation);
  for (let d: usize = 0; d < 3; d++) {
    const a = load<f64>(rotation + d * 24);
    const b = load<f64>(rotation + d * 24, 8);
    const c = load<f64>(rotation + d * 24, 16);
    const at = out + d * 32;
    store<f64>(at, a);
    store<f64>(at, b, 8);
    store<f64>(at, c, 16);
    store<f64>(at, (load<f64>(Y + d * 32, 24) - (a * sx + b * sy + c * sz)) / sigma, 24);
  }
}
