// @ts-check
/** What smooth weights cost: error against the roughness of the weights, for rising --smooth, on the arm. */
import { openNumerics } from '@pelt/math';
import { decompose } from '@pelt/skin';
import { armScene } from '@pelt/testkit';

const SMOOTH = [0, 0.03, 0.1, 0.3, 1, 3];

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = armScene();
  const numerics = await openNumerics({ threads: 2 });
  const fits = SMOOTH.map((smooth) => decompose(sequence, { bones: 8, smooth }, { numerics }));
  numerics.close();
  return {
    width: 640,
    panelHeight: 260,
    panels: [
      {
        kind: 'plot',
        x: { label: 'mean difference of the weights along an edge', scale: 'log' },
        y: { label: 'E_RMS' },
        series: [
          {
            name: '--smooth 0, 0.03, 0.1, 0.3, 1, 3, right to left',
            mark: 'both',
            x: fits.map(({ rig }) => roughness(rig.weights, sequence.rest.triangles, rig.bones.length)),
            y: fits.map(({ error }) => error.eRms),
          },
        ],
      },
    ],
  };
}

/**
 * Root mean square of ‖wᵢ − wₖ‖ over the edges of the triangles.
 *
 * @param {import('@pelt/model').SkinWeights} skin
 * @param {Uint32Array} triangles
 * @param {number} bones
 */
function roughness({ slots, bones: indices, weights }, triangles, bones) {
  /** @param {number} i */
  const dense = (i) => {
    const row = new Float64Array(bones);
    for (let s = i * slots; s < (i + 1) * slots; s++) row[indices[s]] += weights[s];
    return row;
  };
  let sum = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b] = [dense(triangles[k]), dense(triangles[k + 1])];
    for (let j = 0; j < bones; j++) sum += (a[j] - b[j]) ** 2;
  }
  return Math.sqrt(sum / (triangles.length / 3));
}
