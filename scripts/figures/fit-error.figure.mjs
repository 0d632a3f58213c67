// @ts-check
/** How the error falls with the number of bones, for one, two and four weights a vertex, on the arm of the examples. */
import { openNumerics } from '@pelt/math';
import { decompose } from '@pelt/skin';
import { armScene } from '@pelt/testkit';

const BONES = [2, 3, 4, 6, 8, 12, 16, 24, 32];
const WEIGHTS = [1, 2, 4];

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = armScene();
  const numerics = await openNumerics({ threads: 2 });
  const series = WEIGHTS.map((weights) => ({
    name: weights === 1 ? '1 weight' : `${weights} weights`,
    mark: /** @type {const} */ ('both'),
    x: BONES,
    y: BONES.map((bones) => decompose(sequence, { bones, weights }, { numerics }).error.eRms),
  }));
  numerics.close();
  return {
    width: 640,
    panelHeight: 280,
    panels: [
      {
        kind: 'plot',
        x: { label: 'bones', scale: 'log', min: 2, max: 32 },
        y: { label: 'E_RMS', scale: 'log' },
        series,
      },
    ],
  };
}
