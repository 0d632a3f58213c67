/**
 * Reads recordings of the Kinect sensors from text.
 *
 * Version 2: a row a frame, time stamp and x, y, z, tracking state (0 lost, 1 inferred, 2 tracked) of 25 joints.
 * Version 1: the same with 20 joints, or a row a joint, x, y, z and confidence, 20 rows a frame. Coordinates are metres
 * of the sensor, or pixels of its 320 × 240 depth picture with depth in steps of 4 mm, which are put back into space.
 *
 * The sensor looks along +Z, with +X to the performer's right; here the performer faces +Z, with +X to the left.
 */
import { InputError, type Motion, resolveOptions, UnsupportedError, uniformTimes } from '@pelt/model';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';
import { timesFromStamps } from './frame-times.ts';
import { KINECT_V1_ACTION3D, KINECT_V1_SDK, KINECT_V2, likeliestOrder } from './kinect-joints.ts';
import { type NumberTable, readNumberTable, requireEvenRows } from './number-table.ts';

export interface ReadKinectOptions extends ReadOptions {
  /** Of recordings without times. */
  readonly fps: number;
}

export const READ_KINECT_DEFAULTS: ReadKinectOptions = { ...READ_DEFAULTS, fps: 30 };

const V1_JOINTS = 20;
const V2_JOINTS = 25;
/** x, y, z and how sure the tracker is. */
const JOINT_SIZE = 4;

/** The depth camera of the first sensor: pixels, and metres for a step of depth. */
const FOCAL_LENGTH = 285.6;
const PICTURE_CENTRE = [160, 120] as const;
const DEPTH_STEP = 0.004;
/** A sensor sees 8 m far; coordinates beyond this are pixels. */
const METRES_AT_MOST = 20;

/** Confidence of a joint that the tracker does not see but places. */
const INFERRED = 0.5;
/** Confidence of each tracking state of the second sensor. */
const STATES: readonly number[] = [0, INFERRED, 1];
/** A joint whose confidence never reaches this has none. */
const NEVER_SURE = 0.05;

/** How many numbers a row may have. */
export function isKinectTable(width: number, rows: number): boolean {
  if (width === 1 + V1_JOINTS * JOINT_SIZE || width === 1 + V2_JOINTS * JOINT_SIZE) return true;
  return width === JOINT_SIZE && rows % V1_JOINTS === 0;
}

export function readKinect(bytes: Uint8Array, options?: Partial<ReadKinectOptions>): Motion {
  const { name, onWarning, fps } = resolveOptions('readKinect', READ_KINECT_DEFAULTS, options);
  const label = fileLabel('Kinect', name);
  const warnings = new WarningTally(label, onWarning);
  const table = readNumberTable(bytes, label);
  const width = requireEvenRows(table, label);
  const tall = width === JOINT_SIZE;
  if (tall && table.rows.length % V1_JOINTS !== 0) {
    throw new InputError(`${label}: ${table.rows.length} rows are no whole number of frames of ${V1_JOINTS} joints`);
  }
  if (!isKinectTable(width, table.rows.length)) {
    throw new UnsupportedError(`${label}: rows of ${width} numbers; expected 81 or 101 (a frame) or 4 (a joint)`);
  }
  const { joints, times } = tall ? tallFrames(table, fps) : wideFrames(table, fps, warnings);
  const motion = motionFrom(stemOf(name), joints, times, warnings);
  warnings.flush();
  return motion;
}

/** S × J × 4, and when. */
interface JointFrames {
  readonly joints: Float64Array;
  readonly times: Float64Array;
}

function tallFrames({ rows }: NumberTable, fps: number): JointFrames {
  const joints = new Float64Array(rows.length * JOINT_SIZE);
  rows.forEach((row, k) => {
    joints.set(row, k * JOINT_SIZE);
  });
  return { joints, times: uniformTimes(rows.length / V1_JOINTS, fps) };
}

function wideFrames({ rows }: NumberTable, fps: number, warnings: WarningTally): JointFrames {
  const size = rows[0].length - 1;
  const { times, rows: kept } = timesFromStamps(
    rows.map((row) => row[0]),
    fps,
    warnings,
  );
  const joints = new Float64Array(kept.length * size);
  kept.forEach((row, k) => {
    joints.set(rows[row].subarray(1), k * size);
  });
  return { joints, times };
}

function motionFrom(name: string, joints: Float64Array, times: Float64Array, warnings: WarningTally): Motion {
  const S = times.length;
  const J = joints.length / (S * JOINT_SIZE);
  const positions = new Float32Array(S * J * 3);
  const confidence = new Float32Array(S * J);
  const inPixels = joints.some((value, k) => k % JOINT_SIZE < 2 && Math.abs(value) > METRES_AT_MOST);
  if (inPixels) warnings.add('coordinates are pixels; they are put into space with the lens of the first Kinect');
  for (let k = 0; k < S * J; k++) {
    let [x, y, z, sure] = joints.subarray(k * JOINT_SIZE, (k + 1) * JOINT_SIZE);
    if (inPixels) {
      z *= DEPTH_STEP;
      x = ((x - PICTURE_CENTRE[0]) * z) / FOCAL_LENGTH;
      y = ((PICTURE_CENTRE[1] - y) * z) / FOCAL_LENGTH;
    }
    const known = Number.isFinite(x + y + z + sure);
    if (known) positions.set([-x, y, -z], 3 * k);
    if (known) confidence[k] = J === V2_JOINTS ? (STATES[sure] ?? 0) : Math.min(1, Math.max(0, sure));
  }
  const second = J === V2_JOINTS;
  const order = second ? KINECT_V2 : likeliestOrder(positions, [KINECT_V1_SDK, KINECT_V1_ACTION3D]);
  if (!second) trustPlacedJoints(order, joints, confidence, warnings);
  return { name, joints: order, positions, confidence, times, camera: 'depth' };
}

/**
 * The first sensor's tracker places some joints (spine, hips, feet) from others and gives them no confidence at all: a
 * joint that is never sure is inferred, not lost.
 */
function trustPlacedJoints(
  order: readonly string[],
  joints: Float64Array,
  confidence: Float32Array,
  warnings: WarningTally,
): void {
  const J = order.length;
  const unsure = order.filter((_, j) => {
    for (let k = j; k < confidence.length; k += J) if (confidence[k] >= NEVER_SURE) return false;
    return true;
  });
  for (let k = 0; k < confidence.length; k++) {
    const isPlaced = joints.subarray(k * JOINT_SIZE, (k + 1) * JOINT_SIZE).every(Number.isFinite);
    if (isPlaced && unsure.includes(order[k % J])) confidence[k] = INFERRED;
  }
  if (unsure.length > 0) warnings.add(`the tracker is never sure of ${unsure.join(', ')}; they are taken as inferred`);
}
