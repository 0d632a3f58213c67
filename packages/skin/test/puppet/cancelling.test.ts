import { openNumerics } from '@pelt/math';
import type { Motion } from '@pelt/model';
import { dogCharacter, PERFORMER_JOINTS, performerPose } from '@pelt/testkit';
import { afterAll, describe, it } from 'vitest';
import { createPuppet, retargetMotion, suggestKeyPoses } from '../../src/puppet/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const FRAMES = 20_000;
const POSES = Array.from({ length: 64 }, (_, k) =>
  performerPose({ leftShoulder: { degrees: [0, 0, k] }, rightHip: { degrees: [k / 2, 0, 0] } }),
);
const motion: Motion = {
  name: 'long',
  joints: PERFORMER_JOINTS,
  times: Float64Array.from({ length: FRAMES }, (_, t) => t / 60),
  positions: Float32Array.from({ length: FRAMES }, (_, t) => t).reduce(
    (all, t) => {
      all.set(POSES[t % 64], t * 3 * PERFORMER_JOINTS.length);
      return all;
    },
    new Float32Array(FRAMES * 3 * PERFORMER_JOINTS.length),
  ),
  confidence: new Float32Array(FRAMES * PERFORMER_JOINTS.length).fill(1),
};

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('puppetry', () => {
  it('can be cancelled while a motion is retargeted', () => {
    const { rig, registration } = dogCharacter(0.1);
    const data = { character: rig, pairs: registration, performer: PERFORMER_JOINTS };
    const puppet = createPuppet(data, { parts: 'limbs', contacts: 'auto' });
    expectCancels(numerics, (run) => retargetMotion({ puppet, motion }, {}, run));
  });

  it('can be cancelled while key poses are chosen', () => {
    expectCancels(numerics, (run) => suggestKeyPoses(motion, { count: 40 }, run));
  });
});
