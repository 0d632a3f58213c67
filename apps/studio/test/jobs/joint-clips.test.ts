import { writeSkinnedGlb } from '@pelt/io';
import { InputError } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { captureClip, readJointClips, writeJointClip } from '../../src/jobs/joint-clips.ts';

const { rig, clip } = creatureScene({ detail: 0.05, frames: 4 });

describe('clips of a character', () => {
  it('come out of a file and go into it again, before its own', async () => {
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const [own] = await readJointClips(bytes, 30);
    expect(own.joints).toEqual(rig.bones.map(({ name }) => name));
    const made = await writeJointClip(bytes, { ...own, name: 'mine' });
    const [first, second] = await readJointClips(made, 30);
    expect([first.name, second.name]).toEqual(['mine', own.name]);
    expect(first.frames).toBe(own.frames);
    first.transforms.forEach((value, k) => {
      expect(value).toBeCloseTo(own.transforms[k], 4);
    });
  });

  it('leave joints at rest that they do not name, and are refused where they name none', async () => {
    const { bytes } = await writeSkinnedGlb({ rig, clips: [] });
    const rest = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const still = { name: 'a', fps: 30, frames: 2, transforms: Float32Array.from([...rest, ...rest]) };
    const [made] = await readJointClips(await writeJointClip(bytes, { ...still, joints: [rig.bones[0].name] }), 30);
    made.transforms.subarray(-12).forEach((value, k) => {
      expect(value).toBeCloseTo(rest[k], 5);
    });
    await expect(writeJointClip(bytes, { ...still, joints: ['nobody'] })).rejects.toThrow(InputError);
  });
});

it('a capture that was fitted by landmarks keeps its motion', () => {
  const joint = (name: string, offset: string, inner: string) =>
    `JOINT ${name} {\n OFFSET ${offset}\n CHANNELS 3 Zrotation Xrotation Yrotation\n ${inner} }\n`;
  const end = 'End Site { OFFSET 0 1 0 }';
  const bvh = `HIERARCHY
ROOT Hips {
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 ${joint('Head', '0 2 0', end)}${joint('LeftArm', '1 1 0', joint('LeftHand', '1 0 0', end))}${joint('RightArm', '-1 1 0', joint('RightHand', '-1 0 0', end))}}
MOTION
Frames: 2
Frame Time: 0.1
${new Array(21).fill(0).join(' ')}
0 0 0 0 0 90 ${new Array(15).fill(0).join(' ')}
`;
  const landmarks = { hips: [0, 3, 0], head: [0, 4, 0], leftWrist: [1, 3.5, 0], rightWrist: [-1, 3.5, 0] } as const;
  const { name, times, transforms } = captureClip(
    { name: 'turn.bvh', bytes: new TextEncoder().encode(bvh) },
    landmarks,
  );
  expect([name, times.length]).toEqual(['turn.bvh', 2]);
  // The whole body has turned to the side about the hips.
  const last = transforms.subarray(transforms.length / 2);
  expect(Math.abs(last[0])).toBeLessThan(1e-6);
  expect(Math.abs(last[2])).toBeCloseTo(1, 6);
});
