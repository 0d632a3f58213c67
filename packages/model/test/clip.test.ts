import { describe, expect, it } from 'vitest';
import { type Clip, poseAt, validateClip, validatePose } from '../src/clip.ts';
import { InputError } from '../src/errors.ts';

/** Two frames of two bones. */
const clip: Clip = {
  name: 'walk',
  times: new Float64Array([0, 1]),
  transforms: Float64Array.from({ length: 48 }, (_, k) => k),
};

function expectInvalid(change: Partial<Clip>, message: string, bones = 2): void {
  const changed = { ...clip, ...change };
  expect(() => validateClip(changed, bones)).toThrow(InputError);
  expect(() => validateClip(changed, bones)).toThrow(message);
}

describe('Clip and Pose', () => {
  it('has poses that are views', () => {
    const pose = poseAt(clip, 1, 2);
    expect(pose.transforms).toHaveLength(24);
    expect(pose.transforms[0]).toBe(24);
    expect(pose.transforms.buffer).toBe(clip.transforms.buffer);
    validatePose(pose, 2);
  });

  it('refuses poses of another size or with NaN', () => {
    expect(() => validatePose({ transforms: new Float64Array(23) }, 2)).toThrow(
      'pose: transforms: length 23, expected 24',
    );
    const broken = new Float64Array(24).fill(Number.NaN, 13, 14);
    expect(() => validatePose({ transforms: broken }, 2)).toThrow('element 1 is NaN');
  });

  it('accepts a clip; refuses no frames, another bone count, bad times, NaN', () => {
    validateClip(clip, 2);
    expectInvalid({ times: new Float64Array(), transforms: new Float64Array() }, "clip 'walk': no frames");
    expectInvalid({}, 'transforms: length 48, expected 72', 3);
    expectInvalid({ times: new Float64Array([1, 1]) }, 'frame 1 at 1 s');
    expectInvalid({ transforms: clip.transforms.with(30, Number.NaN) }, 'element 2 is NaN');
  });
});
