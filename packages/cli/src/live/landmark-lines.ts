/** Landmarks of MediaPipe Pose as lines of numbers or JSON, as they come from another program. */
import { MEDIAPIPE_JOINTS, setLandmarks } from '@pelt/io';
import type { LiveFrame } from '@pelt/jobs';

const J = MEDIAPIPE_JOINTS.length;
/** Numbers of a frame, with visibility and without. */
const SIZES = [4, 3];

type Parsed = Pick<LiveFrame, 'joints' | 'positions' | 'confidence' | 'camera'> & { readonly time?: number };

/** A line of 33 × (x, y, z[, visibility]), behind a time or not; undefined for a heading or an empty line. */
export function parseLandmarkLine(line: string): Parsed | undefined {
  const numbers = line
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map(Number);
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return undefined;
  const size = SIZES.find((each) => numbers.length === J * each || numbers.length === J * each + 1);
  if (size === undefined) return undefined;
  const extra = numbers.length - J * size;
  const landmarks = Array.from({ length: J }, (_, j) => {
    const [x, y, z, visibility = 1] = numbers.slice(extra + j * size, extra + (j + 1) * size);
    return { x, y, z, visibility };
  });
  return { ...frameOf(landmarks), ...(extra > 0 && { time: numbers[0] }) };
}

/** A message of a page: `{ time, landmarks }`, 33 of them; or `{ time, joints }`, positions by name. */
export function parseJsonFrame(text: string): (Parsed & { readonly sliders?: Record<string, number> }) | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof message !== 'object' || message === null) return undefined;
  const { time, landmarks, joints, sliders } = message as Record<string, unknown>;
  const rest = {
    ...(typeof time === 'number' && Number.isFinite(time) && { time }),
    ...(isNumbers(sliders) && { sliders }),
  };
  if (Array.isArray(landmarks) && landmarks.length === J && landmarks.every(isPoint)) {
    return { ...frameOf(landmarks), ...rest };
  }
  if (typeof joints !== 'object' || joints === null) return undefined;
  const entries = Object.entries(joints).filter(
    ([, point]) => Array.isArray(point) && point.length >= 3 && point.every(Number.isFinite),
  );
  if (entries.length === 0) return undefined;
  return {
    joints: entries.map(([name]) => name),
    positions: Float32Array.from(entries.flatMap(([, point]) => point.slice(0, 3))),
    confidence: Float32Array.from(entries, ([, point]) => point[3] ?? 1),
    ...rest,
  };
}

function frameOf(landmarks: readonly { x: number; y: number; z: number; visibility?: number }[]): Parsed {
  const [positions, confidence] = [new Float32Array(3 * J), new Float32Array(J)];
  setLandmarks(landmarks, positions, confidence);
  return { joints: MEDIAPIPE_JOINTS, positions, confidence, camera: 'picture' };
}

function isPoint(point: unknown): point is { x: number; y: number; z: number } {
  if (typeof point !== 'object' || point === null) return false;
  const { x, y, z } = point as Record<string, unknown>;
  return [x, y, z].every((value) => typeof value === 'number' && Number.isFinite(value));
}

function isNumbers(value: unknown): value is Record<string, number> {
  return typeof value === 'object' && value !== null && Object.values(value).every(Number.isFinite);
}
