// @ts-check
/** A shoulder whose arm hangs down and is turned, as three kinds of skinning. */
import { shoulderScene } from '@pelt/testkit';
import { shoulderPose } from '../../benchmarks/tasks/volume/shoulder.mjs';
import { skinningPanels } from './volume-skinning.mjs';

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { mesh, bones } = shoulderScene({ frames: 1 }).rig;
  const transforms = (/** @type {number} */ share) => shoulderPose(bones[1].rest, 90 * share, 90 * share);
  const tips = new Map([[1, /** @type {const} */ ([1.2, 0, 0])]]);
  const panels = await skinningPanels(mesh, bones, tips, [{ name: 'shoulder', transforms }], {
    direction: [-0.2, 0.2, 1],
    margin: 0.03,
  });
  return { width: 780, panelHeight: 200, columns: 3, samples: 32, panels };
}
