// @ts-check
/** Beyond two poses of the dog, by forward kinematics and by linear blending of the transforms. */
import { dogCharacter } from '@pelt/testkit';
import { mixFigure } from './puppet-mix.mjs';

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  return mixFigure(dogCharacter(0.03), 'paw', { direction: [1, 0.25, 0.8], margin: 0.03 });
}
