/**
 * The forms in which people save what MediaPipe Pose tells them: a table of 33 × (x, y, z[, visibility]) with a frame
 * number or a time before it, or JSON, a list of frames, each a list of landmarks or the tracker's own result object.
 */
import { InputError, uniformTimes } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import { type FrameTimes, timesFromStamps } from './frame-times.ts';
import { MEDIAPIPE_JOINTS } from './mediapipe-joints.ts';
import { readNumberTable, requireEvenRows } from './number-table.ts';

const J = MEDIAPIPE_JOINTS.length;
const HAND_POINTS = 21;
/** Seconds of the unit that the key `timestampMs` names. */
const MILLISECONDS = 1e-3;

export interface LandmarkFrames {
  /** S × 33 × 3, in the tracker's axes */
  readonly landmarks: Float64Array;
  /** S × 33 */
  readonly visibility: Float32Array;
  readonly times: Float64Array;
  /** Said by the file to be world landmarks. */
  readonly world: boolean;
  /** World landmarks of the hands in each frame, left and right, where any frame has some. */
  readonly hands?: readonly FrameHands[];
}

type FrameHands = Readonly<Record<'left' | 'right', readonly HandPoint[] | undefined>>;

interface HandPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** How many numbers a row has beside its landmarks: −1 where it is no such table. */
export function mediapipeExtraColumns(width: number): number {
  for (const size of [4, 3]) {
    const extra = width - J * size;
    if (extra >= 0 && extra <= 2) return extra;
  }
  return -1;
}

export function framesFromTable(bytes: Uint8Array, label: string, fps: number, warnings: WarningTally): LandmarkFrames {
  const table = readNumberTable(bytes, label);
  const width = requireEvenRows(table, label);
  const extra = mediapipeExtraColumns(width);
  if (extra < 0) throw new InputError(`${label}: rows of ${width} numbers; 33 landmarks have 132 or 99, and a time`);
  const size = (width - extra) / J;
  const stamps = extra > 0 ? table.rows.map((row) => row[0]) : [];
  const { times, rows } =
    extra > 0 && !areFrameNumbers(stamps)
      ? timesFromStamps(stamps, fps, warnings)
      : counted(stamps, table.rows.length, fps);
  const landmarks = new Float64Array(rows.length * J * 3);
  const visibility = new Float32Array(rows.length * J).fill(1);
  rows.forEach((row, t) => {
    for (let j = 0; j < J; j++) {
      const at = extra + j * size;
      setLandmark(
        landmarks,
        visibility,
        t * J + j,
        table.rows[row].subarray(at, at + 3),
        size === 4 ? table.rows[row][at + 3] : 1,
      );
    }
  });
  return { landmarks, visibility, times, world: false };
}

/** Whole numbers that mostly rise by one count frames; anything else is a time. */
function areFrameNumbers(stamps: readonly number[]): boolean {
  const steps = stamps.slice(1).map((stamp, k) => stamp - stamps[k]);
  return stamps.every(Number.isInteger) && Math.min(1, ...steps.filter((step) => step > 0)) === 1 && steps.includes(1);
}

/** Frames at the places that their numbers give them: a gap in the numbers is a gap in time. */
function counted(numbers: readonly number[], count: number, fps: number): FrameTimes {
  const rows = Array.from({ length: count }, (_, k) => k);
  const rising = numbers.length === count && numbers.every((value, k) => k === 0 || value > numbers[k - 1]);
  const times = uniformTimes(count, fps);
  return { rows, times: rising ? times.map((_, k) => (numbers[k] - numbers[0]) / fps) : times };
}

interface Landmark {
  readonly x: unknown;
  readonly y: unknown;
  readonly z: unknown;
  readonly visibility?: unknown;
}

export function framesFromJson(bytes: Uint8Array, label: string, fps: number, warnings: WarningTally): LandmarkFrames {
  const parsed = parseJson(bytes, label);
  const list = Array.isArray(parsed) ? parsed : propertyOf(parsed, 'frames');
  if (!Array.isArray(list) || list.length === 0) throw new InputError(`${label}: no list of frames`);
  const frames = list.map((frame, k) => ({
    ...landmarksOf(frame, `${label}: frame ${k}`),
    stamp: stampOf(frame),
    hands: handsOf(frame),
  }));
  // A frame in which nobody was seen has no landmarks; it is left out, and its time with it.
  const seen = frames.filter((frame) => frame.points.length === J);
  if (seen.length === 0) throw new InputError(`${label}: no frame has 33 landmarks`);
  if (seen.length < frames.length) warnings.add(`${frames.length - seen.length} frames without a body are left out`);
  const stamps = seen.map((frame) => frame.stamp);
  const unit = list.every((frame) => propertyOf(frame, 'timestampMs') !== undefined) ? MILLISECONDS : undefined;
  const { times, rows } = stamps.every((stamp) => stamp !== undefined)
    ? timesFromStamps(stamps as number[], fps, warnings, unit)
    : counted([], seen.length, fps);
  const landmarks = new Float64Array(rows.length * J * 3);
  const visibility = new Float32Array(rows.length * J);
  rows.forEach((row, t) => {
    seen[row].points.forEach((point, j) => {
      const position = Float64Array.from([point.x, point.y, point.z], numberOrNone);
      const sure = point.visibility === undefined ? 1 : numberOrNone(point.visibility);
      setLandmark(landmarks, visibility, t * J + j, position, sure);
    });
  });
  const hands = rows.map((row) => seen[row].hands);
  const hasHands = hands.some(({ left, right }) => left ?? right);
  return { landmarks, visibility, times, world: seen.every((frame) => frame.world), ...(hasHands && { hands }) };
}

/** As a result of MediaPipe's hand or holistic task has them, one list or a list of lists. */
function handsOf(frame: unknown): FrameHands {
  const of = (key: string) => {
    const points = firstBody(propertyOf(frame, key));
    return points?.length === HAND_POINTS && points.every(isPoint) ? points : undefined;
  };
  return { left: of('leftHandWorldLandmarks'), right: of('rightHandWorldLandmarks') };
}

function isPoint(point: unknown): point is HandPoint {
  return ['x', 'y', 'z'].every((axis) => Number.isFinite(propertyOf(point, axis)));
}

function numberOrNone(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

function setLandmark(
  landmarks: Float64Array,
  visibility: Float32Array,
  k: number,
  position: Float64Array,
  sure: number,
): void {
  const known = position.every(Number.isFinite) && Number.isFinite(sure);
  if (known) landmarks.set(position, 3 * k);
  visibility[k] = known ? Math.min(1, Math.max(0, sure)) : 0;
}

function parseJson(bytes: Uint8Array, label: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new InputError(`${label}: not valid JSON (${(error as Error).message}); the file is cut short or damaged`);
  }
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** The first body of a frame, world landmarks where there are any. */
function landmarksOf(frame: unknown, where: string): { points: readonly Landmark[]; world: boolean } {
  const world = firstBody(propertyOf(frame, 'worldLandmarks') ?? propertyOf(frame, 'poseWorldLandmarks'));
  const found = world ?? firstBody(propertyOf(frame, 'landmarks') ?? propertyOf(frame, 'poseLandmarks') ?? frame) ?? [];
  for (const point of found) {
    if (typeof point !== 'object' || point === null)
      throw new InputError(`${where}: a landmark is no object with x, y, z`);
  }
  return { points: found as Landmark[], world: world !== undefined };
}

function firstBody(value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return Array.isArray(value[0]) ? value[0] : value;
}

function stampOf(frame: unknown): number | undefined {
  const stamp = propertyOf(frame, 'time') ?? propertyOf(frame, 'timestamp') ?? propertyOf(frame, 'timestampMs');
  return typeof stamp === 'number' && Number.isFinite(stamp) ? stamp : undefined;
}
