import { distance3, Random } from '@pelt/math';
import { PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { BodyPrior } from '../../../../src/puppet/runtime/performer/body-prior.ts';
import { nearestOnSphere } from '../../../../src/puppet/runtime/performer/nearest-on-sphere.ts';

const at = (name: string) => 3 * PERFORMER_JOINTS.indexOf(name);
const SIGHT = Float64Array.of(0, 0, 1);
const sure = () => new Float64Array(PERFORMER_JOINTS.length).fill(1);

describe('nearestOnSphere', () => {
  it('keeps a point of the sphere, and is the nearest by brute force', () => {
    const random = new Random(1);
    const out = new Float64Array(3);
    nearestOnSphere(Float64Array.of(0.6, 0, 0.8), 1, SIGHT, 0.25, out);
    expect(out[0]).toBeCloseTo(0.6, 6);
    for (let trial = 0; trial < 50; trial++) {
      const y = Float64Array.from([0, 1, 2], () => random.normal());
      const w = 0.05 + 0.9 * random.uniform();
      nearestOnSphere(y, 1, SIGHT, w, out);
      const cost = (x: ArrayLike<number>) => (x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2 + w * (x[2] - y[2]) ** 2;
      expect(Math.hypot(...out)).toBeCloseTo(1, 9);
      for (let k = 0; k < 200; k++) {
        const other = [0, 1, 2].map(() => random.normal());
        const length = Math.hypot(...other);
        expect(cost(out)).toBeLessThanOrEqual(cost(other.map((value) => value / length)) + 1e-6);
      }
    }
  });

  it('makes up the length in depth where a point lies across the line of sight', () => {
    const out = new Float64Array(3);
    nearestOnSphere(Float64Array.of(0.3, 0, 0), 1, SIGHT, 0.25, out);
    expect(Math.hypot(...out)).toBeCloseTo(1, 9);
    nearestOnSphere(new Float64Array(3), 1, SIGHT, 0.25, out);
    expect(out.every(Number.isFinite)).toBe(true);
  });
});

describe('BodyPrior', () => {
  it('leaves a body as it is whose segments have their lengths', () => {
    const prior = new BodyPrior({ joints: PERFORMER_JOINTS, lengths: undefined, sight: SIGHT });
    const pose = Float64Array.from(performerPose());
    const given = pose.slice();
    for (let t = 0; t < 3; t++) prior.apply(pose, sure(), 1 / 30);
    expect(Math.max(...pose.map((value, k) => Math.abs(value - given[k])))).toBeLessThan(1e-6);
  });

  it('keeps lengths under the noise of a camera', () => {
    const random = new Random(7);
    const prior = new BodyPrior({ joints: PERFORMER_JOINTS, lengths: undefined, sight: SIGHT });
    const clean = Float64Array.from(performerPose());
    prior.apply(clean.slice(), sure(), 0);
    const lengths: number[] = [];
    for (let t = 0; t < 60; t++) {
      const noisy = clean.map((value, k) => value + (k % 3 === 2 ? 0.04 : 0.01) * random.normal());
      prior.apply(noisy, sure(), 1 / 30);
      lengths.push(distance3(noisy, at('leftElbow'), noisy, at('leftWrist')));
    }
    const spread = Math.max(...lengths) - Math.min(...lengths);
    expect(spread).toBeLessThan(0.02);
  });

  it('takes back knees that bend forwards, and lets hidden arms sink', () => {
    const prior = new BodyPrior({ joints: PERFORMER_JOINTS, lengths: undefined, sight: SIGHT });
    const bent = Float64Array.from(performerPose({ leftKnee: { degrees: [-40, 0, 0] } }));
    prior.apply(bent, sure(), 0);
    const ahead = bent[at('leftAnkle') + 2] - bent[at('leftKnee') + 2];
    expect(ahead).toBeLessThan(0.05);
    const raised = performerPose({ leftShoulder: { degrees: [0, 0, 120] } });
    const hidden = sure();
    const arm = new BodyPrior({ joints: PERFORMER_JOINTS, lengths: undefined, sight: SIGHT });
    arm.apply(Float64Array.from(raised), sure(), 0);
    let last = Number.POSITIVE_INFINITY;
    for (let t = 0; t < 90; t++) {
      for (const name of ['leftElbow', 'leftWrist', 'leftHand']) hidden[PERFORMER_JOINTS.indexOf(name)] = 0;
      const pose = Float64Array.from(raised);
      for (const name of ['leftElbow', 'leftWrist', 'leftHand']) pose.fill(9, at(name), at(name) + 3);
      arm.apply(pose, hidden, 1 / 30);
      expect(pose[at('leftWrist') + 1]).toBeLessThan(last + 1e-6);
      last = pose[at('leftWrist') + 1];
    }
    expect(last).toBeLessThan(1.1);
  });

  it('does nothing without a trunk, nor for joints that are not finite', () => {
    const prior = new BodyPrior({ joints: ['leftElbow'], lengths: undefined, sight: undefined });
    const lone = Float64Array.of(1, 2, 3);
    prior.apply(lone, Float64Array.of(1), 0);
    expect([...lone]).toEqual([1, 2, 3]);
    const whole = new BodyPrior({ joints: PERFORMER_JOINTS, lengths: undefined, sight: SIGHT });
    const pose = Float64Array.from(performerPose());
    pose.fill(Number.NaN, at('leftWrist'), at('leftWrist') + 3);
    whole.apply(pose, sure(), 0);
    expect(pose[at('leftElbow')]).toBeCloseTo(0.2, 6);
  });
});
