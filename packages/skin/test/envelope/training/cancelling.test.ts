import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { reduceEnvelope, trainAddedJoints, trainEnvelope } from '../../../src/envelope/index.ts';
import { expectCancels } from '../../expect-cancels.ts';

let numerics: Awaited<ReturnType<typeof openNumerics>>;
beforeAll(async () => {
  numerics = await openNumerics();
});
afterAll(() => numerics.close());

const scene = elbowScene({ frames: 5, rings: 60, sides: 30 });

describe('learnt skin', () => {
  it.each(['linear-maps', 'wang'] as const)('can be cancelled while it trains: %s', (method) => {
    expectCancels(numerics, (run) => trainEnvelope(scene, { method }, run));
  });

  it.each(['affine-bones', 'wang'] as const)('can be cancelled while it is reduced: %s', (method) => {
    const { envelope } = trainEnvelope(scene, { pull: 0, heldShare: 0, tolerance: 1e-3 }, { numerics });
    const poses = Array.from(scene.clip.times, (_, t) => poseAt(scene.clip, t, 2).transforms);
    expectCancels(numerics, (run) => reduceEnvelope({ envelope, poses }, { method, maxError: 2 }, run));
  });

  it('can be cancelled while weights over added joints are fitted', () => {
    const long = elbowScene({ frames: 60, rings: 100, sides: 60 });
    expectCancels(numerics, (run) => trainAddedJoints(long, {}, run));
  });
});
