// @ts-check
/** The skeleton of the walking creature: found from its frames alone, in the rest pose and in one of the walk. */
import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { deformLinear, extractSkeleton } from '@pelt/skin';
import { creatureScene } from '@pelt/testkit';
import { boneColours, bonesItem, meshItem, weightColours } from './describe.mjs';

const FRAME = 12;
const VIEW = /** @type {const} */ ({ direction: [1, 0.35, 0.6], margin: 0.04 });

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = creatureScene({ frames: 24 });
  const numerics = await openNumerics({ threads: 2 });
  const { rig, clip, error } = extractSkeleton(sequence, { symmetry: true }, { numerics });
  numerics.close();
  const m = rig.bones.length;
  const { transforms } = poseAt(clip, FRAME, m);
  const { length } = rig.mesh.positions;
  const positions = deformLinear(rig.mesh.positions, rig.weights, transforms, new Float32Array(length));
  const colours = weightColours(rig.weights, m);
  const look = { colours: boneColours(m) };
  return {
    width: 900,
    panelHeight: 260,
    columns: 3,
    panels: [
      {
        kind: 'scene',
        title: `weights of ${m} bones`,
        view: VIEW,
        items: [meshItem(rig.mesh, { colours })],
      },
      {
        kind: 'scene',
        title: 'joints at rest',
        view: VIEW,
        items: [meshItem(rig.mesh, { opacity: 0.25 }), bonesItem(rig.bones, undefined, look)],
      },
      {
        kind: 'scene',
        title: 'and in a frame of the walk',
        note: `RMSE ${error.rmsePercent.toPrecision(2)} % of the diagonal`,
        view: VIEW,
        items: [meshItem(rig.mesh, { positions, opacity: 0.25 }), bonesItem(rig.bones, transforms, look)],
      },
    ],
  };
}
