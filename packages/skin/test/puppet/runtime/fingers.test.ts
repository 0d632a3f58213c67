import { type Bone, poseFromJoints } from '@pelt/model';
import { PERFORMER_BONES, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { createPuppet } from '../../../src/puppet/index.ts';
import { findFingers } from '../../../src/puppet/runtime/humanoid/finger-names.ts';

describe('findFingers', () => {
  it('knows the names of the usual rigs', () => {
    const rigs = [
      ['mixamorig:LeftHandIndex1', 'mixamorig:LeftHandIndex2', 'mixamorig:LeftHandIndex3'],
      ['leftIndexProximal', 'leftIndexIntermediate', 'leftIndexDistal'],
      ['index_01_l', 'index_02_l', 'index_03_l'],
      ['f_index.01.L', 'f_index.02.L', 'f_index.03.L'],
      ['lIndex1', 'lIndex2', 'lIndex3'],
    ];
    for (const names of rigs) {
      expect(findFingers(names), names[0]).toEqual([{ side: 'left', finger: 'index', joints: [0, 1, 2] }]);
    }
  });

  it('orders joints along a finger, with its tip last, and leaves palms out', () => {
    const names = ['RightHandRing3 tip', 'RightHandRing3', 'RightHandRing1', 'RightHandRing2', 'rightRingMetacarpal'];
    expect(findFingers(names)).toEqual([{ side: 'right', finger: 'ring', joints: [2, 3, 1, 0] }]);
    // What MediaPipe gives of body and hands.
    const tracked = ['leftIndex', 'leftIndexTip', 'leftIndexDistal', 'leftIndexProximal', 'leftIndexIntermediate'];
    expect(findFingers(tracked)).toEqual([{ side: 'left', finger: 'index', joints: [3, 4, 2, 1] }]);
    expect(findFingers(['thumb', 'leftThumbMetacarpal', 'string', 'LeftHand'])).toEqual([]);
  });
});

/** The performer's skeleton with a thumb and three fingers at the left hand. */
function withFingers(): Bone[] {
  const bones = [...PERFORMER_BONES];
  const wrist = bones.findIndex(({ name }) => name === 'leftWrist');
  for (const [k, finger] of ['Index', 'Middle', 'Ring'].entries()) {
    let parent = wrist;
    for (let n = 1; n <= 3; n++) {
      const rest = Float64Array.of(1, 0, 0, 0.21, 0, 1, 0, 0.8 - 0.035 * n, 0, 0, 1, 0.05 - 0.02 * k);
      bones.push({ name: `left${finger}${n}`, parent, rest });
      parent = bones.length - 1;
    }
  }
  return bones;
}

describe('fingers', () => {
  const bones = withFingers();
  const joints = bones.map(({ name }) => name);
  const positionsOf = (pose: Parameters<typeof poseFromJoints>[1]) => {
    const { transforms } = poseFromJoints(bones, pose);
    return Float32Array.from(
      bones.flatMap(({ rest }, j) =>
        [0, 4, 8].map((row) => {
          const at = 12 * j + row;
          return (
            transforms[at] * rest[3] + transforms[at + 1] * rest[7] + transforms[at + 2] * rest[11] + transforms[at + 3]
          );
        }),
      ),
    );
  };
  const create = () =>
    createPuppet(
      { character: stickRig('hand', bones), performer: joints, neutral: positionsOf({}) },
      { delay: 0, travel: 0, contacts: 'none' },
    );
  const directionOf = (transforms: Float64Array, from: string, to: string) => {
    const [a, b] = [from, to].map((name) => {
      const j = joints.indexOf(name);
      const { rest } = bones[j];
      return [0, 4, 8].map((row) => {
        const at = 12 * j + row;
        return (
          transforms[at] * rest[3] + transforms[at + 1] * rest[7] + transforms[at + 2] * rest[11] + transforms[at + 3]
        );
      });
    });
    const v = b.map((value, k) => value - a[k]);
    return v.map((value) => value / Math.hypot(...v));
  };

  it('takes the directions of the performer', () => {
    const curled = { leftIndex1: { degrees: [0, 0, 50] as const }, leftIndex2: { degrees: [0, 0, 60] as const } };
    const puppet = create();
    const { transforms } = puppet.update(positionsOf(curled), 0);
    const truth = poseFromJoints(bones, curled).transforms;
    for (const [from, to] of [
      ['leftIndex1', 'leftIndex2'],
      ['leftIndex2', 'leftIndex3'],
      ['leftMiddle1', 'leftMiddle2'],
    ]) {
      directionOf(transforms, from, to).forEach((value, k) => {
        expect(value, `${from} ${k}`).toBeCloseTo(directionOf(truth, from, to)[k], 5);
      });
    }
  });

  it('keeps the pose of a finger that is lost', () => {
    const curled = positionsOf({ leftMiddle1: { degrees: [0, 0, 50] } });
    const puppet = create();
    const before = directionOf(puppet.update(curled, 0).transforms.slice(), 'leftMiddle1', 'leftMiddle2');
    const confidence = Float32Array.from(joints, (name) => (name.startsWith('leftMiddle') ? 0 : 1));
    const after = directionOf(puppet.update(curled, 0.03, confidence).transforms, 'leftMiddle1', 'leftMiddle2');
    after.forEach((value, k) => {
      expect(value).toBeCloseTo(before[k], 4);
    });
  });

  it('carries a bone straight on whose tip lies on its joint', () => {
    const curled = positionsOf({ leftRing1: { degrees: [0, 0, 50] } });
    const [joint, tip] = ['leftRing2', 'leftRing3'].map((name) => 3 * joints.indexOf(name));
    for (let k = 0; k < 3; k++) curled[tip + k] = curled[joint + k];
    const { transforms } = create().update(curled, 0);
    const before = directionOf(transforms, 'leftRing1', 'leftRing2');
    directionOf(transforms, 'leftRing2', 'leftRing3').forEach((value, k) => {
      expect(value).toBeCloseTo(before[k], 5);
    });
  });
});
