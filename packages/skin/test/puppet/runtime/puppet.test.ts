import { InputError, UsageError } from '@pelt/model';
import {
  barCharacter,
  dogCharacter,
  flourSackCharacter,
  octopusCharacter,
  PERFORMER_JOINTS,
  PERFORMER_POSES,
  performerPose,
} from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import type { PuppetOptions } from '../../../src/puppet/options.ts';
import { createPuppet } from '../../../src/puppet/runtime/puppet.ts';
import { expectClose } from '../expect-close.ts';

const IN_PLACE = { delay: 0, travel: 0, turn: false } as const;
const CHARACTERS = [barCharacter(), dogCharacter(0.08), flourSackCharacter(0.1), octopusCharacter(0.08)];
const dog = CHARACTERS[1];

/** Weights of a pose by the name of its pair, in one part. */
function weightsOf(
  character: (typeof CHARACTERS)[number],
  pose: Float32Array,
  options: Partial<PuppetOptions>,
): number[] {
  const puppet = createPuppet(
    { character: character.rig, pairs: character.registration, performer: PERFORMER_JOINTS },
    { ...IN_PLACE, ...options },
  );
  puppet.update(pose, 0);
  return [...puppet.weights];
}

describe.each(CHARACTERS.map((character) => [character.rig.name, character] as const))(
  'a puppet of the %s',
  (_, character) => {
    const { rig, registration } = character;

    it.each([
      ['linear', 'whole'],
      ['positive', 'whole'],
      ['l1', 'whole'],
      ['l1', 'body'],
      ['l1', 'limbs'],
      ['positive', 'limbs'],
    ] as const)('takes its registered poses: %s, %s', (projection, parts) => {
      const puppet = createPuppet(
        { character: rig, pairs: registration, performer: PERFORMER_JOINTS },
        {
          ...IN_PLACE,
          projection,
          parts,
          contacts: undefined,
        },
      );
      registration.pairs.forEach((pair, i) => {
        const { transforms } = puppet.update(pair.performer, i);
        // With parts, what a part moves by accident (arms in a bow) still reaches the bones that follow it, and examples
        // that differ little in a part, such as a stand between two steps, share their weight.
        expectClose(transforms, pair.character.transforms, parts === 'whole' ? 2e-4 : 5e-2);
      });
    });

    it('stays finite and in one piece, whatever the performer does', () => {
      const puppet = createPuppet(
        { character: rig, pairs: registration, performer: PERFORMER_JOINTS },
        {
          contacts: 'auto',
          loose: character.loose,
          lambda: 0,
        },
      );
      for (let t = 0; t < 120; t++) {
        const swing = 170 * Math.sin(t / 7);
        const pose = performerPose(
          {
            leftShoulder: { degrees: [swing, 40, swing] },
            rightHip: { degrees: [swing, 0, 0] },
            spine: { degrees: [swing / 2, 0, 0] },
          },
          { at: [t / 20, Math.abs(Math.sin(t / 9)), 0], headingDegrees: 5 * t },
        );
        const { transforms } = puppet.update(pose, t / 30);
        expect(transforms.every((value) => Math.abs(value) < 1e4)).toBe(true);
      }
    });
  },
);

describe('what the paper found', () => {
  const bar = CHARACTERS[0];
  const between = (share: number) =>
    performerPose({
      leftShoulder: { degrees: [-85 * share, 0, 85 * (1 - share)] },
      rightShoulder: { degrees: [-85 * share, 0, -85 * (1 - share)] },
    });

  it('in-between poses give rising weights, the same with a third pose under the positive projection', () => {
    const two = { ...bar.registration, pairs: bar.registration.pairs };
    const third = {
      name: 'up',
      performer: performerPose(PERFORMER_POSES.armsUp),
      character: bar.registration.pairs[0].character,
    };
    const three = { ...bar, registration: { ...two, pairs: [...two.pairs, third] } };
    let last = -1;
    for (const share of [0.2, 0.4, 0.6, 0.8]) {
      const [a, b] = weightsOf(bar, between(share), { projection: 'positive' });
      expect(b).toBeGreaterThan(last);
      last = b;
      expectClose(weightsOf(three, between(share), { projection: 'positive' }), [a, b, 0], 1e-6);
      // The linear projection brings the third pose in, with a negative weight.
      expect(weightsOf(three, between(share), { projection: 'linear' })[2]).toBeLessThan(-0.01);
    }
  });

  it('beyond the examples the positive projection sticks, l1 goes over to it as λ grows', () => {
    // From straight to front, and on until the arms cross.
    const beyond = performerPose({
      leftShoulder: { degrees: [-85, -50, 0] },
      rightShoulder: { degrees: [-85, 50, 0] },
    });
    expectClose(weightsOf(bar, beyond, { projection: 'positive' }), [0, 1], 1e-9);
    const linear = weightsOf(bar, beyond, { projection: 'linear' });
    expect(linear[0]).toBeLessThan(-0.2);
    const weights = [0, 0.1, 0.2, 0.3, 0.4, 2].map((lambda) => weightsOf(bar, beyond, { projection: 'l1', lambda })[0]);
    expectClose([weights[0]], [linear[0]], 1e-6);
    for (let k = 1; k < 5; k++) expect(weights[k]).toBeCloseTo(Math.min(0, linear[0] + k / 10), 6);
    expect(weights[5]).toBe(0);
  });

  it.each(['directions', 'positions'] as const)(
    'a shift, a turn and another size change no weight (%s)',
    (features) => {
      for (const projection of ['linear', 'positive', 'l1'] as const) {
        const pose = { leftShoulder: { degrees: [-40, 0, 60] }, rightHip: { degrees: [-30, 0, 0] } } as const;
        const plain = weightsOf(dog, performerPose(pose), { projection, features });
        for (const place of [
          { at: [0.5, 0, 0] },
          { at: [0, 0.5, 0] },
          { at: [0, 0, 0.5] },
          { headingDegrees: 70 },
          { size: 0.6 },
        ] as const) {
          expectClose(weightsOf(dog, performerPose(pose, place), { projection, features }), plain, 2e-4);
        }
      }
    },
  );
});

describe('parts', () => {
  const HIND = ['left hind thigh', 'left hind shin', 'right hind thigh', 'right hind shin'];

  /** How far the hind legs turn while the performer moves the arms alone, radians, summed over a performance. */
  function disturbance(parts: PuppetOptions['parts']): number {
    const puppet = createPuppet(
      { character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS },
      { ...IN_PLACE, parts },
    );
    let total = 0;
    for (let t = 0; t < 100; t++) {
      const [a, b] = [60 * Math.sin(t / 8), 70 * Math.sin(t / 11)];
      const pose = performerPose({
        leftShoulder: { degrees: [a, 0, 40 + b / 2] },
        rightShoulder: { degrees: [-b, 0, -40 + a / 2] },
        leftElbow: { degrees: [-20 + a / 3, 0, 0] },
      });
      const { transforms } = puppet.update(pose, t / 30);
      for (const name of HIND) {
        const j = 12 * dog.rig.bones.findIndex((bone) => bone.name === name);
        total += Math.acos(Math.min(1, (transforms[j] + transforms[j + 5] + transforms[j + 10] - 1) / 2));
      }
    }
    return total;
  }

  it('keep the dog’s hind legs still while only the arms move', () => {
    const whole = disturbance('whole');
    expect(whole).toBeGreaterThan(1);
    expect(disturbance('body')).toBeLessThan(0.02 * whole);
    expect(disturbance('limbs')).toBeLessThan(0.02 * whole);
  });

  it('let an arm and a leg do different things at once', () => {
    const puppet = createPuppet(
      { character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS },
      { ...IN_PLACE, parts: 'body' },
    );
    const { leftShoulder: _l, rightShoulder: _r, ...legs } = PERFORMER_POSES.leftStep;
    puppet.update(performerPose({ ...PERFORMER_POSES.rightArmUp, ...legs }), 0);
    const N = dog.registration.pairs.length;
    const names = dog.registration.pairs.map((pair) => pair.name);
    expect(puppet.parts).toEqual(['arms', 'legs', 'trunk']);
    expect(puppet.weights[names.indexOf('tail')]).toBeGreaterThan(0.9);
    expect(puppet.weights[N + names.indexOf('left step')]).toBeGreaterThan(0.9);
  });
});

describe('update', () => {
  it('holds lost joints, seen from the body, and waits for hips and shoulders', () => {
    const puppet = createPuppet(
      { character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS },
      { ...IN_PLACE, parts: 'body' },
    );
    const nobody = new Float32Array(PERFORMER_JOINTS.length);
    const neutral = puppet.update(performerPose(PERFORMER_POSES.armsUp), 0, nobody).transforms;
    expectClose(neutral, dog.registration.pairs[0].character.transforms, 1e-9);
    const seen = puppet.update(performerPose(PERFORMER_POSES.leftArmUp), 1).transforms.slice();
    // The arm is lost, and the performer walks away and turns.
    const confidence = Float32Array.from(PERFORMER_JOINTS, (name) => Number(!/^left(Elbow|Wrist|Hand)$/.test(name)));
    const held = puppet.update(performerPose({}, { at: [2, 0, 3], headingDegrees: 100 }), 2, confidence).transforms;
    expectClose(held, seen, 1e-4);
    const broken = performerPose({}, { at: [2, 0, 3] }).map((value, k) =>
      /^left(Elbow|Wrist|Hand)$/.test(PERFORMER_JOINTS[Math.floor(k / 3)]) ? Number.NaN : value,
    );
    expectClose(puppet.update(broken, 3).transforms, seen, 1e-4);
  });

  it('does with the joints that a source has', () => {
    // As MediaPipe names them: no hips, spine, chest, neck or head.
    const few = PERFORMER_JOINTS.filter((name) => /^(left|right)/.test(name));
    const puppet = createPuppet({ character: dog.rig, pairs: dog.registration, performer: ['nose', ...few] }, IN_PLACE);
    expect(puppet.joints).toEqual(few);
    dog.registration.pairs.forEach((pair, i) => {
      const positions = Float32Array.from([
        9,
        9,
        9,
        ...few.flatMap((name) => {
          const j = 3 * PERFORMER_JOINTS.indexOf(name);
          return [...pair.performer.subarray(j, j + 3)];
        }),
      ]);
      expectClose(puppet.update(positions, i).transforms, pair.character.transforms, 2e-4);
    });
  });

  it('carries the performer’s way, turned and scaled, onto the character', () => {
    const puppet = createPuppet(
      { character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS },
      { delay: 0 },
    );
    puppet.update(performerPose({}, { headingDegrees: 90 }), 0);
    const { transforms } = puppet.update(performerPose({}, { at: [1.75, 0, 0], headingDegrees: 90 }), 1);
    // About its own height forwards for the performer's height.
    expect(transforms[11]).toBeGreaterThan(0.8);
    expect(transforms[11]).toBeLessThan(1.2);
    puppet.reset();
    expectClose(
      puppet.update(performerPose({}, { at: [9, 9, 9] }), 0).transforms,
      dog.registration.pairs[0].character.transforms,
      1e-4,
    );
  });

  it('smooths, with a delay no longer than allowed', () => {
    const smooth = createPuppet(
      { character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS },
      {
        travel: 0,
        turn: false,
        delay: 0.1,
        speedCoefficient: 0,
      },
    );
    const raised = (t: number) => performerPose({ leftShoulder: { degrees: [0, 0, 60 + 40 * t] } });
    let late = 0;
    for (let t = 0; t <= 1; t += 1 / 60) {
      smooth.update(raised(t), t);
      late = t;
    }
    const weight = smooth.weights[3];
    const exact = createPuppet({ character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS }, IN_PLACE);
    exact.update(raised(late - 0.1), 0);
    expect(weight).toBeCloseTo(exact.weights[3], 2);
  });

  it('refuses other sizes and times that run backwards', () => {
    const puppet = createPuppet({ character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS });
    expect(() => puppet.update(new Float32Array(3), 0)).toThrow(UsageError);
    puppet.update(performerPose(), 1);
    puppet.update(performerPose(), 1);
    expect(() => puppet.update(performerPose(), 0.5)).toThrow('reset() starts a new performance');
    expect(() => puppet.update(performerPose(), Number.NaN)).toThrow(UsageError);
    puppet.reset();
    puppet.update(performerPose(), 0);
  });
});

describe('blend', () => {
  it('takes weights by hand, and keeps the dog’s legs in one piece at (−1, 2)', () => {
    const puppet = createPuppet({ character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS });
    const weights = new Float64Array(dog.registration.pairs.length);
    weights[3] = 1;
    expectClose(puppet.blend(weights).transforms, dog.registration.pairs[3].character.transforms, 1e-9);
    [weights[0], weights[3]] = [-1, 2];
    expectClose(puppet.blend(weights).transforms.subarray(0, 12), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 1e-9);
    expect([...puppet.weights]).toEqual([...weights]);
    expect(() => puppet.blend(new Float64Array(2))).toThrow('2 weights; give 7');
  });
});

describe('register', () => {
  it('refuses joints that have nothing in common, poses of another rig, options that make no sense', () => {
    expect(() => createPuppet({ character: dog.rig, pairs: dog.registration, performer: ['a', 'b'] })).toThrow(
      InputError,
    );
    expect(() => createPuppet({ character: dog.rig, pairs: dog.registration, performer: ['a', 'b'] })).toThrow(
      'share 0 joints, too few',
    );
    expect(() =>
      createPuppet({ character: CHARACTERS[0].rig, pairs: dog.registration, performer: PERFORMER_JOINTS }),
    ).toThrow('expected 72');
    const bad: Partial<PuppetOptions>[] = [
      { lambda: -1 },
      { ridge: 0 },
      { delay: Number.NaN },
      { looseDamping: 1 },
      { projection: 'cubic' as 'l1' },
      { interpolation: 'none' as 'linear' },
      { loose: ['wing'] },
      { contacts: ['wing'] },
      { speed: 3 } as Partial<PuppetOptions>,
    ];
    for (const options of bad)
      expect(() =>
        createPuppet({ character: dog.rig, pairs: dog.registration, performer: PERFORMER_JOINTS }, options),
      ).toThrow(UsageError);
  });

  it('learns from one pair', () => {
    const one = { ...dog.registration, pairs: dog.registration.pairs.slice(0, 1) };
    const puppet = createPuppet({ character: dog.rig, pairs: one, performer: PERFORMER_JOINTS }, IN_PLACE);
    expectClose(
      puppet.update(performerPose(PERFORMER_POSES.armsUp), 0).transforms,
      one.pairs[0].character.transforms,
      1e-9,
    );
  });
});
