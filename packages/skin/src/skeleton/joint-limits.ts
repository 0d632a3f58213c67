/**
 * Range of motion of each joint in a clip: the rotation relative to the parent is decomposed into a twist about its
 * principal axis and a swing of that axis, q = swing · twist. A joint with little swing is a hinge.
 *
 * Reference: Grassia. Practical parameterization of rotations using the exponential map. 1998 (swing and twist).
 */
import { acos, atan2, quaternionFromRotation, rotationLogNear, symmetricEigen } from '@pelt/math';
import { type Bone, type Clip, TRANSFORM_SIZE } from '@pelt/model';

/** Range of motion of a joint. */
export interface JointLimits {
  /** `fixed` does not rotate, `hinge` rotates about one axis, `ball` about any. */
  readonly kind: 'fixed' | 'hinge' | 'ball';
  /** Unit vector in model space at rest. */
  readonly axis: readonly [number, number, number];
  /** Minimum and maximum angle about the axis relative to the rest pose, in degrees. */
  readonly twist: readonly [number, number];
  /** Maximum angle by which the axis itself is rotated, in degrees. */
  readonly swing: number;
}

const DEGREES = 180 / Math.PI;
/** Smaller rotations, in degrees, count as none. */
const STILL = 0.1;
/** Maximum swing of a hinge as a fraction of its range of twist. */
const HINGE = 0.1;

/** Limits of each bone; undefined for a root. */
export function jointLimits(bones: readonly Bone[], clip: Clip): (JointLimits | undefined)[] {
  return bones.map(({ parent }, k) =>
    parent < 0 ? undefined : limitsOf(relativeRotations(clip, k, parent, bones.length)),
  );
}

/** S × 9, R_pᵀ R_k: rotation of the child in the parent's rest axes. */
function relativeRotations({ times, transforms }: Clip, k: number, p: number, m: number): Float64Array {
  const out = new Float64Array(9 * times.length);
  for (let t = 0; t < times.length; t++) {
    const [own, above] = [(t * m + k) * TRANSFORM_SIZE, (t * m + p) * TRANSFORM_SIZE];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let e = 0; e < 3; e++) sum += transforms[above + 4 * e + r] * transforms[own + 4 * e + c];
        out[9 * t + 3 * r + c] = sum;
      }
    }
  }
  return out;
}

function limitsOf(rotations: Float64Array): JointLimits {
  const axis = principalAxis(rotations);
  const q = new Float64Array(4);
  let twist = 0;
  let [least, most, swing] = [0, 0, 0];
  for (let at = 0; at < rotations.length; at += 9) {
    quaternionFromRotation(rotations, at, q, 0);
    const along = axis[0] * q[0] + axis[1] * q[1] + axis[2] * q[2];
    // The branch nearest to the previous frame's: a joint may rotate beyond 180°.
    const angle = 2 * atan2(along, q[3]) * DEGREES;
    twist = angle + 360 * Math.round((twist - angle) / 360);
    least = Math.min(least, twist);
    most = Math.max(most, twist);
    swing = Math.max(swing, 2 * acos(Math.min(Math.hypot(along, q[3]), 1)) * DEGREES);
  }
  const range = most - least;
  const kind = range < STILL && swing < STILL ? 'fixed' : swing < Math.max(HINGE * range, STILL) ? 'hinge' : 'ball';
  return { kind, axis, twist: [least, most], swing };
}

/** Principal direction of the rotation vectors; its largest component is positive. */
function principalAxis(rotations: Float64Array): [number, number, number] {
  const log = new Float64Array(3);
  const A = new Float64Array(9);
  for (let at = 0; at < rotations.length; at += 9) {
    rotationLogNear(rotations, at, log, 0, log, 0);
    for (let k = 0; k < 9; k++) A[k] += log[Math.floor(k / 3)] * log[k % 3];
  }
  const { vectors } = symmetricEigen(A, 3);
  const axis = [vectors[2], vectors[5], vectors[8]];
  const largest = axis.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
  const [x, y, z] = largest < 0 ? axis.map((value) => -value) : axis;
  return [x, y, z];
}
