// @ts-check
/** A character's neutral pose and another, mixed with weights between and beyond: both interpolations, one above the other. */
import { createPuppet, deformLinear } from '@pelt/skin';
import { PERFORMER_JOINTS } from '@pelt/testkit';
import { meshItem } from './describe.mjs';

const MIXES = [
  [-1, 2],
  [-0.5, 1.5],
  [0, 1],
  [0.5, 0.5],
];
const NAMES = /** @type {const} */ ({ kinematic: 'kinematics', linear: 'blending' });

/**
 * @param {import('@pelt/testkit').Character} character
 * @param {string} other  name of the pair that is mixed with the neutral one
 * @param {import('./description.ts').View} view
 * @returns {import('./description.ts').Figure}
 */
export function mixFigure({ rig, registration }, other, view) {
  const at = registration.pairs.findIndex(({ name }) => name === other);
  const panels = /** @type {const} */ (['kinematic', 'linear']).flatMap((interpolation) =>
    MIXES.map(([first, second]) => {
      const puppet = createPuppet(
        { character: rig, pairs: registration, performer: PERFORMER_JOINTS },
        { interpolation },
      );
      const weights = new Float64Array(registration.pairs.length);
      weights[registration.neutral] = first;
      weights[at] = second;
      const positions = new Float32Array(rig.mesh.positions.length);
      deformLinear(rig.mesh.positions, rig.weights, puppet.blend(weights).transforms, positions);
      const title = `${NAMES[interpolation]}, (${first}, ${second})`.replaceAll('-', '−');
      const items = [meshItem(rig.mesh, { positions })];
      return { kind: /** @type {const} */ ('scene'), title, view, ground: false, items };
    }),
  );
  return { width: 760, panelHeight: 130, columns: MIXES.length, panels };
}
