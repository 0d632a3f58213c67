/**
 * Clips of a character as transforms of its joints, out of a file and into one. Whatever skin the file has stays: only the
 * joints move.
 */
import { readBvh, readCharacter, readGltf, saveCharacter } from '@pelt/io';
import { type Clip, InputError, TRANSFORM_SIZE } from '@pelt/model';
import { placeSkeleton } from '@pelt/skin/volume';
import type { Landmarks } from '../store/landmarks.ts';
import { landmarksByName } from './capture-skeleton.ts';

/** A clip over joints by their names. */
export interface JointClip {
  readonly name: string;
  readonly fps: number;
  readonly frames: number;
  readonly joints: readonly string[];
  /** frames × m × 12, row-major 3 × 4, rest → pose, in the file's scene */
  readonly transforms: Float32Array;
}

/** The clips of a file, at a rate. */
export async function readJointClips(bytes: Uint8Array<ArrayBuffer>, fps: number): Promise<readonly JointClip[]> {
  const { joints, clips } = readCharacter(await readGltf(bytes), { fps });
  const names = joints.map(({ name }) => name);
  return clips.map(({ name, times, transforms }) => ({
    name,
    fps,
    frames: times.length,
    joints: names,
    transforms: Float32Array.from(transforms),
  }));
}

/** The character with a clip before its own; joints that the clip does not name stay at rest. */
export async function writeJointClip(
  bytes: Uint8Array<ArrayBuffer>,
  clip: JointClip,
): Promise<Uint8Array<ArrayBuffer>> {
  const asset = await readGltf(bytes);
  const { joints } = readCharacter(asset);
  const from = joints.map(({ name }) => clip.joints.indexOf(name));
  if (from.every((j) => j < 0)) throw new InputError('the clip moves no joint of this character');
  const transforms = new Float64Array(clip.frames * joints.length * TRANSFORM_SIZE);
  for (let t = 0; t < clip.frames; t++) {
    from.forEach((j, k) => {
      const at = (t * clip.joints.length + j) * TRANSFORM_SIZE;
      const own = j < 0 ? STILL : clip.transforms.subarray(at, at + TRANSFORM_SIZE);
      transforms.set(own, (t * joints.length + k) * TRANSFORM_SIZE);
    });
  }
  const times = Float64Array.from({ length: clip.frames }, (_, t) => t / clip.fps);
  const file = { bytes, resolve: undefined };
  return (await saveCharacter(file, asset, { clips: [{ name: clip.name, times, transforms }] })).bytes;
}

const STILL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** What a capture does with the skeleton that was fitted into a body by its landmarks. */
export function captureClip(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  landmarks: Landmarks,
): Clip {
  const motion = readBvh(bytes, { name, onWarning: () => {} });
  return { ...placeSkeleton({ motion, landmarks: landmarksByName(motion, landmarks) }).clip, name };
}
