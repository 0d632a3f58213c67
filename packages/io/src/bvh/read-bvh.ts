/**
 * Reads BVH, the format of motion capture: a skeleton of offsets, then for each frame the channels of all joints.
 *
 * Reference: Meredith, Maddock. Motion capture file formats explained. 2001. The channels' order is the order in which
 * their rotations are multiplied. Whether position channels replace a joint's offset or add to it is not agreed on:
 * files of a root are added (their offset is 0), exporters that give every joint a position write it in full. A joint's
 * first frame tells: nearer to the offset than to zero means in full.
 */
import { InputError, resolveOptions, type SkeletonJoint, type SkeletonMotion } from '@pelt/model';
import { refuseLfsPointer } from '../lfs-pointer.ts';
import { fileLabel, READ_DEFAULTS, type ReadOptions, stemOf } from '../read-options.ts';
import { TextScanner } from '../text-scanner.ts';
import { WarningTally } from '../warning-tally.ts';
import { channelRotation } from './channel-rotation.ts';
import { type BvhHierarchy, type BvhJoint, readBvhHierarchy } from './read-bvh-hierarchy.ts';

/** Seconds a frame where the file says 0. */
const USUAL_FRAME_TIME = 1 / 30;

/**
 * Reads a BVH file: a skeleton with its rotations over time.
 *
 * @param bytes  of the file
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function readBvh(bytes: Uint8Array, options?: Partial<ReadOptions>): SkeletonMotion {
  const { name, onWarning } = resolveOptions('readBvh', READ_DEFAULTS, options);
  const label = fileLabel('BVH', name);
  const warnings = new WarningTally(label, onWarning);
  refuseLfsPointer(name, bytes);
  const scanner = new TextScanner(bytes);
  if (!scanner.moreInText()) throw new InputError(`${label}: the file is empty`);
  const hierarchy = readBvhHierarchy(scanner, label, warnings);
  const { frames, frameTime } = readMotionHeader(scanner, label, warnings);
  const values = readValues(scanner, label, frames, hierarchy.channels, warnings);
  const motion = motionFrom(stemOf(name), hierarchy, values, frameTime);
  warnings.flush();
  return motion;
}

function readMotionHeader(
  scanner: TextScanner,
  label: string,
  warnings: WarningTally,
): { frames: number; frameTime: number } {
  expectWord(scanner, label, 'Frames:');
  const frames = scanner.moreInText() ? scanner.number() : Number.NaN;
  if (!(Number.isInteger(frames) && frames >= 1)) throw wrong(scanner, label, 'a number of frames from 1');
  expectWord(scanner, label, 'Frame');
  expectWord(scanner, label, 'Time:');
  let frameTime = scanner.moreInText() ? scanner.number() : Number.NaN;
  if (!(frameTime >= 0 && frameTime < Number.POSITIVE_INFINITY)) throw wrong(scanner, label, 'a frame time in seconds');
  if (frameTime === 0) {
    warnings.add('the frame time is 0; 30 frames a second are assumed');
    frameTime = USUAL_FRAME_TIME;
  }
  return { frames, frameTime };
}

/** frames × channels; fewer frames where the file ends before. */
function readValues(
  scanner: TextScanner,
  label: string,
  frames: number,
  channels: number,
  warnings: WarningTally,
): Float64Array {
  // A number and the blank before it take two bytes: more frames than could be there are not even asked for.
  const most = Math.floor((scanner.end - scanner.position) / (2 * channels));
  const values = new Float64Array(Math.min(frames, most) * channels);
  let count = 0;
  while (count < values.length && scanner.moreInText()) {
    const value = scanner.number();
    if (!Number.isFinite(value)) throw wrong(scanner, label, 'a number');
    values[count++] = value;
  }
  const whole = Math.floor(count / channels);
  if (whole === 0) throw new InputError(`${label}: the first frame is cut short; export the file again`);
  if (whole < frames) warnings.add(`cut short after ${whole} of ${frames} frames`);
  else if (scanner.moreInText()) warnings.add('numbers after the last frame are left out');
  return values.subarray(0, whole * channels);
}

function motionFrom(name: string, hierarchy: BvhHierarchy, values: Float64Array, frameTime: number): SkeletonMotion {
  const { joints, channels } = hierarchy;
  const S = values.length / channels;
  const J = joints.length;
  const rotations = new Float64Array(S * J * 4);
  const translations = new Float64Array(S * J * 3);
  joints.forEach((joint, j) => {
    const adds = !positionReplacesOffset(joint, values);
    for (let t = 0; t < S; t++) {
      const from = t * channels + joint.firstChannel;
      channelRotation(joint.channels, values, from, rotations, 4 * (t * J + j));
      const at = 3 * (t * J + j);
      for (let c = 0; c < 3; c++) {
        const channel = joint.channels.indexOf(POSITIONS[c]);
        const moved = channel < 0 ? 0 : values[from + channel];
        translations[at + c] = channel < 0 || adds ? joint.offset[c] + moved : moved;
      }
    }
  });
  return {
    name,
    joints: joints.map(
      ({ name, parent, offset, tip }): SkeletonJoint => ({ name, parent, offset, ...(tip && { tip }) }),
    ),
    times: Float64Array.from({ length: S }, (_, t) => t * frameTime),
    rotations,
    translations,
  };
}

const POSITIONS = ['xposition', 'yposition', 'zposition'];

function positionReplacesOffset(joint: BvhJoint, values: Float64Array): boolean {
  let fromOffset = 0;
  let fromZero = 0;
  POSITIONS.forEach((position, c) => {
    const channel = joint.channels.indexOf(position);
    if (channel < 0) return;
    const value = values[joint.firstChannel + channel];
    fromOffset += (value - joint.offset[c]) ** 2;
    fromZero += value ** 2;
  });
  return fromOffset < fromZero;
}

/** A number may follow a word's colon without a blank: `Frames:3`. */
function expectWord(scanner: TextScanner, label: string, expected: string): void {
  const word = scanner.moreInText() ? scanner.word().toLowerCase() : '';
  const goesOn = expected.endsWith(':') && word.startsWith(expected.toLowerCase());
  if (goesOn) scanner.position = scanner.tokenStart + expected.length;
  else if (word !== expected.toLowerCase()) throw wrong(scanner, label, `'${expected}'`);
}

function wrong(scanner: TextScanner, label: string, expected: string): InputError {
  const found =
    scanner.atEnd && scanner.tokenStart === scanner.end ? 'the end of the file' : `'${scanner.lastToken()}'`;
  return new InputError(`${label}, line ${scanner.lineNumber()}: ${found} where ${expected} should be`);
}
