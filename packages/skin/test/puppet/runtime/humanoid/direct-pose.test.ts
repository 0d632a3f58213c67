import { Random } from '@pelt/math';
import { type Bone, InputError, poseFromJoints } from '@pelt/model';
import {
  characterOf,
  dogCharacter,
  PERFORMER_BONES,
  PERFORMER_JOINTS,
  PERFORMER_POSES,
  performerPose,
  stickRig,
} from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { posedOrigin } from '../../../../src/puppet/runtime/local-pose.ts';
import { createPuppet } from '../../../../src/puppet/runtime/puppet.ts';
import { expectClose } from '../../expect-close.ts';

const OPTIONS = { delay: 0, contacts: 'none' } as const;
const neutral = performerPose();

/** The performer's skeleton in another rest pose, with other proportions, facing elsewhere. */
function characterBones(
  pose: Parameters<typeof poseFromJoints>[1],
  scale: (name: string) => number,
  degrees = 0,
): Bone[] {
  const { transforms } = poseFromJoints(PERFORMER_BONES, pose);
  const origins = PERFORMER_BONES.map((bone, j) => {
    const out = new Float64Array(3);
    posedOrigin(bone, transforms, 12 * j, out);
    return [...out];
  });
  const angle = (degrees * Math.PI) / 180;
  const placed: number[][] = [];
  PERFORMER_BONES.forEach(({ name, parent }, j) => {
    const offset = origins[j].map((value, k) => scale(name) * (value - (parent < 0 ? 0 : origins[parent][k])));
    placed.push(offset.map((value, k) => value + (parent < 0 ? 0 : placed[parent][k])));
  });
  return PERFORMER_BONES.map((bone, j) => {
    const [x, y, z] = placed[j];
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return { ...bone, rest: Float64Array.of(1, 0, 0, c * x + s * z, 0, 1, 0, y, 0, 0, 1, -s * x + c * z) };
  });
}

const ARMS = (degrees: number) =>
  ({
    leftShoulder: { degrees: [0, 0, degrees] },
    rightShoulder: { degrees: [0, 0, -degrees] },
  }) as const;

/** Rest poses: hanging arms, A, T; long legs; short arms; facing −Z. */
const CHARACTERS = [
  ['the performer', characterBones({}, () => 1), 0],
  ['an A-pose, twice as tall', characterBones(ARMS(45), () => 2), 0],
  ['a T-pose with long legs', characterBones(ARMS(88), (name) => (/Knee|Ankle/.test(name) ? 1.4 : 1)), 0],
  ['a T-pose that faces −Z', characterBones(ARMS(88), (name) => (/Elbow|Wrist/.test(name) ? 0.7 : 1), 180), 180],
] as const;

const LIMBS = ['left', 'right'].flatMap((side) => [
  [`${side}Shoulder`, `${side}Elbow`],
  [`${side}Elbow`, `${side}Wrist`],
  [`${side}Hip`, `${side}Knee`],
  [`${side}Knee`, `${side}Ankle`],
]);
const index = (name: string) => PERFORMER_JOINTS.indexOf(name);

function originsOf(bones: readonly Bone[], transforms: Float64Array): number[][] {
  return bones.map((bone, j) => {
    const out = new Float64Array(3);
    posedOrigin(bone, transforms, 12 * j, out);
    return [...out];
  });
}

/** Largest angle between a limb of the character and the performer's, in degrees, for a character that is turned. */
function limbError(
  bones: readonly Bone[],
  transforms: Float64Array,
  joints: Float32Array,
  degrees: number,
  limbs: readonly (readonly string[])[] = LIMBS,
): number {
  const origins = originsOf(bones, transforms);
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const angles = limbs.map(([from, to]) => {
    const a = origins[index(to)].map((value, k) => value - origins[index(from)][k]);
    const [x, y, z] = [0, 1, 2].map((k) => joints[3 * index(to) + k] - joints[3 * index(from) + k]);
    const b = [c * x + s * z, y, -s * x + c * z];
    const dot = a.reduce((sum, value, k) => sum + value * b[k], 0) / (Math.hypot(...a) * Math.hypot(...b));
    return (180 / Math.PI) * Math.acos(Math.min(1, dot));
  });
  return Math.max(...angles);
}

describe.each(CHARACTERS)('a direct retarget to %s', (_, bones, degrees) => {
  const rig = stickRig('man', bones);
  const make = () => createPuppet({ character: rig, performer: PERFORMER_JOINTS, neutral }, OPTIONS);

  it('stands as the performer does', () => {
    const { transforms } = make().update(neutral, 0);
    expect(limbError(bones, transforms, neutral, degrees)).toBeLessThan(0.1);
    // The trunk and the feet are as at rest.
    for (const name of ['hips', 'chest', 'head', 'leftAnkle']) {
      expectClose(
        transforms.subarray(12 * index(name), 12 * index(name) + 12).filter((_v, k) => k % 4 !== 3),
        [1, 0, 0, 0, 1, 0, 0, 0, 1],
        0.02,
      );
    }
  });

  it('points its limbs where the performer does, keeps their lengths, and is always rigid', () => {
    const random = new Random(11);
    const puppet = make();
    for (let t = 0; t < 60; t++) {
      const turn = (size: number) => size * Math.sin(t / (5 + random.uniform()));
      const joints = performerPose({
        leftShoulder: { degrees: [turn(60), turn(20), 50 + turn(60)] },
        rightShoulder: { degrees: [turn(-80), 0, -30] },
        leftElbow: { degrees: [-40 + turn(40), 0, 0] },
        leftHip: { degrees: [turn(40), 0, turn(10)] },
        leftKnee: { degrees: [45 + turn(45), 0, 0] },
        spine: { degrees: [turn(25), turn(30), turn(10)] },
      });
      const { transforms } = puppet.update(joints, t / 30);
      expect(limbError(bones, transforms, joints, degrees)).toBeLessThan(0.1);
      const origins = originsOf(bones, transforms);
      bones.forEach(({ parent, rest }, j) => {
        if (parent < 0) return;
        const length = Math.hypot(...origins[j].map((value, k) => value - origins[parent][k]));
        const before = Math.hypot(...[3, 7, 11].map((k) => rest[k] - bones[parent].rest[k]));
        expect(length).toBeCloseTo(before, 6);
      });
    }
  });

  it('keeps the line of the shoulders, beside a spine that trembles', () => {
    const random = new Random(12);
    const puppet = make();
    for (let t = 0; t < 30; t++) {
      const joints = performerPose({ spine: { degrees: [20 * Math.sin(t / 5), 0, 15 * Math.cos(t / 7)] } });
      for (let k = 0; k < 3; k++) joints[3 * index('spine') + k] += random.uniform(-0.01, 0.01);
      const { transforms } = puppet.update(joints, t / 30);
      expect(limbError(bones, transforms, joints, degrees, [['leftShoulder', 'rightShoulder']])).toBeLessThan(0.1);
    }
  });

  it('travels by the length of its legs, from its own place and front', () => {
    const puppet = make();
    const start = originsOf(bones, puppet.update(performerPose({}, { headingDegrees: 70 }), 0).transforms)[0];
    const [x, z] = [Math.sin((70 * Math.PI) / 180), Math.cos((70 * Math.PI) / 180)];
    const walked = performerPose({}, { headingDegrees: 70, at: [2 * x, 0, 2 * z] });
    const end = originsOf(bones, puppet.update(walked, 1).transforms)[0];
    const leg = (of: (name: string) => number[]) =>
      [
        ['leftHip', 'leftKnee'],
        ['leftKnee', 'leftAnkle'],
      ].reduce((sum, [a, b]) => sum + Math.hypot(...of(a).map((value, k) => value - of(b)[k])), 0);
    const own = leg((name) => [3, 7, 11].map((k) => bones[index(name)].rest[k]));
    const scale = own / leg((name) => [...neutral.subarray(3 * index(name), 3 * index(name) + 3)]);
    const front = degrees === 180 ? -1 : 1;
    expectClose(
      end.map((value, k) => value - start[k]),
      [0, 0, 2 * front * scale],
      0.02 * scale,
    );
  });
});

describe('a direct retarget', () => {
  const rig = stickRig('man', CHARACTERS[2][1]);

  it('turns over in a cartwheel, the way the performer does', () => {
    const puppet = createPuppet({ character: rig, performer: PERFORMER_JOINTS, neutral }, OPTIONS);
    for (let degrees = 0; degrees <= 360; degrees += 10) {
      const joints = performerPose({ hips: { degrees: [0, 0, degrees] } }, { at: [degrees / 200, 0, 0] });
      const origins = originsOf(rig.bones, puppet.update(joints, degrees / 360).transforms);
      const up = [0, 1].map((k) => origins[index('chest')][k] - origins[index('hips')][k]);
      const angle = (degrees * Math.PI) / 180;
      expect(up[0] / Math.hypot(...up)).toBeCloseTo(-Math.sin(angle), 2);
      expect(up[1] / Math.hypot(...up)).toBeCloseTo(Math.cos(angle), 2);
    }
  });

  it('puts the shoulders from the hips where the performer has them, whatever the pelvis does', () => {
    const puppet = createPuppet({ character: rig, performer: PERFORMER_JOINTS, neutral }, OPTIONS);
    const middle = (point: (name: string) => readonly number[], place: string) =>
      point(`left${place}`).map((value, k) => (value + point(`right${place}`)[k]) / 2);
    const trunkOf = (point: (name: string) => readonly number[]) => {
      const hips = middle(point, 'Hip');
      const up = middle(point, 'Shoulder').map((value, k) => value - hips[k]);
      return up.map((value) => value / Math.hypot(...up));
    };
    for (let t = 0; t < 30; t++) {
      const joints = performerPose({
        spine: { degrees: [30 * Math.sin(t / 4), 40 * Math.sin(t / 5), 20 * Math.sin(t / 3)] },
        // A line through the hips that tilts, as that of a noisy tracker.
        leftHip: { translation: [0, 0.03 * Math.sin(t), 0] },
      });
      const origins = originsOf(rig.bones, puppet.update(joints, t / 30).transforms);
      const own = trunkOf((name) => origins[index(name)]);
      expectClose(
        own,
        trunkOf((name) => [...joints.subarray(3 * index(name), 3 * index(name) + 3)]),
        0.03,
      );
    }
  });

  it('gives the same pose for a performer of any size, and joints in another order', () => {
    const pose = { ...PERFORMER_POSES.leftStep, leftElbow: { degrees: [-30, 0, 0] } } as const;
    const direct = (size: number, order: readonly string[]) => {
      const reorder = (joints: Float32Array) =>
        Float32Array.from(order.flatMap((name) => [...joints.subarray(3 * index(name), 3 * index(name) + 3)]));
      const data = { character: rig, performer: order, neutral: reorder(performerPose({}, { size })) };
      return createPuppet(data, OPTIONS).update(reorder(performerPose(pose, { size })), 0).transforms;
    };
    const expected = direct(1, PERFORMER_JOINTS);
    expectClose(direct(100, PERFORMER_JOINTS), expected, 1e-4);
    expectClose(direct(1, [...PERFORMER_JOINTS].reverse()), expected, 1e-6);
  });

  it('does without a neutral pose, and with few joints', () => {
    const few = ['leftHip', 'rightHip', 'leftShoulder', 'rightShoulder', 'leftElbow', 'leftWrist'];
    const puppet = createPuppet({ character: rig, performer: few }, { delay: 0 });
    const joints = Float32Array.from(
      few.flatMap((name) => [...neutral.subarray(3 * index(name), 3 * index(name) + 3)]),
    );
    expect(puppet.update(joints, 0).transforms.every(Number.isFinite)).toBe(true);
    expect(puppet.joints).toEqual(few);
  });

  it('stays finite whatever it is given', () => {
    const puppet = createPuppet({ character: rig, performer: PERFORMER_JOINTS, neutral });
    const random = new Random(3);
    for (let t = 0; t < 50; t++) {
      const joints = Float32Array.from({ length: neutral.length }, () => (t % 3 === 0 ? 0 : random.normal()));
      if (t % 5 === 0) joints.fill(Number.NaN, 0, 9);
      expect(puppet.update(joints, t / 30).transforms.every(Number.isFinite)).toBe(true);
    }
  });

  it('refuses what is not a body', () => {
    const dog = dogCharacter(0.1).rig;
    expect(() => createPuppet({ character: dog, performer: PERFORMER_JOINTS })).toThrow('give pairs of poses instead');
    expect(() => createPuppet({ character: rig, performer: ['head'] })).toThrow(InputError);
    const data = { character: rig, performer: PERFORMER_JOINTS, neutral: new Float32Array(3) };
    expect(() => createPuppet(data)).toThrow('the neutral pose has 3 numbers; give 3 for each of the 21 joints');
    expect(() => createPuppet({ character: rig, performer: PERFORMER_JOINTS }, { base: 'pairs' })).toThrow(
      'give pairs',
    );
  });
});

describe('style on top of a direct retarget', () => {
  const rig = stickRig('man', CHARACTERS[0][1]);
  /** The performer's poses, with a head that nods and turns. */
  const { registration } = characterOf(rig, [
    ['stand', PERFORMER_POSES.stand, {}],
    ['arms', PERFORMER_POSES.armsStraight, { ...PERFORMER_POSES.armsStraight, head: { degrees: [30, 0, 0] } }],
    ['step', PERFORMER_POSES.leftStep, { ...PERFORMER_POSES.leftStep, head: { degrees: [0, 25, 0] } }],
  ]);
  const data = { character: rig, pairs: registration, performer: PERFORMER_JOINTS };
  const options = { delay: 0, travel: 0, turn: false, noise: 0 } as const;

  it('takes the poses of the pairs', () => {
    const puppet = createPuppet(data, options);
    expect(puppet.humanoid).toBeDefined();
    registration.pairs.forEach(({ performer, character }) => {
      // The twist of a straight limb depends on how it came there.
      puppet.reset();
      const { transforms } = puppet.update(performer, 0);
      for (let j = 0; j < rig.bones.length; j++) {
        const linear = (pose: Float64Array) => pose.subarray(12 * j, 12 * j + 12).filter((_, k) => k % 4 !== 3);
        expectClose(linear(transforms), linear(character.transforms), 1e-3);
      }
    });
  });

  it('does what no pair shows, with their style', () => {
    const joints = performerPose({ leftHip: { degrees: [-70, 0, 0] }, leftKnee: { degrees: [80, 0, 0] } });
    const styled = createPuppet(data, options).update(joints, 0).transforms.slice();
    const byPairs = createPuppet(data, { ...options, base: 'pairs' }).update(joints, 0).transforms;
    expect(limbError(rig.bones, styled, joints, 0)).toBeLessThan(2);
    expect(limbError(rig.bones, byPairs, joints, 0)).toBeGreaterThan(20);
  });

  it('leaves pairs alone that show something else, unless it is told to', () => {
    // A raised arm lifts a leg.
    const other = characterOf(rig, [
      ['stand', PERFORMER_POSES.stand, {}],
      ['leg', PERFORMER_POSES.leftArmUp, { leftHip: { degrees: [-60, 0, 0] } }],
    ]);
    const mapped = { ...data, pairs: other.registration };
    expect(createPuppet(mapped, options).humanoid).toBeUndefined();
    expect(() => createPuppet(mapped, { ...options, base: 'direct' })).toThrow("give base 'pairs'");
  });
});
