import { type Registration, UsageError } from '@pelt/model';
import { PERFORMER_JOINTS, PERFORMER_POSES, performerPose, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { createPuppet } from '../../../src/puppet/runtime/puppet.ts';
import type { ShapeSpace } from '../../../src/puppet/runtime/shape-space.ts';

/** One control that a single number lifts: the least pose space there is. */
const rig = stickRig('lift', [
  { name: 'control', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) },
]);
const space: ShapeSpace = {
  size: 1,
  extent: 1,
  probes: 1,
  pose: ([height], out) => out.set([1, 0, 0, 0, 0, 1, 0, height, 0, 0, 1, 0]),
  middle: (transforms, out) => out.set([transforms[3], transforms[7], transforms[11]]),
  locate: (transforms, out) => out.set([transforms[3], transforms[7], transforms[11]]),
  feet: [],
};
const pair = (name: string, pose: Float32Array, height: number) => ({
  name,
  performer: pose,
  character: { transforms: Float64Array.of(1, 0, 0, 0, 0, 1, 0, height, 0, 0, 1, 0), shape: Float64Array.of(height) },
});
const stand = performerPose(PERFORMER_POSES.stand);
const armUp = performerPose(PERFORMER_POSES.leftArmUp);
const pairs: Registration = {
  name: 'lift',
  joints: PERFORMER_JOINTS,
  neutral: 0,
  pairs: [pair('down', stand, 0), pair('up', armUp, 1)],
};
const IN_PLACE = { delay: 0, travel: 0, turn: false } as const;
const puppetOf = (options = {}) =>
  createPuppet({ character: rig, pairs, performer: PERFORMER_JOINTS, space }, { ...IN_PLACE, ...options });

describe('a puppet without a skeleton', () => {
  it('starts in the shape of the pair, and takes the others', () => {
    expect(puppetOf().update(stand, 0).transforms[7]).toBeCloseTo(0, 6);
    expect(puppetOf().update(armUp, 0).transforms[7]).toBeCloseTo(1, 6);
  });

  it('stays inside of the hull of its shapes unless it is told otherwise', () => {
    // The arm goes twice as far as in any pair.
    const half = armUp.map((value, k) => 0.5 * (value + stand[k]));
    const near = { ...pairs, pairs: [pairs.pairs[0], pair('half', half, 1)] };
    const puppetOf = (options = {}) =>
      createPuppet({ character: rig, pairs: near, performer: PERFORMER_JOINTS, space }, { ...IN_PLACE, ...options });
    const inside = puppetOf();
    inside.update(armUp, 0);
    expect(Math.min(...inside.weights)).toBeGreaterThanOrEqual(0);
    expect(inside.weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 9);
    const outside = puppetOf({ projection: 'linear' });
    outside.update(armUp, 0);
    expect(Math.max(...outside.weights)).toBeGreaterThan(1.01);
  });

  it('moves no faster than the performer, and arrives', () => {
    const puppet = puppetOf();
    const heights: number[] = [];
    let fastest = 0;
    let last = stand;
    for (let t = 0; t <= 60; t++) {
      const share = Math.min(1, Math.max(0, (t - 2) / 6));
      const pose = stand.map((value, k) => value + share * (armUp[k] - value));
      for (let k = 0; k < pose.length; k += 3) {
        fastest = Math.max(fastest, Math.hypot(...[0, 1, 2].map((c) => pose[k + c] - last[k + c])) / 1.75);
      }
      last = pose;
      heights.push(puppet.update(pose, t / 30).transforms[7]);
    }
    const steps = heights.slice(1).map((height, t) => Math.abs(height - heights[t]));
    expect(Math.max(...steps)).toBeLessThan(1.3 * fastest);
    expect(heights[60]).toBeCloseTo(1, 3);
  });

  it('travels and turns with the performer', () => {
    const puppet = createPuppet({ character: rig, pairs, performer: PERFORMER_JOINTS, space }, { delay: 0 });
    puppet.update(stand, 0);
    let at = puppet.update(stand, 0).transforms;
    for (let t = 1; t <= 40; t++) {
      const moved = stand.map((value, k) => value + (k % 3 === 2 ? 0.02 * Math.min(t, 30) : 0));
      at = puppet.update(moved, t / 30).transforms;
    }
    expect(at[11]).toBeGreaterThan(0);
    expect(at[3]).toBeCloseTo(0, 6);
  });

  it('refuses what needs bones, and shapes of another space', () => {
    for (const options of [
      { parts: 'body' },
      { base: 'direct' },
      { loose: ['control'] },
      { interpolation: 'linear' },
    ]) {
      expect(() => puppetOf(options)).toThrow(UsageError);
    }
    expect(() => puppetOf({ contacts: ['control'] })).toThrow(/no bones to name/);
    const other = { ...space, size: 3 };
    expect(() => createPuppet({ character: rig, pairs, performer: PERFORMER_JOINTS, space: other })).toThrow(
      /1 numbers of a shape/,
    );
    expect(() => createPuppet({ character: rig, performer: PERFORMER_JOINTS, space })).toThrow(/give pairs/);
  });
});
