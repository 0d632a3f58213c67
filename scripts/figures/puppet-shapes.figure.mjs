// @ts-check
/** Shapes without a rig that a performer blends: poses between those of the pairs, and the sack that goes with each. */
import { openNumerics } from '@pelt/math';
import { buildPoser, createPoseSpace, createPuppet, decompose, deformLinear } from '@pelt/skin';
import { flourSackCharacter, PERFORMER_JOINTS } from '@pelt/testkit';
import { meshItem, weightColours } from './describe.mjs';
import { performerItem } from './performer-item.mjs';

/** Pairs whose performers are mixed, half and half: what the pairs do not show. */
const SHOWN = [
  ['stand', 'stand'],
  ['stand', 'reach'],
  ['stand', 'bow'],
  ['squash', 'stand'],
  ['lean left', 'reach'],
];
const CONTROLS = 14;
const ABOVE = /** @type {const} */ ({ direction: [0.5, 0.2, 1], margin: 0.04 });
const BELOW = /** @type {const} */ ({ direction: [0.5, 0.2, 1], margin: 0.04 });

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const { rig, registration } = flourSackCharacter(0.03);
  const { pairs, neutral } = registration;
  const n3 = rig.mesh.positions.length;
  const frames = new Float32Array(pairs.length * n3);
  pairs.forEach(({ character }, e) => {
    deformLinear(rig.mesh.positions, rig.weights, character.transforms, frames.subarray(e * n3, (e + 1) * n3));
  });
  const sculpts = { name: 'sack', rest: rig.mesh, times: Float64Array.from(pairs.keys()), frames };
  const numerics = await openNumerics();
  const run = { numerics };
  const fitted = decompose(sculpts, { method: 'affine', bones: CONTROLS, weights: 4, restPose: 'keep' }, run);
  const names = pairs.map(({ name }) => name);
  const poser = buildPoser({ ...fitted, examples: sculpts }, { names });
  const space = createPoseSpace(poser, run);
  const shapes = pairs.map((pair) => {
    const shape = space.ofExample(pair.name);
    const transforms = new Float64Array(12 * CONTROLS);
    space.pose(shape, transforms);
    return { ...pair, character: { transforms, shape } };
  });
  const data = {
    character: poser.rig,
    pairs: { ...registration, pairs: shapes, neutral },
    performer: PERFORMER_JOINTS,
    space,
  };
  const colours = weightColours(poser.rig.weights, CONTROLS);
  const panels = SHOWN.map(([a, b]) => {
    const [from, to] = [a, b].map((name) => pairs[names.indexOf(name)].performer);
    const performer = from.map((value, k) => 0.5 * (value + to[k]));
    const puppet = createPuppet(data, { delay: 0, travel: 0, turn: false });
    const { transforms } = puppet.update(performer, 0);
    return {
      performer,
      positions: space.positions(transforms, new Float32Array(n3)),
      title: a === b ? a : `${a} + ${b}`,
    };
  });
  space.dispose();
  numerics.close();
  const scene = /** @type {const} */ ('scene');
  return {
    width: 820,
    panelHeight: 160,
    columns: SHOWN.length,
    sameView: false,
    panels: [
      ...panels.map(({ title, performer }) => ({ kind: scene, title, view: ABOVE, items: [performerItem(performer)] })),
      ...panels.map(({ positions }) => ({
        kind: scene,
        view: BELOW,
        items: [meshItem(rig.mesh, { positions, colours })],
      })),
    ],
  };
}
