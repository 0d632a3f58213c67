// @ts-check
/** What more bones buy: the bent arm fitted with few, some and many, coloured by bone and by error, on one scale. */
import { openNumerics } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { decompose, deformLinear } from '@pelt/skin';
import { armScene } from '@pelt/testkit';
import { distanceHeat, meshItem, weightColours } from './describe.mjs';

const COUNTS = [2, 4, 8, 16];
const FRAME = 30;
/** End of the error scale, in % of the diagonal: what is beyond looks the same. */
const WORST = 2;
const VIEW = /** @type {const} */ ({ direction: [0.1, 0.3, 1], margin: 0.03 });

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = armScene();
  const truth = frameAt(sequence, FRAME);
  const numerics = await openNumerics({ threads: 2 });
  const fits = COUNTS.map((bones) => {
    const { rig, clip, error } = decompose(sequence, { bones }, { numerics });
    const { transforms } = poseAt(clip, FRAME, bones);
    const positions = deformLinear(rig.mesh.positions, rig.weights, transforms, new Float32Array(truth.length));
    return { bones, rig, positions, error };
  });
  numerics.close();
  return {
    width: 900,
    panelHeight: 190,
    columns: COUNTS.length,
    panels: [
      ...fits.map(({ bones, rig, positions }) => {
        const colours = weightColours(rig.weights, bones);
        const title = `${bones} bones`;
        return {
          kind: /** @type {const} */ ('scene'),
          title,
          view: VIEW,
          items: [meshItem(rig.mesh, { positions, colours })],
        };
      }),
      ...fits.map(({ rig, positions, error }) => {
        const heat = { ...distanceHeat(positions, truth, WORST), name: 'distance from the input' };
        const note = `E_RMS ${error.eRms.toPrecision(2)} over all frames`;
        return {
          kind: /** @type {const} */ ('scene'),
          note,
          view: VIEW,
          items: [meshItem(rig.mesh, { positions, heat })],
        };
      }),
    ],
  };
}
