import { InputError, type SkinWeights, WEIGHT_SUM_TOLERANCE } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import type { Binding } from './bind-bones.ts';
import type { VertexBlock } from './read-blocks.ts';

/**
 * The weights of all vertices over the merged bones, as the model wants them: a bone once a vertex, largest weight
 * first, sum 1, as few slots as the widest vertex needs. Files get all of that wrong, and are mended as viewers do.
 */
/** Sums further from 1 than this are worth a warning; nearer ones are an exporter's rounding. */
const VISIBLE_ERROR = 1e-2;
const SLOTS_PER_SET = 4;

export function bindWeights(blocks: readonly VertexBlock[], binding: Binding, warnings: WarningTally): SkinWeights {
  const sets = blocks.reduce((most, { joints, skin }) => Math.max(most, skin < 0 ? 0 : joints.length), 0);
  const width = Math.max(1, sets * SLOTS_PER_SET);
  const vertices = blocks.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const bones = new Uint16Array(vertices * width);
  const weights = new Float32Array(vertices * width);
  let first = 0;
  let slots = 1;
  blocks.forEach((block, b) => {
    const count = block.positions.length / 3;
    const own = binding.boneIndices[b];
    for (let i = 0; i < count; i++) {
      const at = (first + i) * width;
      if (block.skin >= 0) {
        slots = Math.max(slots, gather(block, i, own, bones, weights, at, warnings));
      } else {
        bones[at] = own[0];
        weights[at] = 1;
      }
    }
    first += count;
  });
  if (slots === width) return { slots, bones, weights };
  const packed = { slots, bones: new Uint16Array(vertices * slots), weights: new Float32Array(vertices * slots) };
  for (let i = 0; i < vertices; i++) {
    packed.bones.set(bones.subarray(i * width, i * width + slots), i * slots);
    packed.weights.set(weights.subarray(i * width, i * width + slots), i * slots);
  }
  return packed;
}

/** One vertex into the slots from `at`; returns how many it uses. */
function gather(
  block: VertexBlock,
  i: number,
  own: Uint16Array,
  bones: Uint16Array,
  weights: Float32Array,
  at: number,
  warnings: WarningTally,
): number {
  let used = 0;
  let sum = 0;
  for (let set = 0; set < block.joints.length; set++) {
    for (let s = 0; s < SLOTS_PER_SET; s++) {
      const weight = block.weights[set][i * SLOTS_PER_SET + s];
      if (weight === 0) continue;
      if (weight < 0) {
        warnings.add('negative weights count as 0');
        continue;
      }
      const joint = block.joints[set][i * SLOTS_PER_SET + s];
      if (joint >= own.length) {
        throw new InputError(
          `vertex ${i} of nodes[${block.node}] names joint ${joint}, but its skin has ${own.length}`,
        );
      }
      used += insert(own[joint], weight, bones, weights, at, used);
      sum += weight;
    }
  }
  if (used === 0) {
    warnings.add('vertices without weights follow the first of their joints');
    const joint = block.joints[0][i * SLOTS_PER_SET];
    bones[at] = own[joint < own.length ? joint : 0];
    weights[at] = 1;
    return 1;
  }
  if (Math.abs(sum - 1) > VISIBLE_ERROR) warnings.add('weights that do not sum to 1 are scaled to do so');
  if (Math.abs(sum - 1) > WEIGHT_SUM_TOLERANCE * used) {
    for (let s = 0; s < used; s++) weights[at + s] /= sum;
  }
  return used;
}

/** Keeps the slots sorted by weight; returns 1 where a slot was added, 0 where the bone had one. */
function insert(
  bone: number,
  weight: number,
  bones: Uint16Array,
  weights: Float32Array,
  at: number,
  used: number,
): number {
  let s = 0;
  while (s < used && bones[at + s] !== bone) s++;
  const added = s === used ? 1 : 0;
  let total = added ? weight : weights[at + s] + weight;
  total = Math.fround(total);
  while (s > 0 && weights[at + s - 1] < total) {
    bones[at + s] = bones[at + s - 1];
    weights[at + s] = weights[at + s - 1];
    s--;
  }
  bones[at + s] = bone;
  weights[at + s] = total;
  return added;
}
