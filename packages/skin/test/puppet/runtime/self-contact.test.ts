import { Random } from '@pelt/math';
import type { Capsules } from '@pelt/model';
import { PERFORMER_BONES, PERFORMER_JOINTS, performerPose, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { createPuppet, recogniseHumanoid } from '../../../src/puppet/index.ts';
import { segmentDistance } from '../../../src/puppet/runtime/self-contact/segment-distance.ts';
import { SelfDepth } from '../../../src/puppet/runtime/self-contact/self-depth.ts';

describe('segmentDistance', () => {
  it('is the least distance of any two points, whatever the segments', () => {
    const random = new Random(2);
    const out = new Float64Array(5);
    for (let trial = 0; trial < 60; trial++) {
      const [a, b] = [0, 1].map(() => Float64Array.from({ length: 6 }, () => random.normal()));
      // Some are points, some are parallel.
      if (trial % 5 === 0) a.copyWithin(3, 0, 3);
      if (trial % 7 === 0) for (let k = 0; k < 3; k++) b[3 + k] = b[k] + 2 * (a[3 + k] - a[k]);
      segmentDistance(a, 0, b, 0, out);
      const found = Math.hypot(out[0], out[1], out[2]);
      let least = Number.POSITIVE_INFINITY;
      for (let s = 0; s <= 40; s++) {
        for (let t = 0; t <= 40; t++) {
          const d = [0, 1, 2].map((k) => a[k] + (s / 40) * (a[3 + k] - a[k]) - b[k] - (t / 40) * (b[3 + k] - b[k]));
          least = Math.min(least, Math.hypot(...d));
        }
      }
      expect(found).toBeLessThanOrEqual(least + 1e-9);
      expect(found).toBeGreaterThan(least - 0.1);
    }
  });
});

/** A capsule of 5 cm about each limb, and one of 14 cm about the trunk. */
function capsulesOf(): Capsules {
  const index = (name: string) => PERFORMER_BONES.findIndex((bone) => bone.name === name);
  const origin = (name: string) => [3, 7, 11].map((k) => PERFORMER_BONES[index(name)].rest[k]);
  const shapes: number[][] = [];
  const bones: number[] = [];
  const add = (from: string, to: string, radius: number) => {
    bones.push(index(from));
    shapes.push([...origin(from), ...origin(to), radius]);
  };
  add('hips', 'chest', 0.14);
  for (const side of ['left', 'right']) {
    add(`${side}Elbow`, `${side}Wrist`, 0.04);
    add(`${side}Wrist`, `${side}Hand`, 0.04);
    add(`${side}Knee`, `${side}Ankle`, 0.05);
  }
  return { bones: Uint16Array.from(bones), shapes: Float64Array.from(shapes.flat()) };
}

describe('self-contact', () => {
  const character = stickRig('man', PERFORMER_BONES);
  const capsules = capsulesOf();
  const depth = new SelfDepth(PERFORMER_BONES, recogniseHumanoid(PERFORMER_BONES, 'man'), capsules);
  const options = { delay: 0, travel: 0, contacts: 'none' } as const;
  const create = (more: { capsules?: Capsules }) =>
    createPuppet({ character, performer: PERFORMER_JOINTS, neutral: performerPose(), ...more }, options);
  /** A forearm before, then inside the trunk. */
  const reaching = (degrees: number) => performerPose({ leftShoulder: { degrees: [-10, 0, -degrees] } });

  it('leaves poses alone in which nothing meets', () => {
    const pose = performerPose({ leftShoulder: { degrees: [0, 0, 80] } });
    const [kept, free] = [create({ capsules }), create({})].map((puppet) => puppet.update(pose, 0).transforms.slice());
    kept.forEach((value, k) => {
      expect(value).toBeCloseTo(free[k], 9);
    });
  });

  it('moves a forearm out of the trunk, without a jump', () => {
    const [kept, free] = [create({ capsules }), create({})];
    let [deepest, largest] = [0, 0];
    let last: Float64Array | undefined;
    for (let t = 0; t <= 60; t++) {
      const pose = reaching(t);
      const transforms = kept.update(pose, t / 30).transforms.slice();
      deepest = Math.max(deepest, depth.deepest(transforms));
      largest = Math.max(largest, depth.deepest(free.update(pose, t / 30).transforms));
      if (last) for (const [k, value] of transforms.entries()) expect(Math.abs(value - last[k])).toBeLessThan(0.25);
      last = transforms;
    }
    expect(largest).toBeGreaterThan(0.05);
    expect(deepest).toBeLessThan(0.01);
  });

  it('keeps everything finite where capsules are points at one place', () => {
    const none = { bones: capsules.bones, shapes: new Float64Array(capsules.shapes.length) };
    const { transforms } = create({ capsules: none }).update(reaching(60), 0);
    expect(transforms.every(Number.isFinite)).toBe(true);
    const empty = { bones: new Uint16Array(0), shapes: new Float64Array(0) };
    expect(create({ capsules: empty }).update(reaching(60), 0).transforms.every(Number.isFinite)).toBe(true);
  });
});

describe('uneven ground', () => {
  const character = stickRig('man', PERFORMER_BONES);
  const standing = performerPose();
  const footHeight = (ground: ((x: number, z: number) => number) | undefined, foot: string) => {
    const puppet = createPuppet(
      { character, performer: PERFORMER_JOINTS, neutral: standing, ground },
      { delay: 0, contacts: 'auto' },
    );
    let transforms = new Float64Array(0);
    for (let t = 0; t < 60; t++) transforms = puppet.update(standing, t / 30).transforms.slice();
    const j = PERFORMER_BONES.findIndex(({ name }) => name === foot);
    const { rest } = PERFORMER_BONES[j];
    return (
      transforms[12 * j + 4] * rest[3] +
      transforms[12 * j + 5] * rest[7] +
      transforms[12 * j + 6] * rest[11] +
      transforms[12 * j + 7]
    );
  };

  it('is level ground where it has no height', () => {
    expect(footHeight(() => 0, 'leftAnkle')).toBeCloseTo(footHeight(undefined, 'leftAnkle'), 6);
  });

  it('lifts the foot on a step, and the body with the lower foot', () => {
    const level = footHeight(undefined, 'leftAnkle');
    const step = (x: number) => (x > 0 ? 0.2 : 0.1);
    expect(footHeight(step, 'leftAnkle') - level).toBeCloseTo(0.2, 2);
    expect(footHeight(step, 'rightAnkle') - level).toBeCloseTo(0.1, 2);
  });

  it('ignores a height that is not finite', () => {
    expect(footHeight(() => Number.NaN, 'leftAnkle')).toBeCloseTo(footHeight(undefined, 'leftAnkle'), 6);
  });
});
