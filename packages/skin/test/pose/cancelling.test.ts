import { openNumerics } from '@pelt/math';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, it } from 'vitest';
import { buildPoser, createMeshIk, createPoseSession, transferPoser } from '../../src/pose/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const { rig, clip, sequence } = creatureScene({ frames: 16, detail: 0.034 });

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('posing', () => {
  it('can be cancelled while a poser is built', () => {
    expectCancels(numerics, (run) => buildPoser({ rig, clip, examples: sequence }, {}, run));
  });

  it('can be cancelled while a pose space is transferred', () => {
    const source = buildPoser({ rig, clip }, { proxies: 100 });
    expectCancels(numerics, (run) => transferPoser({ source, rig }, {}, run));
  });

  it('can be cancelled while a session starts', () => {
    const poser = buildPoser({ rig, clip });
    expectCancels(numerics, (run) => createPoseSession(poser, {}, run).dispose());
  });

  it('can be cancelled while full MeshIK starts', () => {
    expectCancels(numerics, (run) => createMeshIk(sequence, {}, run).dispose());
  });
});
