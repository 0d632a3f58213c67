import { UsageError } from '@pelt/model';
import type { Landmark } from './live-landmarks.ts';
import { MEDIAPIPE_JOINTS } from './mediapipe-joints.ts';

/** Points of MediaPipe's hand model: the wrist, and four of each finger. */
const POINTS = 21;
const SIDES = ['left', 'right'] as const;

/** The joints of both hands beside the wrists, in the order of MediaPipe's hand model and by the names of VRM. */
export const HAND_JOINTS: readonly string[] = SIDES.flatMap((side) => [
  ...['Metacarpal', 'Proximal', 'Distal', 'Tip'].map((bone) => `${side}Thumb${bone}`),
  ...['Index', 'Middle', 'Ring', 'Little'].flatMap((finger) =>
    ['Proximal', 'Intermediate', 'Distal', 'Tip'].map((bone) => `${side}${finger}${bone}`),
  ),
]);

/**
 * Hangs the world landmarks of a hand on the wrist of a body whose landmarks are set already.
 *
 * @param side        whose they are
 * @param landmarks   21, in metres, in axes as those of the body; undefined: the hand is not seen
 * @param positions   (33 + 40) × 3: `MEDIAPIPE_JOINTS` and `HAND_JOINTS`; those of the hand are overwritten
 * @param confidence  33 + 40, likewise
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function setHandLandmarks(
  side: 'left' | 'right',
  landmarks: readonly Landmark[] | undefined,
  positions: Float32Array,
  confidence: Float32Array,
): void {
  const [J, K] = [MEDIAPIPE_JOINTS.length, POINTS - 1];
  if (
    positions.length !== 3 * (J + 2 * K) ||
    confidence.length !== J + 2 * K ||
    (landmarks?.length ?? POINTS) !== POINTS
  ) {
    throw new UsageError(
      `setHandLandmarks: ${landmarks?.length} landmarks into ${positions.length} and ${confidence.length} numbers; ` +
        `expected ${POINTS} into ${3 * (J + 2 * K)} and ${J + 2 * K}`,
    );
  }
  const wrist = MEDIAPIPE_JOINTS.indexOf(`${side}Wrist`);
  const from = J + K * SIDES.indexOf(side);
  for (let k = 0; k < K; k++) {
    const point = landmarks?.[k + 1];
    const base = landmarks?.[0];
    confidence[from + k] = point && base ? confidence[wrist] : 0;
    if (!point || !base) continue;
    positions[3 * (from + k)] = positions[3 * wrist] + point.x - base.x;
    positions[3 * (from + k) + 1] = positions[3 * wrist + 1] - point.y + base.y;
    positions[3 * (from + k) + 2] = positions[3 * wrist + 2] - point.z + base.z;
  }
}
