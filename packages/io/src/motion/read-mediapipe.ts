/**
 * Reads recordings of MediaPipe Pose: 33 landmarks a frame, and those of hands where a recording has them.
 *
 * World landmarks are metres from the middle of the hips, so that they do not travel; landmarks in the picture are
 * shares of its width and height, and are brought into proportion by what is known of limbs (limb-calibration.ts). Both
 * have x to the picture's right, y down and depth away from the camera; here the performer faces +Z, +Y is up.
 */
import { type Motion, resolveOptions, UsageError } from '@pelt/model';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';
import { HAND_JOINTS, setHandLandmarks } from './hand-landmarks.ts';
import { calibrateLimbs } from './limb-calibration.ts';
import { framesFromJson, framesFromTable, type LandmarkFrames } from './mediapipe-frames.ts';
import { MEDIAPIPE_JOINTS } from './mediapipe-joints.ts';

export interface ReadMediapipeOptions extends ReadOptions {
  /** Of recordings without times. */
  readonly fps: number;
  /** Width over height of the picture, for landmarks in it; `auto` estimates it from the limbs. */
  readonly aspect: number | 'auto';
  /** What the depth of landmarks in the picture is multiplied by; `auto` estimates it from the limbs. */
  readonly depth: number | 'auto';
}

export const READ_MEDIAPIPE_DEFAULTS: ReadMediapipeOptions = {
  ...READ_DEFAULTS,
  fps: 30,
  aspect: 'auto',
  depth: 'auto',
};

/** World landmarks have the middle of the hips within this distance of the origin, in metres. */
const AT_ORIGIN = 0.02;

const BRACKET = 91;
const BRACE = 123;

export function readMediapipe(bytes: Uint8Array, options?: Partial<ReadMediapipeOptions>): Motion {
  const resolved = resolveOptions('readMediapipe', READ_MEDIAPIPE_DEFAULTS, options);
  const { name, onWarning, fps } = resolved;
  for (const key of ['aspect', 'depth'] as const) {
    const value = resolved[key];
    if (value !== 'auto' && !(value > 0)) throw new UsageError(`readMediapipe: ${key} is ${value}; it is above 0`);
  }
  const label = fileLabel('MediaPipe', name);
  const warnings = new WarningTally(label, onWarning);
  const first = bytes.find((byte) => byte > 32);
  const read = first === BRACKET || first === BRACE ? framesFromJson : framesFromTable;
  const frames = read(bytes, label, fps, warnings);
  const scale = isWorld(frames) ? [1, 1, 1] : pictureScale(frames, resolved, warnings);
  const positions = new Float32Array(frames.landmarks.length);
  for (let k = 0; k < positions.length; k++) positions[k] = (k % 3 === 0 ? 1 : -1) * scale[k % 3] * frames.landmarks[k];
  warnings.flush();
  const body = { name: stemOf(name), joints: MEDIAPIPE_JOINTS, positions, confidence: frames.visibility };
  return { ...(frames.hands ? withHands(body, frames.hands) : body), times: frames.times, camera: 'picture' };
}

type Body = Pick<Motion, 'name' | 'joints' | 'positions' | 'confidence'>;

/** The body with the joints of its hands behind its own. */
function withHands({ name, joints, positions, confidence }: Body, hands: NonNullable<LandmarkFrames['hands']>): Body {
  const [J, K] = [joints.length, joints.length + HAND_JOINTS.length];
  const all = { positions: new Float32Array(3 * K * hands.length), confidence: new Float32Array(K * hands.length) };
  hands.forEach((frame, t) => {
    const [p, c] = [all.positions.subarray(3 * K * t, 3 * K * (t + 1)), all.confidence.subarray(K * t, K * (t + 1))];
    p.set(positions.subarray(3 * J * t, 3 * J * (t + 1)));
    c.set(confidence.subarray(J * t, J * (t + 1)));
    for (const side of ['left', 'right'] as const) setHandLandmarks(side, frame[side], p, c);
  });
  return { name, joints: [...joints, ...HAND_JOINTS], ...all };
}

function isWorld({ landmarks, world }: LandmarkFrames): boolean {
  if (world) return true;
  const [left, right] = [MEDIAPIPE_JOINTS.indexOf('leftHip'), MEDIAPIPE_JOINTS.indexOf('rightHip')];
  for (let at = 0; at < landmarks.length; at += 3 * MEDIAPIPE_JOINTS.length) {
    for (let c = 0; c < 3; c++) {
      if (Math.abs(landmarks[at + 3 * left + c] + landmarks[at + 3 * right + c]) > 2 * AT_ORIGIN) return false;
    }
  }
  return true;
}

/** Factors of x, y and depth: heights of the picture become the unit. */
function pictureScale(frames: LandmarkFrames, options: ReadMediapipeOptions, warnings: WarningTally): number[] {
  const { aspect, depth } = calibrateLimbs(frames.landmarks, MEDIAPIPE_JOINTS, options.aspect, options.depth);
  if (options.aspect === 'auto' || options.depth === 'auto') {
    warnings.add(
      `landmarks of a picture: width over height ${aspect.toFixed(3)} and depth factor ${depth.toFixed(3)} are guessed ` +
        'from the limbs; give aspect and depth where they are known',
    );
  }
  return [aspect, 1, aspect * depth];
}
