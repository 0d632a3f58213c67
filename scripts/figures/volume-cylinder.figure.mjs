// @ts-check
/** The cylinder bent by 90° and twisted by 360°, as three kinds of skinning. */
import { cylinder } from '@pelt/testkit';
import { skinningPanels } from './volume-skinning.mjs';

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { mesh, bones, tip, bent, twisted } = cylinder({ sides: 26 });
  const tips = new Map([[bones.length - 1, tip]]);
  const poses = [
    { name: 'bend 90°', transforms: (/** @type {number} */ share) => bent(90 * share) },
    { name: 'twist 360°', transforms: (/** @type {number} */ share) => twisted(360 * share) },
  ];
  const panels = await skinningPanels(mesh, bones, tips, poses, { direction: [-0.15, 0.25, 1], margin: 0.03 });
  return { width: 780, panelHeight: 150, columns: 3, samples: 32, sameView: false, panels };
}
