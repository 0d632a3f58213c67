import { openNumerics } from '@pelt/math';
import { SWING_CODE } from '@pelt/model';
import { blendFrames, swingScene } from '@pelt/testkit';
import { afterAll, expect, test } from 'vitest';
import { chooseCodes } from '../../src/dynamics/training/choose-codes.ts';
import { swingSkin } from '../../src/dynamics/training/swing-skin.ts';
import { reduceEnvelope, trainEnvelope } from '../../src/envelope/index.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const run = { numerics };
const scene = swingScene('tail');
const take = scene.take({ kind: 'sway', seed: 1, strength: 0.6 }, { seconds: 1, fps: 24 });

/** A skin of two proxies that follow the joint. */
function skinOf() {
  const { envelope } = trainEnvelope({ rig: scene.rig, ...take }, { method: 'ssd', frames: [0, 12] }, run);
  const reduced = reduceEnvelope({ envelope: { ...envelope, rig: scene.rig }, poses: [] }, {}, run);
  return swingSkin(reduced, take.sequence, { proxies: 2, weights: 2 }, run);
}

test('frames without a swing have codes of zero', () => {
  const still = {
    ...take,
    sequence: { ...take.sequence, frames: Float32Array.from(blendFrames(scene.rig, take.clip)) },
  };
  const codes = chooseCodes(skinOf(), [still], 4, run).fit(still.clip.transforms, still.sequence.frames);
  expect(codes.length).toBe(25 * 2 * SWING_CODE);
  for (const code of codes) expect(Math.abs(code)).toBeLessThan(1e-5);
});

test('codes say how proxies have moved in their own axes', () => {
  const frames = Float32Array.from(blendFrames(scene.rig, take.clip));
  const size = take.sequence.rest.positions.length;
  // A shift along the joint's own x, growing from frame to frame.
  for (let t = 0; t < 25; t++) {
    for (let k = 0; k < size; k++) frames[t * size + k] += 0.001 * t * take.clip.transforms[12 * t + 4 * (k % 3)];
  }
  const codes = chooseCodes(skinOf(), [{ ...take, sequence: { ...take.sequence, frames } }], 4, run).fit(
    take.clip.transforms,
    frames,
  );
  for (let t = 0; t < 25; t++) {
    for (const d of [0, 1]) {
      const at = SWING_CODE * (2 * t + d);
      expect(codes[at + 3]).toBeCloseTo(0.001 * t, 4);
      expect(codes[at + 4]).toBeCloseTo(0, 4);
    }
  }
});
