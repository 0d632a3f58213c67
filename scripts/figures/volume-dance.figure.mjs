// @ts-check
/** The armadillo with the skeleton of a capture file in it, and five frames of its dance. Needs the measured data. */
import { readFileSync } from 'node:fs';
import { readBvh, readObj } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { bindVolume, createVolumeDeformer, placeSkeleton, tetrahedralize } from '@pelt/skin';
import { realData, realDataFolder } from '@pelt/testkit';
import { ARMADILLO } from '../../benchmarks/tasks/volume/landmarks.mjs';
import { bonesItem, meshItem } from './describe.mjs';

const VIEW = /** @type {const} */ ({ direction: [0.35, 0.15, 1], margin: 0.03 });
const FRAMES = [10, 60, 130, 260, 400];

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const mesh = readObj(read('closed/armadillo.obj'), { name: 'armadillo' });
  const motion = readBvh(read('motion/cmu-dance.bvh'), { name: 'dance' });
  const { bones, tips, clip } = placeSkeleton({ motion, landmarks: new Map(Object.entries(ARMADILLO)) });
  const numerics = await openNumerics({ threads: 2 });
  const { mesh: body } = tetrahedralize(mesh);
  const binding = bindVolume({ body, bones }, { tips }, { numerics });
  const deformer = createVolumeDeformer({ surface: mesh, bones, binding }, {}, { numerics });
  const panels = FRAMES.map((t) => {
    const positions = new Float32Array(mesh.positions.length);
    const { transforms } = poseAt(clip, t, bones.length);
    deformer.reset();
    deformer.deform(transforms, positions);
    stay(positions, bones[0].rest, transforms);
    const title = `${clip.times[t].toFixed(1)} s`;
    return {
      kind: /** @type {const} */ ('scene'),
      title,
      view: VIEW,
      ground: false,
      items: [meshItem(mesh, { positions })],
    };
  });
  deformer.dispose();
  numerics.close();
  /** @type {import('./description.ts').ScenePanel} */
  const rest = {
    kind: 'scene',
    title: 'at rest',
    view: VIEW,
    ground: false,
    items: [meshItem(mesh, { opacity: 0.35 }), bonesItem(bones, undefined, { radius: 0.012 })],
  };
  return { width: 700, panelHeight: 190, columns: 3, samples: 24, panels: [rest, ...panels] };
}

/**
 * @param {string} path
 * @returns {Uint8Array}
 */
function read(path) {
  const file = realData(path);
  if (!file) throw new Error(`${path} is not in ${realDataFolder()}; set PELT_DATA`);
  return readFileSync(file);
}

/**
 * Takes back what the root travelled, so that all frames stand in one place.
 *
 * @param {Float32Array} positions  changed
 * @param {Float64Array} rest  3 × 4 of the root
 * @param {Float64Array} transforms  m × 12, the root first
 */
function stay(positions, rest, transforms) {
  const travelled = [0, 1, 2].map((r) => {
    const moved = [0, 1, 2].reduce((sum, c) => sum + transforms[4 * r + c] * rest[4 * c + 3], transforms[4 * r + 3]);
    return moved - rest[4 * r + 3];
  });
  for (let k = 0; k < positions.length; k++) positions[k] -= travelled[k % 3];
}
