// @ts-check
/**
 * Horse, lion, cat and elephant, each learnt from some ten examples and dragged by five points into a pose that is none
 * of them. The meshes are measured data that the repository does not hold; without them the figure is not made anew.
 */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openNumerics } from '@pelt/math';
import { frameAt } from '@pelt/model';
import { buildPoser, createPoseSession, decompose } from '@pelt/skin';
import { extremities, realData, realDataFolder } from '@pelt/testkit';
import { meshItem, weightColours } from './describe.mjs';
import { loadSubjects } from './load.mjs';
import { targetsOf } from './pose-handles.mjs';

const HELD = '#c03028';
/** The five points are put half-way between where two of the examples have them. */
const SUBJECTS = [
  { name: 'horse', folder: 'horse-poses', controls: 33, between: [1, 6] },
  { name: 'lion', folder: 'lion-poses', controls: 33, between: [0, 4] },
  { name: 'cat', folder: 'cat-poses', controls: 33, between: [4, 5] },
  { name: 'elephant', folder: 'elephant-gallop', controls: 23, between: [2, 5] },
];

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const numerics = await openNumerics({ threads: 2 });
  const learnt = [];
  for (const { name, folder, controls, between } of SUBJECTS) {
    const sequence = await examplesOf(name, folder);
    const options = /** @type {const} */ ({ method: 'affine', bones: controls, restPose: 'keep' });
    const { rig, clip } = decompose(sequence, options, { numerics });
    const poser = buildPoser({ rig, clip, examples: sequence }, {});
    const session = createPoseSession(poser, {}, { numerics });
    const [one, other] = between.map((e) => frameAt(sequence, e));
    const midway = one.map((value, k) => 0.5 * (value + other[k]));
    const handles = targetsOf(midway, extremities(rig.mesh.positions, 5));
    session.setHandles(handles);
    session.step();
    const positions = session.positions(new Float32Array(rig.mesh.positions.length));
    session.dispose();
    learnt.push({ name, rig, controls, positions, held: handles.flatMap(({ target }) => target), size: poser.size });
  }
  numerics.close();
  const view = /** @type {const} */ ({ direction: [1, 0.2, 0.35], margin: 0.04 });
  return {
    width: 1000,
    panelHeight: 210,
    samples: 8,
    columns: SUBJECTS.length,
    panels: [
      ...learnt.map(({ name, rig, controls }) => ({
        kind: /** @type {const} */ ('scene'),
        title: `${name}, ${controls} controls`,
        view,
        items: [meshItem(rig.mesh, { colours: weightColours(rig.weights, controls) })],
      })),
      ...learnt.map(({ rig, positions, held, size }) => ({
        kind: /** @type {const} */ ('scene'),
        view,
        items: [
          meshItem(rig.mesh, { positions }),
          { kind: /** @type {const} */ ('points'), positions: held, colour: HELD, radius: 0.012 * size },
        ],
      })),
    ],
  };
}

/**
 * A rest pose with its example poses, or with eleven frames of its clip.
 *
 * @param {string} name
 * @param {string} folder
 * @returns {Promise<import('@pelt/model').MeshSequence>}
 */
async function examplesOf(name, folder) {
  const rest = realData(`${folder}/rest.obj`);
  if (!rest) throw new Error(`pose-animals needs ${folder}, which is not in ${realDataFolder()}; set PELT_DATA`);
  const clip = realData(`${folder}/clip.pc2`);
  const poses = readdirSync(dirname(rest))
    .filter((file) => /^pose-\d+\.obj$/.test(file))
    .sort()
    .map((file) => `${dirname(rest)}/${file}`);
  const subjects = await loadSubjects(clip ? [rest, clip] : [rest, ...poses]);
  const size = subjects[0].mesh.positions.length;
  const whole = subjects[0].frames;
  const frames = whole
    ? Array.from({ length: 11 }, (_, k) => Math.round((k * (whole.length / size - 1)) / 10)).map((t) =>
        whole.subarray(t * size, (t + 1) * size),
      )
    : subjects.slice(1).map(({ mesh }) => mesh.positions);
  const joined = new Float32Array(size * frames.length);
  frames.forEach((positions, k) => {
    joined.set(positions, k * size);
  });
  return { name, rest: subjects[0].mesh, frames: joined, times: Float64Array.from(frames.keys()) };
}
