import { HAND_JOINTS, MEDIAPIPE_JOINTS, readMotion, readPairs } from '@pelt/io';
import { resolvePairs } from '@pelt/skin/puppet';
import { stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { pairsFile, takeFile, takenFrame, trimmedTake } from '../../src/jobs/tracker/take-file.ts';
import type { PerformerFrame } from '../../src/store/performer.ts';

const J = MEDIAPIPE_JOINTS.length;

function frame(t: number): PerformerFrame {
  return {
    time: t / 3,
    joints: Float32Array.from({ length: 3 * J }, (_, k) => Math.sin(k + t)),
    confidence: Float32Array.from({ length: J }, (_, j) => (j === 5 ? 0.1 : 0.9)),
    picture: new Float32Array(2 * J),
  };
}

const read = async (blob: Blob) => readMotion(new Uint8Array(await blob.arrayBuffer()), { name: 'take.json' });

describe('a take', () => {
  const frames = [0, 1, 2, 3].map(frame);
  const file = takeFile('take.json', frames.map(takenFrame));

  it('is what the command reads: places, times however slow, confidence', async () => {
    const motion = await read(file.blob);
    expect(motion.joints).toEqual(MEDIAPIPE_JOINTS);
    // Three frames a second are slower than any camera, but the file says its unit.
    expect([...motion.times].map((time) => time.toFixed(2))).toEqual(['0.00', '0.33', '0.67', '1.00']);
    expect(motion.confidence[J + 5]).toBeCloseTo(0.1, 6);
    for (let k = 0; k < 3 * J; k++) expect(motion.positions[6 * J + k]).toBeCloseTo(frames[2].joints[k], 3);
  });

  it('keeps fingers that were seen', async () => {
    const all = [...MEDIAPIPE_JOINTS, ...HAND_JOINTS];
    const joints = Float32Array.from({ length: 3 * all.length }, (_, k) => Math.sin(k));
    const confidence = new Float32Array(all.length).fill(0.9, 0, all.length - 20);
    const seen = { time: 0, joints, confidence, picture: new Float32Array(2 * all.length) };
    const motion = await read(takeFile('take.json', [takenFrame(seen), takenFrame({ ...seen, time: 1 })]).blob);
    expect(motion.joints).toEqual(all);
    const left = 3 * all.indexOf('leftRingTip');
    for (let k = left; k < left + 3; k++) expect(motion.positions[k]).toBeCloseTo(joints[k], 3);
    expect(motion.confidence[all.indexOf('rightRingTip')]).toBe(0);
  });

  it('is trimmed to frames of it', async () => {
    const take = { id: '', name: 'take.json', frames: 4, seconds: 1, from: 1, to: 2 };
    const motion = await read((await trimmedTake(take, file)).blob);
    expect(motion.times).toHaveLength(2);
    expect(motion.positions[0]).toBeCloseTo(frames[1].joints[0], 3);
  });

  it('leaves out frames in which nobody was seen', async () => {
    const lost = takenFrame({ ...frame(1), picture: undefined });
    const motion = await read(takeFile('take.json', [takenFrame(frame(0)), lost, takenFrame(frame(2))]).blob);
    expect(motion.times).toHaveLength(2);
  });
});

describe('pairs that were made by hand', () => {
  it('are what the command reads, with both poses', async () => {
    const rig = stickRig('man', [
      { name: 'hips', parent: -1, rest: Float64Array.from([1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0]) },
      { name: 'tail 1', parent: 0, rest: Float64Array.from([1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, -0.5]) },
    ]);
    const rest = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const turned = [0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0];
    const made = [
      { name: 'neutral', performer: [...frame(0).joints], character: { hips: rest, 'tail 1': rest } },
      { name: 'pose 1', performer: [...frame(1).joints], character: { hips: rest, 'tail 1': turned } },
    ];
    const { blob } = await pairsFile('pairs.json', made, MEDIAPIPE_JOINTS);
    const document = readPairs(new Uint8Array(await blob.arrayBuffer()));
    const { pairs, neutral, joints } = resolvePairs({ document, sources: { rig, clips: [], motions: new Map() } });
    expect(neutral).toBe(0);
    expect(joints).toEqual(MEDIAPIPE_JOINTS);
    expect([...pairs[1].character.transforms.subarray(12)]).toEqual(turned);
    expect(pairs[1].performer[7]).toBeCloseTo(frame(1).joints[7], 6);
  });
});
