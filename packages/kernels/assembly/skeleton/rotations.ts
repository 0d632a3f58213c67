import { RotationsScratch, SkeletonRotations } from '../generated/skeleton';
import { properRotation } from '../../../math/assembly/small/rotation';
import { turnAll } from './gauss-newton';
import { objective, residualMoments, subtractRows } from './residual-moments';

/**
 * Rotations of a skeleton for fixed joints and weights, frame by frame: minimise
 *
 *   Σ_i ‖v_i − T − Σ_k R_k c_ik‖²   over R_k ∈ SO(3), T eliminated,
 *
 * from centred moments alone: C_kl = Σ_i c_ik c_ilᵀ and Y_k = Σ_i v_i c_ikᵀ, 3 × 3 each. First sweeps that turn one bone
 * at a time against what the others leave (Kabsch): safe from anywhere, slow along a chain. Then Gauss–Newton steps that
 * turn all bones together.
 *
 * Arguments: R (S × m × 9, in and out), C (3m × stride), Y (3S × stride), m, stride (3m, made even; the padding
 * is zero), sweeps, Gauss–Newton steps
 */
export function skeletonRotations(begin: i32, end: i32, args: SkeletonRotations, scratch: usize): void {
  const C = args.C;
  const m = args.m;
  const stride = <usize>args.stride << 3;
  const sweeps = args.sweeps;
  const steps = args.steps;
  const U = RotationsScratch.U(scratch, m, args.stride);
  const H = RotationsScratch.H(scratch, m, args.stride);
  const inner = RotationsScratch.inner(scratch, m, args.stride);
  for (let t = begin; t < end; t++) {
    const R = args.rotations + <usize>(t * m) * 72;
    const Y = args.Y + <usize>(3 * t) * stride;
    residualMoments(R, C, Y, m, stride, U);
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (let k = 0; k < m; k++) turnOne(R + <usize>k * 72, C, k, stride, U, H);
    }
    let value = objective(R, Y, U, m, stride);
    for (let step = 0; step < steps; step++) {
      const next = turnAll(R, C, Y, U, m, stride, value, inner);
      if (!(value - next > LEAST_GAIN * abs(value))) break;
      value = next;
    }
  }
}

/** Relative fall of the objective below which a frame is done: rounding. */
const LEAST_GAIN: f64 = 1e-15;

/** One bone against what the others leave, and U after it. H is scratch of 2 × 80 bytes. */
function turnOne(R: usize, C: usize, k: i32, stride: usize, U: usize, H: usize): void {
  const column = <usize>(3 * k) << 3;
  const rows = C + <usize>(3 * k) * stride;
  const own = rows + column;
  // A bone that moves nothing stays as it is.
  if (!(load<f64>(own) + load<f64>(own + stride, 8) + load<f64>(own + 2 * stride, 16) > 0)) return;
  const turned = H + 80;
  for (let d: usize = 0; d < 3; d++) {
    for (let e: usize = 0; e < 3; e++) {
      let sum = load<f64>(U + d * stride + column + (e << 3));
      for (let f: usize = 0; f < 3; f++) {
        sum += load<f64>(R + d * 24 + (f << 3)) * load<f64>(own + f * stride + (e << 3));
      }
      // properRotation takes Σ c qᵀ, the transpose.
      store<f64>(H + e * 24 + (d << 3), sum);
    }
  }
  properRotation(H, turned);
  for (let e: usize = 0; e < 72; e += 8) {
    const value = load<f64>(turned + e);
    store<f64>(turned + e, value - load<f64>(R + e));
    store<f64>(R + e, value);
  }
  subtractRows(U, turned, rows, stride);
}
