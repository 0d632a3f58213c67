// @ts-check
/** What a puppet learns from: poses of a performer, and the pose of the dog that goes with each. */
import { deformLinear } from '@pelt/skin';
import { dogCharacter } from '@pelt/testkit';
import { meshItem } from './describe.mjs';
import { performerItem } from './performer-item.mjs';

/** Which of the dog's pairs are shown. */
const SHOWN = ['stand', 'run, stretched', 'paw', 'tail', 'left step'];
const ABOVE = /** @type {const} */ ({ direction: [0.5, 0.2, 1], margin: 0.04 });
const BELOW = /** @type {const} */ ({ direction: [1, 0.3, 0.75], margin: 0.04 });

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { rig, registration } = dogCharacter(0.025);
  const pairs = SHOWN.map((name) => {
    const pair = registration.pairs.find((candidate) => candidate.name === name);
    if (!pair) throw new Error(`the dog has no pair '${name}'`);
    return pair;
  });
  const scene = /** @type {const} */ ('scene');
  return {
    width: 820,
    panelHeight: 150,
    columns: SHOWN.length,
    sameView: false,
    panels: [
      ...pairs.map(({ name, performer }) => ({
        kind: scene,
        title: name,
        view: ABOVE,
        items: [performerItem(performer)],
      })),
      ...pairs.map(({ character }) => {
        const positions = new Float32Array(rig.mesh.positions.length);
        deformLinear(rig.mesh.positions, rig.weights, character.transforms, positions);
        return { kind: scene, view: BELOW, items: [meshItem(rig.mesh, { positions })] };
      }),
    ],
  };
}
