/**
 * Calibrates a performer by a second of standing: which way is up, which way is forward, and how the tracker's skeleton
 * stands.
 *
 * Up is the line from ankles to shoulders, forward is normal to it and to the lines through hips and shoulders, all of
 * the mean pose over that second, in which the noise of a tracker averages out.
 *
 * What was tried beside it: docs/experiments/puppet.md.
 */
import { atan2, cos, sin } from '@pelt/math';
import { InputError, jointsAt, type Motion, resolveOptions, UsageError, validateMotion } from '@pelt/model';
import { CALIBRATION_DEFAULTS, type CalibrationOptions } from '../../options.ts';
import { BodyFrame } from '../body-frame.ts';
import { LOST_CONFIDENCE } from '../lost.ts';
import { segmentLengths } from './segments.ts';
import { angle, between, findStanding, middle } from './standing.ts';

/** How a performer stands in a recording, or in front of a camera. */
export interface PerformerCalibration {
  /** 9, row-major: to axes in which the performer stood upright (+Y) and forward is +Z */
  readonly rotation: Float64Array;
  /** 3: the line of sight of the camera in these axes, +Z of the recording */
  readonly sight: Float64Array;
  /** J × 3: the performer standing, in these axes */
  readonly neutral: Float64Array;
  /** Lengths of the segments of the body; 0 where a segment is not seen. */
  readonly lengths: Float64Array;
  /** The performer was told to stand straight: knees that look bent are the camera's doing. */
  readonly straight: boolean;
  /** Seconds of the recording in which the performer stands. */
  readonly from: number;
  readonly to: number;
  /** Degrees by which the recording was turned about the vertical, and by which it was tilted. */
  readonly yaw: number;
  readonly tilt: number;
}

/**
 * Finds a second in which the performer stands, and what it says of the recording.
 *
 * @param motion  S frames of J joints; live, the frames of the last second
 * @returns undefined where nobody stands
 *
 * @example
 * {@includeCode ../../../../examples/calibrate-performer.ts}
 */
export function calibratePerformer(
  motion: Motion,
  options?: Partial<CalibrationOptions>,
): PerformerCalibration | undefined {
  const { frame, forward, straight } = resolveOptions('calibratePerformer', CALIBRATION_DEFAULTS, options);
  validateMotion(motion);
  if (frame !== undefined && !(Number.isInteger(frame) && frame >= 0 && frame < motion.times.length)) {
    throw new UsageError(
      `calibratePerformer: frame ${frame} is not in the recording; give a whole number from 0 to ${motion.times.length - 1}`,
    );
  }
  if (typeof forward === 'number' && !Number.isFinite(forward)) {
    throw new UsageError(`calibratePerformer: forward is ${forward}; give an angle in degrees`);
  }
  const standing = findStanding(motion, frame);
  if (!standing) {
    if (frame === undefined) return undefined;
    throw new InputError('calibratePerformer: hips, shoulders, knees and ankles of both sides are needed to calibrate');
  }
  const mean = meanPose(motion, standing.from, standing.to);
  const index = (name: string) => motion.joints.indexOf(name);
  const pair = (place: string): readonly [number, number] => [index(`left${place}`), index(`right${place}`)];
  const up = between(middle(mean, pair('Ankle')), middle(mean, pair('Shoulder')));
  const left = [0, 1, 2].map((k) =>
    [pair('Hip'), pair('Shoulder')].reduce((sum, [l, r]) => sum + mean[3 * l + k] - mean[3 * r + k], 0),
  );
  const upright = uprightRotation(up);
  if (!upright)
    throw new InputError('calibratePerformer: ankles and shoulders coincide, so that nothing says what is up');
  const level = [0, 1, 2].map(
    (r) => upright[3 * r] * left[0] + upright[3 * r + 1] * left[1] + upright[3 * r + 2] * left[2],
  );
  // +X is the left of a performer who faces +Z; the angle about +Y that takes it to the performer's left.
  const heading = atan2(-level[2], level[0]);
  const yaw = forward === 'standing' ? heading : forward === 'camera' ? 0 : (forward * Math.PI) / 180;
  const rotation = turned(upright, -yaw);
  const neutral = rotated(rotation, mean, new Float64Array(mean.length));
  const degrees = 180 / Math.PI;
  return {
    rotation,
    sight: Float64Array.of(rotation[2], rotation[5], rotation[8]),
    neutral,
    lengths: segmentLengths(motion),
    straight,
    from: motion.times[standing.from],
    to: motion.times[standing.to - 1],
    yaw: yaw * degrees,
    tilt: angle(up, [0, 1, 0]) * degrees,
  };
}

/**
 * A recording in the axes of its calibration, and the calibration of that: so that pairs which name its moments agree with
 * what is played.
 *
 * @example
 * {@includeCode ../../../../examples/calibrate-performer.ts}
 */
export function uprightMotion(
  motion: Motion,
  calibration: PerformerCalibration,
): { readonly motion: Motion; readonly calibration: PerformerCalibration } {
  const positions = rotated(calibration.rotation, motion.positions, new Float32Array(motion.positions.length));
  return {
    motion: { ...motion, positions },
    calibration: { ...calibration, rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) },
  };
}

/** Steps of a reference pose to the first frame of the motion are this many times as long as the usual ones. */
const JUMP = 10;

/**
 * The heading of a performer at the start of a recording, in radians. Capture files may begin with a reference pose (a
 * T-pose that faces +Z, whatever the motion does), from which the next frame is a jump: then it is that of the second frame.
 *
 * @example
 * {@includeCode ../../../../examples/calibrate-performer.ts}
 */
export function startHeading(motion: Motion): number {
  validateMotion(motion);
  const S = motion.times.length;
  const steps = Array.from({ length: Math.min(S, 120) - 1 }, (_, t) => stepOf(motion, t));
  const usual = [...steps.slice(1)].sort((a, b) => a - b)[(steps.length - 1) >> 1] ?? 0;
  const frame = new BodyFrame(motion.joints);
  frame.measure(jointsAt(motion, steps.length > 2 && steps[0] > JUMP * usual ? 1 : 0));
  return frame.heading;
}

/** RMS distance that joints move from a frame to the next. */
function stepOf(motion: Motion, t: number): number {
  const [p, q] = [jointsAt(motion, t), jointsAt(motion, t + 1)];
  return Math.sqrt(p.reduce((sum, value, k) => sum + (q[k] - value) ** 2, 0) / p.length);
}

function rotated<T extends Float32Array | Float64Array>(R: Float64Array, points: ArrayLike<number>, out: T): T {
  for (let k = 0; k < points.length; k += 3) {
    for (let r = 0; r < 3; r++) {
      out[k + r] = R[3 * r] * points[k] + R[3 * r + 1] * points[k + 1] + R[3 * r + 2] * points[k + 2];
    }
  }
  return out;
}

/** J × 3: mean over frames in which a joint is seen; its first position where it never is. */
function meanPose(motion: Motion, from: number, to: number): Float64Array {
  const J = motion.joints.length;
  const sum = new Float64Array(3 * J);
  const count = new Float64Array(J);
  for (let t = from; t < to; t++) {
    const p = jointsAt(motion, t);
    for (let j = 0; j < J; j++) {
      if (motion.confidence[t * J + j] < LOST_CONFIDENCE) continue;
      count[j]++;
      for (let k = 0; k < 3; k++) sum[3 * j + k] += p[3 * j + k];
    }
  }
  const first = jointsAt(motion, from);
  return sum.map((value, k) => (count[Math.floor(k / 3)] > 0 ? value / count[Math.floor(k / 3)] : first[k]));
}

/** The smallest rotation that takes a direction to +Y; undefined for no direction. */
function uprightRotation([x, y, z]: readonly number[]): Float64Array | undefined {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return undefined;
  const [a, b, c] = [x / length, y / length, z / length];
  // About the axis u × +Y = (−c, 0, a), by Rodrigues' formula; an opposite direction has been excluded by its tilt.
  const f = 1 / (1 + b);
  return Float64Array.of(1 - a * a * f, -a, -a * c * f, a, b, c, -a * c * f, -c, 1 - c * c * f);
}

/** Ry(angle) · R */
function turned(r: Float64Array, angle: number): Float64Array {
  const [c, s] = [cos(angle), sin(angle)];
  const out = Float64Array.from(r);
  for (let k = 0; k < 3; k++) {
    out[k] = c * r[k] + s * r[6 + k];
    out[6 + k] = -s * r[k] + c * r[6 + k];
  }
  return out;
}
