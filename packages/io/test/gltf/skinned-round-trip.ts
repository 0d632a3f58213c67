/** Rigs that are written and read again, and how far they are from what they were. */
import { type Clip, poseAt, type Rig } from '@pelt/model';
import { expect } from 'vitest';
import { readGltf, readRig, type SkinnedGlbOptions, type SkinnedModel, writeSkinnedGlb } from '../../src/index.ts';
import { blendPose } from './blend-pose.ts';
import { largestDeviation, ThreePlayer } from './three-player.ts';
import { complaintsAbout } from './validate-glb.ts';

export const TOLERANCE = 1e-5;

/** Written, accepted by the validator, and read again. */
export async function roundTrip(model: SkinnedModel, options: Partial<SkinnedGlbOptions> = {}) {
  const file = await writeSkinnedGlb(model, options);
  expect(await complaintsAbout(file.bytes)).toEqual([]);
  const asset = await readGltf(file.bytes, { name: 'back.glb' });
  return { ...file, asset, back: readRig(asset) };
}

/** Largest deviation of a read rig from the one that was written, over all frames. */
export function deviation(rig: Rig, clip: Clip, back: ReturnType<typeof readRig>, c = 0): number {
  let most = 0;
  const mapped = back.clips[c];
  for (let t = 0; t < clip.times.length; t++) {
    const expected = blendPose(rig, poseAt(clip, t, rig.bones.length));
    const actual = blendPose(back.rig, poseAt(mapped, t, back.rig.bones.length));
    most = Math.max(most, largestDeviation(expected, actual));
  }
  return most;
}

/** The same for the file as three.js plays it. */
export async function playedDeviation(rig: Rig, clip: Clip, bytes: Uint8Array, c = 0, parts = 1): Promise<number> {
  const player = await ThreePlayer.load(bytes);
  let most = 0;
  for (let t = 0; t < clip.times.length; t++) {
    const once = [...blendPose(rig, poseAt(clip, t, rig.bones.length))];
    const expected = Array.from({ length: parts }, () => once).flat();
    most = Math.max(most, largestDeviation(expected, player.positionsAt(c, Math.fround(clip.times[t]))));
  }
  return most;
}
