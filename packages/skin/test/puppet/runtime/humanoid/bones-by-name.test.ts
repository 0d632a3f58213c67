import type { Bone } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { bonesByName } from '../../../../src/puppet/runtime/humanoid/bones-by-name.ts';

const bonesOf = (names: readonly string[]): Bone[] =>
  names.map((name, j) => ({ name, parent: j - 1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) }));

/** The names that were found, by place. */
const found = (names: readonly string[]) =>
  Object.fromEntries([...bonesByName(bonesOf(names))].map(([place, j]) => [place, names[j]]));

/** Per vocabulary: hip, knee, ankle, toes, shoulder, elbow, wrist of the left side; and bones that are none of these. */
const VOCABULARIES: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  Mixamo: [
    ['UpLeg', 'Leg', 'Foot', 'ToeBase', 'Arm', 'ForeArm', 'Hand'].map((word) => `mixamorig:Left${word}`),
    ['mixamorig:LeftShoulder', 'mixamorig:LeftHandIndex1', 'mixamorig:LeftToe_End', 'mixamorig:Spine2'],
  ],
  'Mixamo as three.js has it': [
    ['UpLeg', 'Leg', 'Foot', 'ToeBase', 'Arm', 'ForeArm', 'Hand'].map((word) => `mixamorigLeft${word}`),
    ['mixamorigLeftShoulder', 'mixamorigLeftHandThumb1'],
  ],
  VRM: [
    ['UpperLeg', 'LowerLeg', 'Foot', 'ToeBase', 'UpperArm', 'LowerArm', 'Hand'].map((word) => `J_Bip_L_${word}`),
    ['J_Bip_L_Shoulder', 'J_Bip_L_Middle1', 'J_Sec_L_Bust1'],
  ],
  'VRM by meaning': [
    ['leftUpperLeg', 'leftLowerLeg', 'leftFoot', 'leftToes', 'leftUpperArm', 'leftLowerArm', 'leftHand'],
    ['leftShoulder', 'leftMiddleProximal', 'leftEye'],
  ],
  CMU: [
    ['LeftUpLeg', 'LeftLeg', 'LeftFoot', 'LeftToeBase', 'LeftArm', 'LeftForeArm', 'LeftHand'],
    ['LHipJoint', 'LeftShoulder', 'LeftFingerBase', 'LThumb'],
  ],
  Unreal: [
    ['thigh_l', 'calf_l', 'foot_l', 'ball_l', 'upperarm_l', 'lowerarm_l', 'hand_l'],
    ['clavicle_l', 'upperarm_twist_01_l', 'ik_foot_l', 'ik_hand_l', 'middle_01_l'],
  ],
  Rigify: [
    ['thigh.L', 'shin.L', 'foot.L', 'toe.L', 'upper_arm.L', 'forearm.L', 'hand.L'].map((word) => `DEF-${word}`),
    ['DEF-thigh.L.001', 'DEF-upper_arm.L.001', 'MCH-foot_ik.L', 'DEF-shoulder.L', 'DEF-f_index.01.L'],
  ],
  Biped: [
    ['Thigh', 'Calf', 'Foot', 'Toe0', 'UpperArm', 'Forearm', 'Hand'].map((word) => `Bip01 L ${word}`),
    ['Bip01 L Clavicle', 'Bip01 L Finger0', 'Bip01 L Toe0Nub'],
  ],
  DAZ: [
    ['lThighBend', 'lShin', 'lFoot', 'lToe', 'lShldrBend', 'lForearmBend', 'lHand'],
    ['lThighTwist', 'lCollar', 'lShldrTwist', 'lForearmTwist', 'lThumb1'],
  ],
  Kinect: [
    ['HipLeft', 'KneeLeft', 'AnkleLeft', 'ToesLeft', 'ShoulderLeft', 'ElbowLeft', 'WristLeft'],
    ['HandLeft', 'SpineMid'],
  ],
};
const PLACES = ['Hip', 'Knee', 'Ankle', 'Toes', 'Shoulder', 'Elbow', 'Wrist'];

describe('bonesByName', () => {
  it.each(Object.entries(VOCABULARIES))('reads %s', (_, [limbs, others]) => {
    const expected = Object.fromEntries(PLACES.map((place, k) => [`left${place}`, limbs[k]]));
    expect(found([...limbs, ...others])).toEqual(expected);
    expect(found([...limbs, ...others].map((name) => name.toUpperCase()))).toEqual(
      limbs.some((name) => /[a-z][A-Z]/.test(name) && !/[_ .-]/.test(name))
        ? expect.any(Object)
        : Object.fromEntries(PLACES.map((place, k) => [`left${place}`, limbs[k].toUpperCase()])),
    );
  });

  it('tells the sides apart, and finds neck and head', () => {
    expect(found(['neck_01', 'head', 'thigh_r', 'thigh_l', 'headTop_End'])).toEqual({
      leftHip: 'thigh_l',
      rightHip: 'thigh_r',
      neck: 'neck_01',
      head: 'head',
    });
  });

  it('finds nothing in a skeleton without names', () => {
    expect(found(['joint 1', 'joint 2', 'bone', ''])).toEqual({});
  });
});
