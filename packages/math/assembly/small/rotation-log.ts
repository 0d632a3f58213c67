/**
 * Batches of rotations as vectors and back: the kernels of src/small/rotation-log.ts and src/small/quaternion.ts, where
 * the formulas are explained. Sine and arc tangent are the compiled ones, the same on every platform.
 */
import { pointer } from '../arguments';

const NO_AXIS: f64 = 1e-12;
const PI: f64 = 3.141592653589793;

/** Rᵢ = exp [ωᵢ]×. args: logs (f64 n × 3), rotations (f64 n × 9). */
export function rotationExpBatch(begin: i32, end: i32, args: usize, scratch: usize): void {
  const logs = pointer(args, 0);
  const rotations = pointer(args, 1);
  for (let i = begin; i < end; i++) {
    const log = logs + <usize>i * 24;
    let x = load<f64>(log), y = load<f64>(log, 8), z = load<f64>(log, 16);
    const angle = sqrt(x * x + y * y + z * z);
    const factor: f64 = angle > 0 ? Math.sin(0.5 * angle) / angle : 0.5;
    const w = Math.cos(0.5 * angle);
    x *= factor; y *= factor; z *= factor;
    const out = rotations + <usize>i * 72;
    store<f64>(out, 1 - 2 * (y * y + z * z));
    store<f64>(out, 2 * (x * y - w * z), 8);
    store<f64>(out, 2 * (x * z + w * y), 16);
    store<f64>(out, 2 * (x * y + w * z), 24);
    store<f64>(out, 1 - 2 * (x * x + z * z), 32);
    store<f64>(out, 2 * (y * z - w * x), 40);
    store<f64>(out, 2 * (x * z - w * y), 48);
    store<f64>(out, 2 * (y * z + w * x), 56);
    store<f64>(out, 1 - 2 * (x * x + y * y), 64);
  }
}

/**
 * ωᵢ = the logarithm of Rᵢ nearest to the reference, the principal one where there is none.
 * args: rotations (f64 n × 9), references (f64 n × 3, or 0), logs (f64 n × 3; may be the references).
 */
export function rotationLogBatch(begin: i32, end: i32, args: usize, scratch: usize): void {
  const rotations = pointer(args, 0);
  const references = pointer(args, 1);
  const logs = pointer(args, 2);
  for (let i = begin; i < end; i++) {
    const reference = references == 0 ? 0 : references + <usize>i * 24;
    logNear(rotations + <usize>i * 72, reference, logs + <usize>i * 24);
  }
}

function logNear(r: usize, reference: usize, out: usize): void {
  const r00 = load<f64>(r), r01 = load<f64>(r, 8), r02 = load<f64>(r, 16);
  const r10 = load<f64>(r, 24), r11 = load<f64>(r, 32), r12 = load<f64>(r, 40);
  const r20 = load<f64>(r, 48), r21 = load<f64>(r, 56), r22 = load<f64>(r, 64);
  const trace = r00 + r11 + r22;
  let x: f64, y: f64, z: f64, w: f64;
  if (trace >= r00 && trace >= r11 && trace >= r22) {
    w = 1 + trace; x = r21 - r12; y = r02 - r20; z = r10 - r01;
  } else if (r00 >= r11 && r00 >= r22) {
    w = r21 - r12; x = 1 + r00 - r11 - r22; y = r01 + r10; z = r02 + r20;
  } else if (r11 >= r22) {
    w = r02 - r20; x = r01 + r10; y = 1 + r11 - r00 - r22; z = r12 + r21;
  } else {
    w = r10 - r01; x = r02 + r20; y = r12 + r21; z = 1 + r22 - r00 - r11;
  }
  const inverse = (w < 0 ? -1.0 : 1.0) / sqrt(x * x + y * y + z * z + w * w);
  x *= inverse; y *= inverse; z *= inverse; w *= inverse;
  const sine = sqrt(x * x + y * y + z * z);
  const factor: f64 = sine > 0 ? 2 * Math.atan2(sine, w) / sine : 2;
  x *= factor; y *= factor; z *= factor;
  if (reference != 0) {
    const rx = load<f64>(reference), ry = load<f64>(reference, 8), rz = load<f64>(reference, 16);
    let angle = sqrt(x * x + y * y + z * z);
    let ax = x / angle, ay = y / angle, az = z / angle;
    if (angle < 2 * NO_AXIS) {
      const length = sqrt(rx * rx + ry * ry + rz * rz);
      ax = rx / length; ay = ry / length; az = rz / length;
      angle = 0;
      if (length < PI) { ax = 0; ay = 0; az = 0; }
    }
    const turns = Math.round((rx * ax + ry * ay + rz * az - angle) / (2 * PI));
    if (turns != 0) {
      angle += 2 * PI * turns;
      x = angle * ax; y = angle * ay; z = angle * az;
    }
  }
  store<f64>(out, x);
  store<f64>(out, y, 8);
  store<f64>(out, z, 16);
}
