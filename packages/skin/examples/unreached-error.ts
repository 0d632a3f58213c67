import { openNumerics } from '@pelt/math';
import { decompose, UnreachedError } from '@pelt/skin/decompose';
import { armScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { sequence } = armScene({ frames: 12 });
let reached = 0;
try {
  decompose(sequence, { bones: 2, maxError: 0.01 }, { numerics });
} catch (error) {
  if (!(error instanceof UnreachedError)) throw error;
  reached = error.eRms;
}
numerics.close();

if (!(reached > 0.01)) throw new Error('two bones are too few for so small an error');
