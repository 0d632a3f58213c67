/** The skeleton of a motion capture, fitted into a body by landmarks. */
import { readBvh } from '@pelt/io';
import { type BodyJoint, findBodyJoints, type SkeletonMotion } from '@pelt/model';
import { placeSkeleton } from '@pelt/skin/volume';
import type { Landmarks } from '../store/landmarks.ts';
import type { PlacedJoint } from '../store/placed-skeleton.ts';

export interface CaptureSkeleton {
  /** The joints of a body that are among its own. */
  readonly found: readonly BodyJoint[];
  /** Where landmarks were given: all joints in the body. */
  readonly joints: readonly PlacedJoint[];
}

export function captureSkeleton(
  name: string,
  bytes: Uint8Array,
  landmarks: Landmarks | undefined,
  onWarning: (message: string) => void,
): CaptureSkeleton {
  const motion = readBvh(bytes, { name, onWarning });
  const body = findBodyJoints(motion.joints.map((joint) => joint.name));
  const found = body.filter((joint) => joint !== undefined);
  if (!landmarks) return { found, joints: [] };
  const { bones } = placeSkeleton({ motion, landmarks: landmarksByName(motion, landmarks) });
  const numbers = new Map(bones.map((bone, j) => [bone.name, j]));
  const joints = bones.map(({ name: bone, parent, rest }): PlacedJoint => {
    const at = [rest[3], rest[7], rest[11]] as const;
    const other = otherSide(bone);
    return { name: bone, parent, at, twin: other === bone ? -1 : (numbers.get(other) ?? -1) };
  });
  return { found, joints };
}

/** Landmarks by the capture's own names: two of its joints may be called alike by the common ones. */
export function landmarksByName(
  { joints }: Pick<SkeletonMotion, 'joints'>,
  landmarks: Landmarks,
): ReadonlyMap<string, readonly [number, number, number]> {
  const body = findBodyJoints(joints.map((joint) => joint.name));
  const own = body.flatMap((joint, j) => {
    const at = joint && landmarks[joint];
    return at ? [[joints[j].name, at] as const] : [];
  });
  return new Map(own);
}

/** `LeftArm` as `RightArm`, `LThumb` as `RThumb`; the name itself where it tells no side. */
export function otherSide(name: string): string {
  const swaps: Readonly<Record<string, string>> = { Left: 'Right', Right: 'Left', left: 'right', right: 'left' };
  const words = name.replace(/left|right/i, (side) => swaps[side] ?? side);
  if (words !== name) return words;
  return name.replace(/^([LR])(?=[A-Z_])/, (side) => (side === 'L' ? 'R' : 'L'));
}
