// @ts-check
/** An unseen pose of the arm: the truth, the rivals, and the learnt skin, coloured by their distance from the truth. */
import { openNumerics } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { meshItem } from './describe.mjs';
import { armSkins } from './envelope-rivals.mjs';

const POSE = 17;
const VIEW = /** @type {const} */ ({ direction: [0.3, 0.25, 1], margin: 0.04 });

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const numerics = await openNumerics({ threads: 2 });
  const { rig, clip, sequence, skins } = armSkins(numerics);
  const truth = frameAt(sequence, POSE);
  const pose = poseAt(clip, POSE, rig.bones.length).transforms;
  const panels = skins.map(({ name, deform }) => {
    const positions = new Float32Array(truth.length);
    deform(pose, positions);
    const values = Float32Array.from(
      { length: truth.length / 3 },
      (_, i) => 1000 * Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c] - truth[3 * i + c])),
    );
    const heat = { values, min: 0, max: 20, name: 'distance to the truth', unit: 'mm' };
    return {
      kind: /** @type {const} */ ('scene'),
      title: name,
      view: VIEW,
      items: [meshItem(rig.mesh, { positions, heat })],
    };
  });
  numerics.close();
  return {
    width: 900,
    panelHeight: 230,
    columns: 3,
    panels: [
      { kind: 'scene', title: 'truth', view: VIEW, items: [meshItem(rig.mesh, { positions: truth })] },
      ...panels,
    ],
  };
}
