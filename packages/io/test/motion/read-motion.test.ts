import { readFileSync } from 'node:fs';
import { UnsupportedError, validateMotion } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { readMotion } from '../../src/motion/read-motion.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

const BVH =
  'HIERARCHY ROOT Hips\n{ OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition } MOTION Frames: 1 Frame Time: 1 0 1 0';

describe('readMotion', () => {
  it('tells the formats apart by what is in them', () => {
    expect(readMotion(bytesOf(BVH)).joints).toEqual(['hips']);
    const numbers = (count: number) => Array.from({ length: count }, (_, k) => k / 100).join(',');
    expect(readMotion(bytesOf(numbers(101))).joints).toHaveLength(25);
    expect(readMotion(bytesOf(numbers(81))).joints).toHaveLength(20);
    expect(readMotion(bytesOf(numbers(133))).joints).toHaveLength(33);
    const landmarks = Array.from({ length: 33 }, (_, k) => ({ x: k, y: k * k, z: 0 }));
    expect(readMotion(bytesOf(JSON.stringify([landmarks]))).joints).toHaveLength(33);
  });

  it('names what it is given in every message', () => {
    expect(() => readMotion(bytesOf('1,2,3'), { name: 'x.csv' })).toThrow(UnsupportedError);
    expect(() => readMotion(bytesOf('1,2,3'), { name: 'x.csv' })).toThrow("motion 'x.csv': rows of 3 numbers");
    expect(() => readMotion(bytesOf('hello'), { name: 'x.csv' })).toThrow("motion 'x.csv': no rows of numbers");
  });

  // file, joints, frames
  for (const [file, joints, frames] of [
    ['cmu-walk.bvh', 38, 317],
    ['cmu-run.bvh', 38, 149],
    ['cmu-jump.bvh', 38, 323],
    ['cmu-dance.bvh', 38, 435],
    ['kinect20-action.txt', 20, 54],
    ['kinect25-point.csv', 25, 190],
    ['kinect25-wave.csv', 25, 154],
    ['mediapipe33-a.csv', 33, 176],
  ] as const) {
    const path = realData(`motion/${file}`);
    it.skipIf(!path)(`reads ${file} (needs the measured data)`, () => {
      const motion = readMotion(readFileSync(path as string), { name: file });
      validateMotion(motion);
      expect(motion.joints).toHaveLength(joints);
      expect(motion.times).toHaveLength(frames);
    });
  }
});
