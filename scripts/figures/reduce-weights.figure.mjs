// @ts-check
/** What is lost when the arm's dense weights are cut to a few, by each method. */
import { openNumerics } from '@pelt/math';
import { decompose, reduceWeights } from '@pelt/skin';
import { armScene } from '@pelt/testkit';

const BONES = 16;
const WEIGHTS = [1, 2, 3, 4, 6, 8];
const METHODS = /** @type {const} */ (['k-largest', 'smooth', 'geometric', 'poisson', 'refit']);

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = armScene();
  const numerics = await openNumerics({ threads: 2 });
  const { rig, clip } = decompose(sequence, { bones: BONES, weights: BONES, rounds: 25 }, { numerics });
  const input = { rig, clips: [clip], examples: [sequence] };
  const series = METHODS.map((method) => ({
    name: method,
    mark: /** @type {const} */ ('both'),
    x: WEIGHTS,
    y: WEIGHTS.map((weights) => reduceWeights(input, { method, weights }, { numerics }).error.eRms),
  }));
  numerics.close();
  return {
    width: 640,
    panelHeight: 300,
    panels: [
      {
        kind: 'plot',
        x: { label: 'weights a vertex', min: 1, max: 8 },
        y: { label: 'E_RMS', scale: 'log' },
        series,
      },
    ],
  };
}
