// @ts-check
/**
 * Skeletons found in a wolf whose rig is known and in a lion, drawn at one size. The meshes are measured data that the
 * repository does not hold; without them the figure is not made anew.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openNumerics } from '@pelt/math';
import { extractSkeleton } from '@pelt/skin';
import { realData, realDataFolder } from '@pelt/testkit';
import { boneColours, bonesItem, meshItem } from './describe.mjs';
import { loadSubjects } from './load.mjs';

const SUBJECTS = /** @type {const} */ ([
  { name: 'wolf', folder: 'rigged/wolf' },
  { name: 'lion', folder: 'lion-poses' },
]);
const DIRECTION = /** @type {const} */ ([1, 0.15, 0.3]);

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const numerics = await openNumerics({ threads: 2 });
  const panels = [];
  for (const { name, folder } of SUBJECTS) {
    const { rig, error } = extractSkeleton(await sequenceOf(name, folder), {}, { numerics });
    panels.push({
      kind: /** @type {const} */ ('scene'),
      title: `${name}, ${rig.bones.length} bones`,
      note: `RMSE ${error.rmsePercent.toPrecision(2)} % of the diagonal`,
      view: { direction: DIRECTION, margin: 0.04 },
      items: [
        meshItem(rig.mesh, { opacity: 0.25 }),
        bonesItem(rig.bones, undefined, { colours: boneColours(rig.bones.length) }),
      ],
    });
  }
  numerics.close();
  return { width: 1000, panelHeight: 300, columns: SUBJECTS.length, panels };
}

/**
 * @param {string} name
 * @param {string} folder
 * @returns {Promise<import('@pelt/model').MeshSequence>}
 */
async function sequenceOf(name, folder) {
  const file = realData(`${folder}/rest.obj`);
  if (!file) throw new Error(`${folder} is not in ${realDataFolder()}; set PELT_DATA`);
  const names = readdirSync(dirname(file));
  const others = names.filter((other) => /\.pc2$|-\d+\.obj$/.test(other)).sort();
  const [mesh, ...posed] = await loadSubjects([file, ...others.map((other) => join(dirname(file), other))]);
  const { size, origin } = placeOf(mesh.mesh.positions);
  /** @param {Float32Array} positions */
  const placed = (positions) => positions.map((value, k) => (value - origin[k % 3]) / size);
  const frames = mesh.frames ?? Float32Array.from(posed.flatMap((pose) => Array.from(pose.mesh.positions)));
  const rest = { ...mesh.mesh, positions: placed(mesh.mesh.positions) };
  const times = Float64Array.from({ length: frames.length / rest.positions.length }, (_, t) => t / 30);
  return { name, rest, frames: placed(frames), times };
}

/**
 * The longest side of the box around points, and the middle of its floor.
 *
 * @param {Float32Array} positions
 */
function placeOf(positions) {
  const box = [0, 1, 2].map((d) => {
    const values = positions.filter((_, k) => k % 3 === d);
    return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  });
  return {
    size: Math.max(...box.map(([low, high]) => high - low)),
    origin: box.map(([low, high], d) => (d === 1 ? low : 0.5 * (low + high))),
  };
}
