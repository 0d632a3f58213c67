import { UsageError } from '@pelt/model';
import { PERFORMER_JOINTS } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { PartsOption } from '../../../src/puppet/options.ts';
import { partsOf } from '../../../src/puppet/runtime/parts.ts';

describe('partsOf', () => {
  it('puts every joint into exactly one part', () => {
    for (const option of ['whole', 'body', 'limbs', { hands: ['leftHand', 'rightHand'] }] as const) {
      const joints = partsOf(PERFORMER_JOINTS, option).flatMap((part) => part.joints);
      expect(joints.sort((a, b) => a - b)).toEqual(PERFORMER_JOINTS.map((_, j) => j));
    }
  });

  it('names them', () => {
    const names = (option: PartsOption) => partsOf(PERFORMER_JOINTS, option).map((part) => part.name);
    expect(names('whole')).toEqual(['whole']);
    expect(names('body')).toEqual(['arms', 'legs', 'trunk']);
    expect(names('limbs')).toEqual(['leftArm', 'rightArm', 'leftLeg', 'rightLeg', 'trunk']);
    expect(names({ hands: ['leftHand'] })).toEqual(['hands', 'trunk']);
    expect(partsOf(PERFORMER_JOINTS, 'body')[0].frame).toBe('chest');
  });

  it('leaves out parts without joints', () => {
    expect(partsOf(['leftKnee', 'hips'], 'body').map((part) => part.name)).toEqual(['legs', 'trunk']);
    expect(partsOf(['leftKnee'], 'limbs').map((part) => part.name)).toEqual(['leftLeg']);
  });

  it('refuses a joint in two parts, and parts that are not known', () => {
    expect(() => partsOf(['a'], { one: ['a'], two: ['a'] })).toThrow("joint 'a' is in part 'one' and 'two'");
    expect(() => partsOf(['a'], 'most' as PartsOption)).toThrow(UsageError);
  });
});
