// @ts-check
/** Beyond two poses of an elastic bar, by forward kinematics and by linear blending of the transforms. */
import { barCharacter } from '@pelt/testkit';
import { mixFigure } from './puppet-mix.mjs';

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  return mixFigure(barCharacter(), 'arms front', { direction: [0.5, 0.3, 1], margin: 0.03 });
}
