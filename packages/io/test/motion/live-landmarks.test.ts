import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { setLandmarks } from '../../src/motion/live-landmarks.ts';
import { readMediapipe } from '../../src/motion/read-mediapipe.ts';

const LANDMARKS = Array.from({ length: 33 }, (_, j) => ({
  // Hips (23, 24) about the origin, as world landmarks have them.
  x: j === 23 ? 0.1 : j === 24 ? -0.1 : j / 100,
  y: j === 23 || j === 24 ? 0 : j / 50,
  z: j === 23 || j === 24 ? 0 : -j / 80,
  visibility: j / 33,
}));

describe('setLandmarks', () => {
  it('gives what the reader of recordings gives', () => {
    const [positions, confidence] = [new Float32Array(99), new Float32Array(33)];
    setLandmarks(LANDMARKS, positions, confidence);
    const recorded = readMediapipe(new TextEncoder().encode(JSON.stringify([{ worldLandmarks: [LANDMARKS] }])));
    recorded.positions.forEach((value, k) => {
      expect(positions[k]).toBeCloseTo(value, 6);
    });
    expect([...confidence]).toEqual([...recorded.confidence]);
  });

  it('trusts landmarks without visibility, and refuses other sizes', () => {
    const [positions, confidence] = [new Float32Array(99), new Float32Array(33)];
    setLandmarks(
      LANDMARKS.map(({ x, y, z }) => ({ x, y, z })),
      positions,
      confidence,
    );
    expect(new Set(confidence)).toEqual(new Set([1]));
    expect(() => setLandmarks([], positions, confidence)).toThrow(UsageError);
    expect(() => setLandmarks(LANDMARKS, new Float32Array(9), confidence)).toThrow(
      '33 landmarks into 9 and 33 numbers',
    );
  });
});
