import { InputError, type SkinWeights, WEIGHT_SUM_TOLERANCE } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import type { Binding } from './bind-bones.ts';
import type { VertexBlock } from './read-blocks.ts';

/**
 * The weights of all vertices over the merged bones, as the model wants them: a bone once a vertex, largest weight
 * first, sum 1, as few slots as the widest vertex needs. Files get all of that wrong, and are mended as viewers do.
 */
const SLOTS_PER_SET = 4;
/** More bones than this at one vertex are an error of some tool, and would cost every vertex as many slots. */
const MAX_SLOTS = 32;
/** Sums further from 1 than this are worth a warning; nearer ones are an exporter's rounding. */
const VISIBLE_ERROR = 1e-2;

export function bindWeights(blocks: readonly VertexBlock[], binding: Binding, warnings: WarningTally): SkinWeights {
  const bound = blocks.map((block, b) =>
    block.skin < 0 ? bindToOne(block, binding.boneIndices[b][0]) : bindSkin(block, binding.boneIndices[b], warnings),
  );
  const slots = bound.reduce((most, { used }) => Math.max(most, used), 1);
  const vertices = blocks.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const bones = new Uint16Array(vertices * slots);
  const weights = new Float32Array(vertices * slots);
  let next = 0;
  for (const block of bound) {
    const kept = Math.min(block.slots, slots);
    for (let at = 0; at < block.bones.length; at += block.slots, next += slots) {
      bones.set(block.bones.subarray(at, at + kept), next);
      weights.set(block.weights.subarray(at, at + kept), next);
    }
  }
  return { slots, bones, weights };
}

interface BoundBlock extends SkinWeights {
  /** Slots that its widest vertex uses. */
  readonly used: number;
}

function bindToOne({ positions }: VertexBlock, bone: number): BoundBlock {
  const n = positions.length / 3;
  return { slots: 1, used: 1, bones: new Uint16Array(n).fill(bone), weights: new Float32Array(n).fill(1) };
}

function bindSkin(block: VertexBlock, own: Uint16Array, warnings: WarningTally): BoundBlock {
  const n = block.positions.length / 3;
  const slots = Math.min(SLOTS_PER_SET * block.joints.length, MAX_SLOTS);
  const bones = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  const row = new WeightRow(SLOTS_PER_SET * block.joints.length);
  let used = 1;
  for (let i = 0; i < n; i++) {
    gather(block, i, own, row, warnings);
    if (row.used > MAX_SLOTS) warnings.add(`of more than ${MAX_SLOTS} bones at a vertex the largest weights are kept`);
    const kept = Math.min(row.used, slots);
    const sum = row.weights.subarray(0, kept).reduce((total, weight) => total + weight, 0);
    const divisor = Math.abs(sum - 1) > WEIGHT_SUM_TOLERANCE * kept ? sum : 1;
    if (Math.abs(sum - 1) > VISIBLE_ERROR) warnings.add('weights that do not sum to 1 are scaled to do so');
    for (let s = 0; s < kept; s++) {
      bones[i * slots + s] = row.bones[s];
      weights[i * slots + s] = row.weights[s] / divisor;
    }
    used = Math.max(used, kept);
  }
  return { slots, used, bones, weights };
}

/** All weights of one vertex. */
function gather(block: VertexBlock, i: number, own: Uint16Array, row: WeightRow, warnings: WarningTally): void {
  row.used = 0;
  for (let set = 0; set < block.joints.length; set++) {
    for (let s = i * SLOTS_PER_SET; s < (i + 1) * SLOTS_PER_SET; s++) {
      const weight = block.weights[set][s];
      if (weight < 0) warnings.add('negative weights count as 0');
      if (!(weight > 0)) continue;
      const joint = block.joints[set][s];
      if (joint >= own.length) {
        throw new InputError(
          `vertex ${i} of nodes[${block.node}] names joint ${joint}, but its skin has ${own.length}`,
        );
      }
      if (row.has(own[joint])) warnings.add('a joint that a vertex names twice counts with the sum of its weights');
      row.add(own[joint], weight);
    }
  }
  if (row.used > 0) return;
  warnings.add('vertices without weights follow the first of their joints');
  const joint = block.joints[0][i * SLOTS_PER_SET];
  row.add(own[joint < own.length ? joint : 0], 1);
}

/** Bones of one vertex, each once, largest weight first. */
class WeightRow {
  used = 0;
  readonly bones: Uint16Array;
  readonly weights: Float32Array;

  constructor(capacity: number) {
    this.bones = new Uint16Array(capacity);
    this.weights = new Float32Array(capacity);
  }

  has(bone: number): boolean {
    for (let s = 0; s < this.used; s++) if (this.bones[s] === bone) return true;
    return false;
  }

  add(bone: number, weight: number): void {
    let s = 0;
    while (s < this.used && this.bones[s] !== bone) s++;
    const total = Math.fround(s < this.used ? this.weights[s] + weight : weight);
    if (s === this.used) this.used++;
    for (; s > 0 && this.weights[s - 1] < total; s--) {
      this.bones[s] = this.bones[s - 1];
      this.weights[s] = this.weights[s - 1];
    }
    this.bones[s] = bone;
    this.weights[s] = total;
  }
}
