// @ts-check
/** The first picture of the README: frames of a mesh that moves, the bones and weights found in them, the rig played. */
import { openNumerics } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { decompose, deformLinear } from '@pelt/skin';
import { creatureScene } from '@pelt/testkit';
import { boneColours, bonesItem, distanceHeat, meshItem, weightColours } from './describe.mjs';

const BONES = 12;
const FRAMES = [4, 28];
const VIEW = /** @type {const} */ ({ direction: [1, 0.25, 0.75], margin: 0.03 });

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { sequence } = creatureScene();
  const numerics = await openNumerics({ threads: 2 });
  const { rig, clip } = decompose(sequence, { bones: BONES }, { numerics });
  numerics.close();
  const [first, last] = FRAMES.map((frame) => frameAt(sequence, frame));
  const pose = poseAt(clip, FRAMES[1], BONES).transforms;
  const played = deformLinear(rig.mesh.positions, rig.weights, pose, new Float32Array(last.length));
  const skinned = meshItem(rig.mesh, { positions: played, colours: weightColours(rig.weights, BONES), opacity: 0.7 });
  const found = bonesItem(rig.bones, pose, { colours: boneColours(BONES), radius: 0.022 });
  const heat = { ...distanceHeat(played, last), name: 'distance from the input' };
  return {
    width: 900,
    panelHeight: 225,
    panels: [
      { kind: 'scene', title: 'A mesh that moves', view: VIEW, items: [meshItem(sequence.rest, { positions: first })] },
      { kind: 'scene', title: '\u00a0', view: VIEW, items: [meshItem(sequence.rest, { positions: last })] },
      { kind: 'scene', title: `${BONES} bones and their weights`, view: VIEW, items: [skinned, found] },
      { kind: 'scene', title: 'The rig, played', view: VIEW, items: [meshItem(rig.mesh, { positions: played, heat })] },
    ],
  };
}
