// @ts-check
/**
 * A galloping horse of 30 bones with weights on all of them, cut to four blends a vertex by four methods, coloured by the
 * distance from what it should be. The mesh is measured data that the repository does not hold; without it the figure is
 * not made anew.
 */
import { openNumerics } from '@pelt/math';
import { frameAt } from '@pelt/model';
import { decompose, deformLinear, deformTwoLayer, reduceTwoLayer, reduceWeights, virtualCount } from '@pelt/skin';
import { realData, realDataFolder } from '@pelt/testkit';
import { distanceHeat, meshItem } from './describe.mjs';
import { loadSubjects } from './load.mjs';

const DATA = 'horse-gallop';
const BONES = 30;
const WEIGHTS = 4;
const METHODS = /** @type {const} */ (['k-largest', 'geometric', 'refit']);
const FRAME = 12;
/** End of the scale, in % of the diagonal. */
const MOST = 1;

/** @returns {Promise<import('./description.ts').Figure>} */
export default async function describe() {
  const sequence = await gallop();
  const truth = frameAt(sequence, FRAME);
  const numerics = await openNumerics({ threads: 2 });
  // A dense model as one-layer methods like it best: one that has not settled.
  const { rig, clip } = decompose(sequence, { bones: BONES, weights: BONES, rounds: 25 }, { numerics });
  const input = { rig, clips: [clip], examples: [sequence] };
  const size = 12 * BONES;
  const reduced = METHODS.map((method) => {
    const { rig: fewer, clips, error } = reduceWeights(input, { method, weights: WEIGHTS }, { numerics });
    const pose = clips[0].transforms.subarray(FRAME * size, (FRAME + 1) * size);
    const positions = deformLinear(fewer.mesh.positions, fewer.weights, pose, new Float32Array(truth.length));
    return { name: `${method}, ${WEIGHTS} weights`, eRms: error.eRms, positions };
  });
  const { skin, error } = reduceTwoLayer(input, {}, { numerics });
  const pose = clip.transforms.subarray(FRAME * size, (FRAME + 1) * size);
  const virtual = new Float64Array(12 * virtualCount(skin));
  const layered = deformTwoLayer(rig.mesh.positions, skin, pose, virtual, new Float32Array(truth.length));
  numerics.close();
  const shown = [...reduced, { name: 'two-layer, 2 weights', eRms: error.eRms, positions: layered }];
  return {
    width: 1000,
    panelHeight: 230,
    samples: 12,
    columns: shown.length,
    panels: shown.map(({ name, eRms, positions }) => ({
      kind: /** @type {const} */ ('scene'),
      title: name,
      note: `E_RMS ${eRms.toFixed(1)}`,
      view: { direction: /** @type {const} */ ([1, 0.15, 0.25]), margin: 0.04 },
      items: [meshItem(sequence.rest, { positions, heat: distanceHeat(positions, truth, MOST) })],
    })),
  };
}

/** @returns {Promise<import('@pelt/model').MeshSequence>} */
async function gallop() {
  const files = ['rest.obj', 'clip.pc2'].map((file) => realData(`${DATA}/${file}`));
  const found = files.filter((file) => file !== undefined);
  if (found.length < files.length) {
    throw new Error(`reduce-horse needs ${DATA}, which is not in ${realDataFolder()}; set PELT_DATA`);
  }
  const [{ mesh, frames }] = await loadSubjects(found);
  if (!frames) throw new Error(`${DATA} has no frames`);
  const count = frames.length / mesh.positions.length;
  return { name: DATA, rest: mesh, frames, times: Float64Array.from({ length: count }, (_, t) => t / 24) };
}
