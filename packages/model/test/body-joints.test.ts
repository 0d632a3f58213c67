import { describe, expect, it } from 'vitest';
import { findBodyJoints, nameBodyJoints } from '../src/body-joints.ts';

describe('findBodyJoints', () => {
  it('knows the words of capture suites and character tools', () => {
    // name, joint
    for (const [name, joint] of [
      ['LeftUpLeg', 'leftHip'],
      ['mixamorig:RightForeArm', 'rightElbow'],
      ['Bip01 L Calf', 'leftKnee'],
      ['upper_arm.R', 'rightShoulder'],
      ['thigh_l', 'leftHip'],
      ['lShldr', 'leftShoulder'],
      ['DEF-hand.L', 'leftWrist'],
      ['rtibia', 'rightKnee'],
      ['pelvis', 'hips'],
      ['Spine2', 'chest'],
      ['Head', 'head'],
      ['RightToeBase', 'rightToes'],
    ]) {
      expect(findBodyJoints([name]), name).toEqual([joint]);
    }
  });

  it('leaves what it does not know', () => {
    expect(findBodyJoints(['tail', 'left hind thigh', 'arm 3 2', '', 'leg'])).toEqual(new Array(5).fill(undefined));
  });

  it('takes a shoulder beside an arm for the collar, and a hand beside a wrist for the hand', () => {
    expect(findBodyJoints(['LeftShoulder', 'LeftArm'])).toEqual([undefined, 'leftShoulder']);
    expect(findBodyJoints(['LeftShoulder', 'LeftElbow'])).toEqual(['leftShoulder', 'leftElbow']);
    expect(findBodyJoints(['LeftHand', 'LeftWrist'])).toEqual(['leftHand', 'leftWrist']);
    expect(findBodyJoints(['LeftHand'])).toEqual(['leftWrist']);
  });
});

describe('nameBodyJoints', () => {
  it('keeps unknown names and never gives a name twice', () => {
    expect(nameBodyJoints(['Hips', 'LowerBack', 'Spine', 'Tail'])).toEqual(['hips', 'LowerBack', 'spine', 'Tail']);
    const named = nameBodyJoints(['LeftArm', 'leftShoulder', 'leftShoulder']);
    expect(named[0]).toBe('leftShoulder');
    expect(new Set(named).size).toBe(3);
    expect(nameBodyJoints([])).toEqual([]);
  });
});
