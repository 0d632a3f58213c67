import { openNumerics } from '@pelt/math';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, it } from 'vitest';
import { tetrahedralize } from '../../src/tetrahedra/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const { mesh } = creatureScene({ frames: 1, detail: 0.03 }).rig;

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('tetrahedralisation', () => {
  it('can be cancelled anywhere', () => {
    expectCancels(numerics, (run) => tetrahedralize(mesh, {}, run));
  });
});
