import { UsageError } from '@pelt/model';
import { MEDIAPIPE_JOINTS } from './mediapipe-joints.ts';

/** What the tracker gives for each of its 33 points. */
export interface Landmark {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly visibility?: number;
}

/**
 * Copies the world landmarks of one frame of MediaPipe Pose into the arrays that a puppet takes.
 *
 * @param landmarks   33, in metres: x to the picture's right, y down, z away from the camera
 * @param positions   33 × 3, overwritten: +Y up, facing +Z
 * @param confidence  33, overwritten
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function setLandmarks(landmarks: readonly Landmark[], positions: Float32Array, confidence: Float32Array): void {
  const J = MEDIAPIPE_JOINTS.length;
  if (landmarks.length !== J || positions.length !== 3 * J || confidence.length !== J) {
    throw new UsageError(
      `setLandmarks: ${landmarks.length} landmarks into ${positions.length} and ${confidence.length} numbers; ` +
        `expected ${J} into ${3 * J} and ${J}`,
    );
  }
  for (let j = 0; j < J; j++) {
    const { x, y, z, visibility } = landmarks[j];
    positions[3 * j] = x;
    positions[3 * j + 1] = -y;
    positions[3 * j + 2] = -z;
    confidence[j] = visibility ?? 1;
  }
}
