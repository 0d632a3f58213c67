import { type Bone, poseFromJoints } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { Contacts } from '../../../src/puppet/runtime/contacts.ts';

const boneAt = (name: string, parent: number, y: number, z: number): Bone => ({
  name,
  parent,
  rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, z),
});
const LEG = [
  boneAt('hips', -1, 1, 0),
  boneAt('thigh', 0, 0.95, 0),
  boneAt('shin', 1, 0.5, 0.05),
  boneAt('foot', 2, 0.1, 0),
];
const POINT = [0, 0, 0] as const;

function contacts(): Contacts {
  return new Contacts(LEG, [{ bone: 3, point: POINT }], 0, 1);
}

function sole(transforms: Float64Array): number[] {
  return [39, 43, 47].map((k) => transforms[k]);
}

/** The hips glide forwards, the leg stays as it is: the foot slides, unless it is held. */
const glide = (t: number, lift = 0) =>
  poseFromJoints(LEG, {
    hips: { translation: [0, lift, 0.2 * t] },
    shin: { degrees: [8, 0, 0] },
    foot: { degrees: [-8, 0, 0] },
  }).transforms;

describe('Contacts', () => {
  it('hold a foot where it came down', () => {
    const feet = contacts();
    expect(feet.count).toBe(1);
    const path = Array.from({ length: 15 }, (_, k) => {
      const pose = glide(k / 30);
      feet.apply(k === 0 ? 0 : 1 / 30, pose);
      return sole(pose);
    });
    for (const [x, y, z] of path.slice(2)) {
      expect(x).toBeCloseTo(path[1][0], 6);
      expect(y).toBeCloseTo(path[1][1], 6);
      expect(z).toBeCloseTo(path[1][2], 6);
    }
  });

  it('let it go when it rises or is pulled too far, without a jump', () => {
    const feet = contacts();
    let last: number[] = [];
    let farthest = 0;
    for (let k = 0; k < 120; k++) {
      const time = k / 60;
      const lift = k > 60 && k < 80 ? 0.1 * Math.sin(((k - 60) / 20) * Math.PI) : 0;
      const pose = glide(time, lift);
      feet.apply(k === 0 ? 0 : 1 / 60, pose);
      if (last.length > 0) farthest = Math.max(farthest, Math.hypot(...sole(pose).map((value, c) => value - last[c])));
      last = sole(pose);
    }
    // The hips do 0.0033 a frame; a foot that catches up may do several times that, but does not leap.
    expect(farthest).toBeLessThan(0.05);
    // It has come along: it is not still where it was first set down.
    expect(last[2]).toBeGreaterThan(0.15);
  });

  it('leave a foot in the air alone', () => {
    const feet = contacts();
    for (let k = 0; k < 10; k++) {
      const pose = glide(k / 30, 0.3);
      feet.apply(k === 0 ? 0 : 1 / 30, pose);
      expect(sole(pose)[2]).toBeCloseTo(sole(glide(k / 30, 0.3))[2], 12);
    }
  });

  it('start anew after a reset, and leave out feet without a leg', () => {
    const feet = contacts();
    for (let k = 0; k < 5; k++) feet.apply(k === 0 ? 0 : 1 / 30, glide(k / 30));
    feet.reset();
    const pose = glide(3);
    feet.apply(0, pose);
    expect([...pose]).toEqual([...glide(3)]);
    expect(new Contacts(LEG, [{ bone: 0, point: POINT }], 0, 1).count).toBe(0);
  });
});
