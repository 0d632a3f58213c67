// @ts-check
/** A hand in a pose that nobody showed: blended, as a solid, and by the skin that learnt from the solid. Needs the measured data. */
import { readFileSync } from 'node:fs';
import { readObj } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import {
  bindVolume,
  createReducedDeformer,
  createVolumeDeformer,
  deformLinear,
  reduceEnvelope,
  surfaceWeights,
  teachPoses,
  tetrahedralize,
  trainEnvelope,
} from '@pelt/skin';
import { realData, realDataFolder } from '@pelt/testkit';
import { closingHand } from '../../benchmarks/tasks/volume/closing-hand.mjs';
import { HAND } from '../../benchmarks/tasks/volume/landmarks.mjs';
import { meshItem } from './describe.mjs';

const VIEW = /** @type {const} */ ({ direction: [-0.75, 0.25, 1], margin: 0.03 });
const FILE = 'closed/hand_closed.obj';
/** Poses to learn from, of the closing hand's ranges. */
const POSES = 24;

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const file = realData(FILE);
  if (!file) throw new Error(`${FILE} is not in ${realDataFolder()}; set PELT_DATA`);
  const mesh = readObj(readFileSync(file), { name: 'hand' });
  const { bones, tips, poses } = closingHand(HAND, 30);
  const numerics = await openNumerics({ threads: 2 });
  const run = { numerics };
  const { mesh: body } = tetrahedralize(mesh);
  const weights = surfaceWeights({ body, bones }, { tips }, run);
  const rig = { name: 'hand', mesh, bones, weights };
  const binding = bindVolume({ body, bones }, { tips }, run);
  const solid = createVolumeDeformer({ surface: mesh, bones, binding }, {}, run);
  /** @type {(pose: Float64Array, out: Float32Array) => void} */
  const solve = (pose, out) => {
    solid.reset();
    solid.deform(pose, out);
  };
  const taught = teachPoses({ rig, poses, teacher: { solve } }, { poses: POSES, heldOut: 0 }, run);
  const times = Float64Array.from(taught.train);
  const clip = { name: 'taught', times, transforms: taught.transforms };
  const sequence = { name: 'taught', rest: mesh, frames: taught.shapes, times };
  const { envelope } = trainEnvelope({ rig, clip, sequence }, {}, run);
  const size = 12 * bones.length;
  const learnt = taught.train.map((t) => taught.transforms.slice(t * size, (t + 1) * size));
  const skin = createReducedDeformer(reduceEnvelope({ envelope, poses: learnt }, {}, run), {}, run);
  // The whole hand closed, where the poses that trained had every joint somewhere else.
  const pose = poses[24];
  /** @type {[string, (out: Float32Array) => unknown][]} */
  const ways = [
    ['linear blending', (out) => deformLinear(mesh.positions, weights, pose, out)],
    ['the solid', (out) => solve(pose, out)],
    ['the skin that learnt from it', (out) => skin.deform(pose, out)],
  ];
  const panels = ways.map(([title, play]) => {
    const positions = new Float32Array(mesh.positions.length);
    play(positions);
    const items = [meshItem(mesh, { positions })];
    return { kind: /** @type {const} */ ('scene'), title, view: VIEW, ground: false, items };
  });
  skin.dispose();
  solid.dispose();
  numerics.close();
  return { width: 780, panelHeight: 260, columns: 3, samples: 24, panels };
}
