import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { requireBothSides } from '../../src/volume/require-both-sides.ts';

const JOINTS = ['Hips', 'Spine', 'LeftArm', 'LeftHand', 'RightArm', 'RightHand', 'LeftUpLeg', 'RightUpLeg'];
const check = (...placed: string[]) => requireBothSides(JOINTS, new Set(placed), 'places.json');

describe('landmarks', () => {
  it('may place both sides of a limb, or none', () => {
    check('Hips', 'LeftArm', 'RightHand');
    check('Hips', 'Spine');
    check('LeftUpLeg', 'RightUpLeg');
  });

  it('may not leave one side unplaced', () => {
    expect(() => check('Hips', 'LeftArm')).toThrow(InputError);
    expect(() => check('Hips', 'LeftArm')).toThrow(
      "'places.json' places the left arm but no joint of the right arm; add RightArm or RightHand",
    );
    expect(() => check('RightUpLeg', 'LeftHand', 'RightHand')).toThrow('no joint of the left leg; add LeftUpLeg');
  });

  it('know sides of one letter, and skeletons with one side only', () => {
    expect(() => requireBothSides(['arm.L', 'arm.R'], new Set(['arm.L']), 'p')).toThrow('add arm.R');
    requireBothSides(['LeftArm'], new Set(['LeftArm']), 'p');
  });
});
