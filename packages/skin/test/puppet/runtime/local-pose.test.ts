import { type Bone, type JointPose, poseFromJoints } from '@pelt/model';
import { dogCharacter } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { localPose, posedOrigin } from '../../../src/puppet/runtime/local-pose.ts';
import { expectClose } from '../expect-close.ts';

const boneAt = (name: string, parent: number, x: number): Bone => ({
  name,
  parent,
  rest: Float64Array.of(0, 3, 0, x, -1, 0, 0.5, 0, 0, 0, 1, 0),
});
const ARM = [boneAt('shoulder', -1, 1), boneAt('elbow', 0, 2), boneAt('wrist', 1, 3)];

const local = (pose: JointPose) => localPose(ARM, poseFromJoints(ARM, pose).transforms);
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

describe('localPose', () => {
  it('is nothing at rest', () => {
    const { rotations, translations, stretches } = local({});
    expectClose(rotations, [...IDENTITY, ...IDENTITY, ...IDENTITY]);
    expectClose(translations, new Float64Array(9));
    expect(stretches.every((value) => value === 0)).toBe(true);
  });

  it('finds what each joint was told to do', () => {
    const { rotations, translations, stretches } = local({
      shoulder: { degrees: [0, 0, 90] },
      elbow: { degrees: [0, 0, 90], translation: [0.5, 0, 0] },
      wrist: { scale: [2, 1, 1] },
    });
    const quarter = [0, -1, 0, 1, 0, 0, 0, 0, 1];
    expectClose(rotations, [...quarter, ...quarter, ...IDENTITY]);
    expectClose(translations, [0, 0, 0, 0.5, 0, 0, 0, 0, 0]);
    expectClose(stretches.subarray(12), [Math.log(2), 0, 0, 0, 0, 0]);
    expect(stretches.subarray(0, 12).every((value) => value === 0)).toBe(true);
  });

  it('does not mistake the parent’s stretch for the child’s', () => {
    const { stretches, translations, rotations } = local({
      shoulder: { scale: [1, 3, 0.5] },
      elbow: { degrees: [0, 40, 0] },
    });
    expectClose(stretches.subarray(0, 6), [0, 0, 0, Math.log(3), 0, Math.log(0.5)]);
    expectClose(stretches.subarray(6), new Float64Array(12));
    expectClose(translations, new Float64Array(9));
    expect(rotations[9]).toBeCloseTo(Math.cos((40 * Math.PI) / 180), 12);
  });

  it('is finite for bones that are flattened, mirrored or gone', () => {
    for (const scale of [
      [0, 1, 1],
      [-1, 1, 1],
      [0, 0, 0],
    ] as const) {
      const { rotations, translations, stretches } = local({ shoulder: { scale }, elbow: { degrees: [0, 30, 0] } });
      for (const values of [rotations, translations, stretches]) expect(values.every(Number.isFinite)).toBe(true);
    }
  });

  it('finds joints where a pose has them', () => {
    const { rig, registration } = dogCharacter(0.1);
    const { transforms } = registration.pairs[3].character;
    const j = rig.bones.findIndex((bone) => bone.name === 'left fore foot');
    const out = new Float64Array(3);
    posedOrigin(rig.bones[j], transforms, 12 * j, out);
    // The paw is up.
    expect(out[1]).toBeGreaterThan(rig.bones[j].rest[7] + 0.2);
  });
});
