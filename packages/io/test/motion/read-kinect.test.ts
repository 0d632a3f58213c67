import { readFileSync } from 'node:fs';
import { InputError, PeltError, UnsupportedError, validateMotion } from '@pelt/model';
import { PERFORMER_JOINTS, PERFORMER_POSES, performerPose, realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { KINECT_V1_ACTION3D, KINECT_V1_SDK, KINECT_V2 } from '../../src/motion/kinect-joints.ts';
import { readKinect } from '../../src/motion/read-kinect.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A performer two metres before the sensor, in the sensor's axes: x, y, z of each joint of a list. */
function sensorJoints(order: readonly string[], pose = {}): number[][] {
  const positions = performerPose(pose, { at: [0, 0, -2] });
  return order.map((name) => {
    // The tips of hands and thumbs are somewhere near the hands.
    const known = name.replace(/(HandTip|Thumb)$/, 'Hand');
    const j = 3 * PERFORMER_JOINTS.indexOf(known);
    return [-positions[j], positions[j + 1], -positions[j + 2]];
  });
}

function read(text: string): { motion: ReturnType<typeof readKinect>; warnings: string[] } {
  const warnings: string[] = [];
  return {
    motion: readKinect(bytesOf(text), { name: 'k.csv', onWarning: (message) => warnings.push(message) }),
    warnings,
  };
}

const wide = (time: number, joints: number[][], state: number | string) =>
  `${[time, ...joints.flatMap((joint) => [...joint, state])].join(',')},`;
const tall = (joints: number[][], confidence: number) =>
  joints.map((joint) => `  ${[...joint, confidence].map((value) => value.toExponential(7)).join('  ')}`).join('\n');

describe('readKinect', () => {
  it('reads rows of 25 joints, turned so that the performer faces +Z', () => {
    const { motion, warnings } = read(
      [wide(1e10, sensorJoints(KINECT_V2), 2), wide(1e10 + 333333, sensorJoints(KINECT_V2), 1)].join('\n'),
    );
    validateMotion(motion);
    expect(warnings).toEqual([]);
    expect(motion.joints).toEqual(KINECT_V2);
    expect(motion.times[1]).toBeCloseTo(0.0333333, 9);
    const left = 3 * KINECT_V2.indexOf('leftShoulder');
    expect(motion.positions[left]).toBeCloseTo(0.18, 5);
    expect(motion.positions[left + 2]).toBeCloseTo(-2, 5);
    expect(motion.confidence[0]).toBe(1);
    expect(motion.confidence[30]).toBe(0.5);
  });

  it('takes state 0, unknown states and missing numbers for lost', () => {
    for (const state of [0, 7, '']) {
      const { motion } = read(
        [wide(0, sensorJoints(KINECT_V2), 2), wide(0.03, sensorJoints(KINECT_V2), state)].join('\n'),
      );
      expect(motion.confidence[30]).toBe(0);
      validateMotion(motion);
    }
  });

  it('finds out in which order twenty joints come', () => {
    for (const order of [KINECT_V1_SDK, KINECT_V1_ACTION3D]) {
      const joints = sensorJoints(order, PERFORMER_POSES.leftArmUp);
      for (const text of [tall(joints, 1), wide(0, joints, 1)]) expect(read(text).motion.joints).toEqual(order);
    }
  });

  it('puts pixels back into space', () => {
    const joints = sensorJoints(KINECT_V1_SDK);
    const pixels = joints.map(([x, y, z]) => [160 + (285.6 * x) / z, 120 - (285.6 * (y - 0.9)) / z, z / 0.004]);
    const { motion, warnings } = read(tall(pixels, 1));
    expect(warnings[0]).toContain('coordinates are pixels');
    joints.forEach(([x, y, z], j) => {
      expect(motion.positions[3 * j]).toBeCloseTo(-x, 4);
      expect(motion.positions[3 * j + 1]).toBeCloseTo(y - 0.9, 4);
      expect(motion.positions[3 * j + 2]).toBeCloseTo(-z, 4);
    });
  });

  it('takes joints that are never sure for inferred, not for lost', () => {
    const joints = sensorJoints(KINECT_V1_SDK);
    const rows = tall(joints, 1).split('\n');
    const unsure = rows.with(1, rows[1].replace(/\S+$/, '0'));
    const { motion, warnings } = read([...unsure, ...rows.with(1, rows[1].replace(/\S+$/, '0'))].join('\n'));
    expect(motion.confidence[1]).toBe(0.5);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('spine');
    // A joint that is sure once is lost where it is not.
    expect(read([...unsure, ...rows].join('\n')).motion.confidence[1]).toBe(0);
  });

  it('refuses other tables', () => {
    expect(() => read('1,2,3\n4,5,6')).toThrow(UnsupportedError);
    expect(() => read('1,2,3\n4,5,6')).toThrow('rows of 3 numbers; expected 81 or 101');
    expect(() => read('1 2 3 1\n1 2 3 1')).toThrow(InputError);
    expect(() => read('1 2 3 1\n1 2 3 1')).toThrow('2 rows are no whole number of frames of 20 joints');
    const text = bytesOf(wide(0, sensorJoints(KINECT_V2), 2));
    for (let end = 0; end < text.length; end += 7) {
      try {
        validateMotion(readKinect(text.subarray(0, end)));
      } catch (error) {
        expect(error).toBeInstanceOf(PeltError);
      }
    }
  });

  const action = realData('motion/kinect20-action.txt');
  it.skipIf(!action)('reads a recording of the first sensor (needs the measured data)', () => {
    const { motion, warnings } = read(readFileSync(action as string, 'utf8'));
    validateMotion(motion);
    expect(motion.joints).toEqual(KINECT_V1_ACTION3D);
    expect(motion.times).toHaveLength(54);
    expect(warnings.join()).toContain('neck, spine, hips, leftToes, rightToes');
    // A person of usual size, whose right arm waves.
    const J = motion.joints.length;
    const height = (t: number, name: string) => motion.positions[3 * (t * J + motion.joints.indexOf(name)) + 1];
    expect(height(0, 'head') - height(0, 'leftAnkle')).toBeGreaterThan(1.5);
    expect(height(0, 'head') - height(0, 'leftAnkle')).toBeLessThan(1.8);
    const travel = (name: string) => {
      const heights = Array.from(motion.times, (_, t) => height(t, name));
      return Math.max(...heights) - Math.min(...heights);
    };
    expect(travel('rightHand')).toBeGreaterThan(0.8);
    expect(travel('leftHand')).toBeLessThan(0.2);
  });

  const wave = realData('motion/kinect25-wave.csv');
  it.skipIf(!wave)('reads a recording of the second sensor (needs the measured data)', () => {
    const { motion, warnings } = read(readFileSync(wave as string, 'utf8'));
    validateMotion(motion);
    expect(warnings).toEqual([]);
    expect(motion.times).toHaveLength(154);
    expect(motion.times[1]).toBeCloseTo(0.0340696, 7);
    expect([...motion.positions.subarray(0, 3)]).toEqual([-0.0111604, -0.367822, -2.69467].map(Math.fround));
    expect([...new Set(motion.confidence)].sort()).toEqual([0.5, 1]);
  });
});
