import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { HAND_JOINTS, setHandLandmarks } from '../../src/motion/hand-landmarks.ts';
import { MEDIAPIPE_JOINTS } from '../../src/motion/mediapipe-joints.ts';
import { readMediapipe } from '../../src/motion/read-mediapipe.ts';

const J = 33 + 40;
const HAND = Array.from({ length: 21 }, (_, k) => ({ x: 0.3 + k / 100, y: 0.2 - k / 50, z: k / 200 }));
const BODY = Array.from({ length: 33 }, (_, j) => ({ x: j === 24 ? -0.1 : 0.1, y: j / 50, z: 0, visibility: 0.8 }));
const bytesOf = (frames: readonly object[]) => new TextEncoder().encode(JSON.stringify(frames));

describe('setHandLandmarks', () => {
  it('hangs a hand on its wrist, with y up, and says which hand is not seen', () => {
    const [positions, confidence] = [new Float32Array(3 * J), new Float32Array(J).fill(0.5)];
    const wrist = MEDIAPIPE_JOINTS.indexOf('rightWrist');
    positions.set([1, 2, 3], 3 * wrist);
    setHandLandmarks('right', HAND, positions, confidence);
    setHandLandmarks('left', undefined, positions, confidence);
    const at = 33 + HAND_JOINTS.indexOf('rightIndexTip');
    const expected = [1 + 0.08, 2 + 0.16, 3 - 0.04];
    expected.forEach((value, k) => {
      expect(positions[3 * at + k]).toBeCloseTo(value, 6);
    });
    expect(confidence[at]).toBe(0.5);
    expect(confidence[33 + HAND_JOINTS.indexOf('leftThumbTip')]).toBe(0);
  });

  it('refuses arrays without room for hands', () => {
    expect(() => setHandLandmarks('left', HAND, new Float32Array(99), new Float32Array(33))).toThrow(UsageError);
    expect(() => setHandLandmarks('left', HAND.slice(1), new Float32Array(3 * J), new Float32Array(J))).toThrow('20');
  });
});

describe('a recording with hands', () => {
  it('has their joints behind those of the body, in frames without a hand as well', () => {
    const frames = [{ worldLandmarks: BODY, leftHandWorldLandmarks: [HAND] }, { worldLandmarks: BODY }];
    const motion = readMediapipe(bytesOf(frames));
    expect(motion.joints).toEqual([...MEDIAPIPE_JOINTS, ...HAND_JOINTS]);
    const [wrist, tip] = ['leftWrist', 'leftThumbTip'].map((name) => motion.joints.indexOf(name));
    expect(motion.positions[3 * tip] - motion.positions[3 * wrist]).toBeCloseTo(0.04, 6);
    expect(motion.positions[3 * tip + 1] - motion.positions[3 * wrist + 1]).toBeCloseTo(0.08, 6);
    expect([motion.confidence[tip], motion.confidence[J + tip]]).toEqual([Math.fround(0.8), 0]);
  });

  it('leaves out hands that are none', () => {
    const frames = [{ worldLandmarks: BODY, leftHandWorldLandmarks: [{ x: 1 }], rightHandWorldLandmarks: 'no' }];
    expect(readMediapipe(bytesOf(frames)).joints).toEqual(MEDIAPIPE_JOINTS);
  });
});
