import { openNumerics } from '@pelt/math';
import type { Run } from '@pelt/model';
import { afterAll, describe, expect, it } from 'vitest';
import {
  bakeVirtualBones,
  findLoop,
  reduceBones,
  reduceTwoLayer,
  reduceWeights,
  roundWeights,
  WEIGHT_METHODS,
} from '../../src/reduce/index.ts';
import { expectCancels } from '../expect-cancels.ts';
import { denseCreature } from './dense-rig.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('cancelling a reduction', () => {
  const { rig, clip } = denseCreature(30, { frames: 30, detail: 0.04 });
  const input = { rig, clips: [clip] };

  it.each<[string, (run: Run) => unknown]>([
    ...WEIGHT_METHODS.map((method): [string, (run: Run) => unknown] => [
      `reduceWeights, ${method}`,
      (run) => reduceWeights(input, { method, weights: 2, rounds: 20 }, run),
    ]),
    ['reduceTwoLayer', (run) => reduceTwoLayer(input, {}, run)],
    ['reduceBones', (run) => reduceBones(input, { count: 4 }, run)],
    ['roundWeights', (run) => roundWeights(input, {}, run)],
    ['findLoop', (run) => findLoop({ rig, clip }, { tolerance: 1e-6 }, run)],
  ])('stops %s within a second of processor time, and leaves nothing behind', (_, work) => {
    expectCancels(numerics, work);
    // The kernels work as before.
    expect(reduceWeights(input, { method: 'geometric', weights: 1 }, { numerics }).rig.weights.slots).toBe(1);
  });

  it('stops bakeVirtualBones', () => {
    const { skin } = reduceTwoLayer(input, { virtual: 80 }, { numerics });
    expectCancels(numerics, (run) => bakeVirtualBones({ ...input, skin }, {}, run));
  });
});
