import { describe, expect, it } from 'vitest';
import { EasedPose } from '../../../src/pose/runtime/eased-pose.ts';

const shown = (pose: EasedPose, value: number) => {
  const transforms = Float64Array.of(value);
  pose.show(transforms);
  return transforms[0];
};

describe('an eased pose', () => {
  it('leaves what was shown over its steps, in one direction', () => {
    const pose = new EasedPose(1, 4);
    expect(shown(pose, 0)).toBe(0);
    pose.begin();
    const values = [1, 2, 3, 4].map(() => {
      pose.advance();
      return shown(pose, 1);
    });
    expect(values[3]).toBe(1);
    expect(values.every((value, k) => value > (values[k - 1] ?? 0))).toBe(true);
    expect(pose.advance()).toBe(false);
  });

  it('shows what is found where nothing was shown before, after a reset, and with no steps', () => {
    const fresh = new EasedPose(1, 4);
    fresh.begin();
    expect(shown(fresh, 1)).toBe(1);
    fresh.reset();
    fresh.begin();
    expect(shown(fresh, 5)).toBe(5);
    const sudden = new EasedPose(1, 0);
    shown(sudden, 0);
    sudden.begin();
    expect(sudden.advance()).toBe(false);
    expect(shown(sudden, 1)).toBe(1);
  });
});
