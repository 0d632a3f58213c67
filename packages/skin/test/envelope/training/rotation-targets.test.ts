import { IDENTITY_TRANSFORM, poseAt } from '@pelt/model';
import { barScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { PoseCoordinates } from '../../../src/envelope/runtime/pose-coordinates.ts';
import { examplesOf } from '../../../src/envelope/training/examples.ts';
import { RotationTargets, triangleSequences } from '../../../src/envelope/training/rotation-targets.ts';

/** A bar that is twisted by 300° between rest and its other frame: no triangle's own logarithm can tell. */
const { rig, clip, sequence } = barScene({ frames: 2, twistDegrees: 300, rings: 41, sides: 8 });
const examples = examplesOf('test', { rig, clip, sequence }, undefined);
const targets = new RotationTargets(triangleSequences(examples, {}), new PoseCoordinates(rig.bones), {});
const all = Int32Array.from({ length: targets.f }, (_, k) => k);

describe('rotation targets', () => {
  it('are zero at rest', () => {
    expect(Array.from(poseAt(clip, 0, 2).transforms.subarray(0, 12))).toEqual([...IDENTITY_TRANSFORM]);
    const logs = targets.logs(0, [1], all).subarray(0, 3 * targets.f);
    expect(logs.every((value) => Math.abs(value) < 1e-4)).toBe(true);
  });

  it('follow the mesh beyond half a turn, without a tear', () => {
    const logs = targets.logs(0, [1], all).subarray(3 * targets.f);
    const twists = Array.from(all, (k) => logs[3 * k]);
    const [least, most] = [Math.min(...twists), Math.max(...twists)];
    expect(most - least).toBeGreaterThan((280 * Math.PI) / 180);
    // Rising along the bar: no two rings next to each other differ by much.
    const sorted = twists.sort((a, b) => a - b);
    const steps = sorted.slice(1).map((value, k) => value - sorted[k]);
    expect(Math.max(...steps)).toBeLessThan(0.5);
  });

  it('of some triangles are those of the whole where they hang together', () => {
    const half = all.filter((k) => k < targets.f / 2);
    const logs = targets.logs(0, [1], half).subarray(3 * half.length);
    const whole = targets.logs(0, [1], all).subarray(3 * targets.f);
    for (let k = 0; k < logs.length; k++) expect(logs[k]).toBeCloseTo(whole[k], 9);
  });
});
