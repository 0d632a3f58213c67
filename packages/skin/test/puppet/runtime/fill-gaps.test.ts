import { readFileSync } from 'node:fs';
import { readMotion } from '@pelt/io';
import { type Motion, validateMotion } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { fillGaps } from '../../../src/puppet/runtime/fill-gaps.ts';

/** One joint that goes along x by 1 a frame, ten frames a second; where it is lost it is said to be at −99. */
function motionWith(confidence: number[], times = confidence.map((_, t) => t / 10)): Motion {
  return {
    name: 'm',
    joints: ['leftWrist', 'hips'],
    positions: Float32Array.from(confidence.flatMap((sure, t) => [sure > 0.1 ? t : -99, 0, 0, 0, 1, 0])),
    confidence: Float32Array.from(confidence.flatMap((sure) => [sure, 1])),
    times: Float64Array.from(times),
  };
}

const x = (motion: Motion) => Array.from(motion.times, (_, t) => motion.positions[6 * t]);
const sure = (motion: Motion) => Array.from(motion.times, (_, t) => Number(motion.confidence[2 * t].toFixed(3)));

describe('fillGaps', () => {
  it('leaves a complete motion as it is', () => {
    const whole = motionWith([1, 0.5, 1]);
    const { motion, report } = fillGaps(whole);
    expect(motion).toEqual(whole);
    expect(report).toEqual({ interpolated: 0, held: 0, joints: [], unseen: [] });
  });

  it('interpolates short gaps, in time, and says so', () => {
    const { motion, report } = fillGaps(motionWith([1, 0, 0.2, 1], [0, 0.1, 0.2, 0.4]));
    expect(x(motion).map((value) => Number(value.toFixed(4)))).toEqual([0, 0.75, 1.5, 3]);
    expect(sure(motion)).toEqual([1, 0.3, 0.3, 1]);
    expect(report).toEqual({ interpolated: 2, held: 0, joints: ['leftWrist'], unseen: [] });
    validateMotion(motion);
  });

  it('holds long ones, and those at the ends', () => {
    const long = fillGaps(motionWith([1, 0, 0, 0, 0, 0, 0, 1]), { longestGap: 0.3 });
    expect(x(long.motion)).toEqual([0, 0, 0, 0, 0, 0, 0, 7]);
    expect(sure(long.motion)).toEqual([1, 0, 0, 0, 0, 0, 0, 1]);
    expect(long.report.held).toBe(6);
    const ends = fillGaps(motionWith([0, 1, 0]));
    expect(x(ends.motion)).toEqual([1, 1, 1]);
    expect(ends.report.held).toBe(2);
  });

  it('leaves joints out that no frame has', () => {
    const { motion, report } = fillGaps(motionWith([0, 0.1, 0]));
    expect(motion.joints).toEqual(['hips']);
    expect([...motion.positions]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
    expect(report.unseen).toEqual(['leftWrist']);
  });

  const action = realData('motion/kinect20-action.txt');
  it.skipIf(!action)('mends a recording of the first Kinect (needs the measured data)', () => {
    const { motion, report } = fillGaps(readMotion(readFileSync(action as string), { name: 'kinect20-action.txt' }));
    validateMotion(motion);
    expect(report.interpolated).toBe(21);
    expect(report.joints).toEqual(['rightShoulder', 'leftHip', 'leftHand']);
  });
});
