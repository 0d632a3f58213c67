import { transformPoint } from '@pelt/math';
import { type Bone, poseFromJoints } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { Contacts } from '../../../src/puppet/runtime/contacts.ts';
import { TwoBoneLimb } from '../../../src/puppet/runtime/two-bone.ts';

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
/** Where a pose has a point of a bone: the origin of the model, or of the bone itself. */
const at =
  (j: number, { rest }: Pick<Bone, 'rest'> = { rest: new Float64Array(12) }) =>
  (transforms: Float64Array, out: Float64Array) =>
    transformPoint(transforms, 12 * j, rest[3], rest[7], rest[11], out, 0);

function contacts(isBlend = false): Contacts {
  const limb = new TwoBoneLimb(LEG, [1, 2, 3], [poseFromJoints(LEG, {}).transforms]);
  return new Contacts([{ name: 'foot', soles: [at(3)], limb, body: at(1, LEG[1]) }], 0, 1, isBlend);
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
    const path = Array.from({ length: 15 }, (_, k) => {
      const pose = glide(k / 30);
      feet.apply(k === 0 ? 0 : 1 / 30, pose);
      return sole(pose);
    });
    for (const [x, y, z] of path.slice(2)) {
      expect(x).toBeCloseTo(path[1][0], 5);
      // It settles on the ground.
      expect(y).toBeLessThanOrEqual(path[1][1]);
      expect(y).toBeGreaterThan(-1e-9);
      expect(z).toBeCloseTo(path[1][2], 5);
    }
  });

  it('let it go when it rises or is pulled too far, without a jump', () => {
    const feet = contacts();
    let last: number[] = [];
    let first: number[] = [];
    let farthest = 0;
    for (let k = 0; k < 120; k++) {
      const time = k / 60;
      const lift = k > 60 && k < 80 ? 0.1 * Math.sin(((k - 60) / 20) * Math.PI) : 0;
      const pose = glide(time, lift);
      feet.apply(k === 0 ? 0 : 1 / 60, pose);
      if (last.length > 0) farthest = Math.max(farthest, Math.hypot(...sole(pose).map((value, c) => value - last[c])));
      last = sole(pose);
      if (k === 2) first = last;
    }
    // The hips do 0.0033 a frame; a foot that catches up may do several times that, but does not leap.
    expect(farthest).toBeLessThan(0.05);
    // It has come along while it was lifted, and has been set down elsewhere.
    expect(last[2] - first[2]).toBeGreaterThan(0.04);
  });

  it('let the root give way, so that the leg keeps its pose', () => {
    const feet = contacts();
    let last: Float64Array = new Float64Array();
    for (let k = 0; k < 60; k++) {
      last = glide(k / 60);
      feet.apply(k === 0 ? 0 : 1 / 60, last);
    }
    const hips = last[11];
    // The hips would be at 0.2; they stay with the foot.
    expect(hips).toBeLessThan(0.05);
    const free = glide(59 / 60);
    for (const k of [0, 1, 2]) expect(last[12 + k] - free[12 + k]).toBeCloseTo(0, 1);
  });

  it('change the speed of the root smoothly when the foot is lifted', () => {
    const feet = contacts();
    const hips = Array.from({ length: 90 }, (_, k) => {
      const pose = glide(k / 120, k < 60 ? 0 : 0.1);
      feet.apply(k === 0 ? 0 : 1 / 120, pose);
      return pose[11];
    });
    const speeds = hips.slice(1).map((z, k) => 120 * (z - hips[k]));
    const changes = speeds.slice(1).map((speed, k) => Math.abs(speed - speeds[k]));
    // Held back by the foot until then, it takes up the performer's speed of 0.2 within a few frames.
    expect(speeds[57]).toBeLessThan(0.02);
    expect(speeds[80]).toBeCloseTo(0.2, 2);
    expect(Math.max(...changes.slice(30))).toBeLessThan(0.1);
  });

  it('raise a foot that drags in a blend of pairs, and hold one that is left behind', () => {
    const feet = contacts(true);
    const path: number[][] = [];
    for (let k = 0; k < 90; k++) {
      // The body travels at 0.5; the leg swings by ±20°, so that the foot drags forwards and is left behind in turn.
      const pose = poseFromJoints(LEG, {
        hips: { translation: [0, 0, (0.5 * k) / 30] },
        thigh: { degrees: [20 * Math.sin(k / 4), 0, 0] },
      }).transforms;
      feet.apply(k === 0 ? 0 : 1 / 30, pose);
      path.push(sole(pose));
    }
    let [slide, low] = [0, 0];
    for (let k = 10; k < 90; k++) {
      if (Math.max(path[k][1], path[k - 1][1]) > 0.03) continue;
      slide += 30 * Math.hypot(path[k][0] - path[k - 1][0], path[k][2] - path[k - 1][2]);
      low++;
    }
    expect(low).toBeGreaterThan(10);
    expect(slide / low).toBeLessThan(0.15);
    expect(path[89][2]).toBeGreaterThan(0.5);
  });

  it('leave a foot in the air alone', () => {
    const feet = contacts();
    for (let k = 0; k < 10; k++) {
      const pose = glide(k / 30, 0.3);
      feet.apply(k === 0 ? 0 : 1 / 30, pose);
      expect(sole(pose)[2]).toBeCloseTo(sole(glide(k / 30, 0.3))[2], 12);
    }
  });

  it('start anew after a reset, and do nothing without feet', () => {
    const feet = contacts();
    for (let k = 0; k < 5; k++) feet.apply(k === 0 ? 0 : 1 / 30, glide(k / 30));
    feet.reset();
    const pose = glide(3);
    feet.apply(0, pose);
    expect([...pose]).toEqual([...glide(3)]);
    const none = new Contacts([], 0, 1, false);
    none.apply(1 / 30, pose);
    expect([...pose]).toEqual([...glide(3)]);
  });
});
