/**
 * How many bits everything gets: minimise the bytes of a file, subject to a mean squared distance of its surface in every
 * clip. Positions, displacements and weights count in all clips, curves in their own; what an error in each of them moves
 * is the surface model's.
 *
 * One budget for the frames of all clips together would save 1 % of some files, and leave a clip of two keys beside one
 * of a hundred with several times the error.
 */

import type { GltfAsset, GltfChannel } from '@pelt/io/internal';
import { Allocator, type Choice, commonBudget, oneOf, type Picked } from './allocate.ts';
import { ClipChoice, type ClipCoding } from './clip-choice.ts';
import type { Codec } from './codec.ts';
import { exponentBelow } from './exponential.ts';
import type { FilePrimitive, VertexArray } from './file-primitives.ts';
import { GridCost } from './grid-cost.ts';
import { roundWeights } from './quantise-weights.ts';
import { skinColumns } from './skin-columns.ts';
import { type SkinRows, skinRows } from './skin-rows.ts';
import type { SurfaceModel } from './surface-model.ts';

export interface PackedWeights extends SkinRows {
  /** n × slots whole numbers; a row sums to `whole` */
  readonly values: Uint16Array;
  readonly whole: 255 | 65535;
}

export interface PackPlan {
  /** For each primitive the exponents of the steps of its positions, an axis each. */
  readonly positions: readonly (readonly number[])[];
  /** For each primitive and morph target the same. */
  readonly targets: readonly (readonly (readonly number[])[])[];
  readonly weights: readonly (PackedWeights | undefined)[];
  /** For each animation. */
  readonly clips: readonly ClipCoding[];
}

const AXES = 3;
/** Bits below the size of what they are steps of: the coarsest and the finest grid. */
const [COARSEST, FINEST] = [5, 22];
/**
 * Weights as bytes, with 7 or 8 bits that count, or in 16 bits with 10 or 12. Fewer would do in the poses of most clips,
 * but not in others that a rig is put into at run time.
 */
const WEIGHT_FORMATS = [
  { whole: 255, step: 2 },
  { whole: 255, step: 1 },
  { whole: 65535, step: 64 },
  { whole: 65535, step: 16 },
] as const;
/** A morph target that no clip uses may be used at run time: its weight counts as this, squared. */
const LEAST_USE = 0.05;

export class PackPlanner {
  /** For each primitive how many morph targets it has. */
  readonly #targets: readonly number[];
  /** Positions of all primitives, then displacements, then weights. */
  readonly #common: Allocator<unknown>;
  readonly #clips: readonly Allocator<ClipCoding>[];

  /** @param codec  for which numbers are rounded; absent: only keys are left out */
  constructor(asset: GltfAsset, primitives: readonly FilePrimitive[], model: SurfaceModel, codec: Codec | undefined) {
    const n = model.vertices;
    const rounded = codec ? primitives : [];
    const costs = codec ? rounded.map((primitive) => new GridCost(codec, primitive)) : [];
    const shown = rounded.map(({ ranges, source }) =>
      ranges.reduce((sum, { scale }) => sum + (source.length * scale * scale) / n, 0),
    );
    const positions = rounded.flatMap((primitive, k) =>
      gridChoices(primitive.attributes.get('POSITION'), model.size, primitive, shown[k], costs[k]),
    );
    const targets = rounded.map((primitive, k) => {
      const uses = targetUses(asset, primitive);
      return primitive.targets.flatMap((target, r) =>
        gridChoices(target.get('POSITION'), model.size, primitive, shown[k] * uses[r], costs[k]),
      );
    });
    const weights = rounded.map((primitive, k) => weightChoice(asset, primitive, model, costs[k]));
    this.#targets = rounded.map((primitive) => primitive.targets.length);
    this.#common = new Allocator([...positions, ...targets.flat(), ...weights]);
    this.#clips = asset.animations.map((animation) => {
      const stakes = animation.channels.map((channel) => ({
        rest: restOf(channel, asset),
        unit: unitOf(channel, asset, model) / n,
      }));
      return new Allocator([new ClipChoice(animation, stakes, codec?.costs)]);
    });
  }

  /** @param errors  mean squared distance in each clip, or at rest where there are none */
  plan(errors: readonly number[]): PackPlan {
    const common = this.#clips.length > 0 ? commonBudget(this.#common, this.#clips, errors) : errors[0];
    const picked = this.#common.within(common);
    let next = 0;
    const take = <T>(count: number) => {
      next += count;
      return (picked.slice(next - count, next) as Picked<T>[]).map(({ value }) => value);
    };
    const primitives = this.#targets.length;
    const grids = (count: number) => Array.from({ length: count }, () => take<number>(AXES));
    const positions = grids(primitives);
    const targets = this.#targets.map(grids);
    const weights = take<PackedWeights | undefined>(primitives);
    const clips = this.#clips.map((clip, c) => clip.within(errors[c] - common)[0].value);
    return { positions, targets, weights, clips };
  }
}

/** Steps of a grid for the coordinates of an attribute, for each axis. */
function gridChoices(
  array: VertexArray | undefined,
  size: number,
  { ranges }: FilePrimitive,
  unit: number,
  cost: GridCost,
): Choice<unknown>[] {
  const scale = ranges.reduce((most, range) => Math.max(most, range.scale), 0) || 1;
  const finest = exponentBelow(size / scale / 2 ** FINEST);
  return Array.from({ length: AXES }, (_, axis) => {
    const exponents = Array.from({ length: FINEST - COARSEST + 1 }, (_, k) => finest + k);
    const bytes = array && cost.bytes(array, axis, exponents);
    return oneOf(
      exponents.map((e, k): Picked<number> => {
        return { value: e, bytes: bytes ? bytes[k] : 0, error: array ? (unit * 4 ** e) / 12 : 0 };
      }),
    );
  });
}

/** For each morph target the mean of its squared weight over all frames. */
function targetUses({ scene, animations }: GltfAsset, { ranges, targets }: FilePrimitive): number[] {
  const sums = targets.map(() => 0);
  let keys = 0;
  for (const { node } of ranges) {
    for (const { channels } of animations) {
      const channel = channels.find((own) => own.node === node && own.path === 'weights');
      if (!channel || channel.interpolation === 'CUBICSPLINE') continue;
      keys += channel.times.length;
      channel.values.forEach((value, k) => {
        sums[k % channel.size] += value * value;
      });
    }
    const rest = scene.morphs.find((morph) => morph.node === node)?.restWeights ?? [];
    rest.forEach((value, r) => {
      sums[r] += value * value;
    });
    keys++;
  }
  return sums.map((sum) => Math.max(sum / Math.max(keys, 1), LEAST_USE));
}

function weightChoice(
  asset: GltfAsset,
  primitive: FilePrimitive,
  model: SurfaceModel,
  cost: GridCost,
): Choice<unknown> {
  const rows = skinRows(primitive);
  if (!rows) return oneOf([{ value: undefined, bytes: 0, error: 0 }]);
  const range = primitive.ranges.find(({ skin }) => skin >= 0);
  const bones = rows.joints.map((joint) => range?.bones[joint] ?? 0);
  const positions = new Float32Array(3 * primitive.source.length);
  primitive.source.forEach((from, i) => {
    const at = 3 * ((range?.firstVertex ?? 0) + from);
    positions.set(asset.mesh.positions.subarray(at, at + 3), 3 * i);
  });
  const rounded = roundWeights(rows.weights, bones, positions, rows.slots, WEIGHT_FORMATS, model);
  return oneOf(
    WEIGHT_FORMATS.map(({ whole }, k) => {
      const { values, error } = rounded[k];
      const value = { ...rows, values, whole };
      return {
        value,
        bytes: skinColumns(value, false).reduce((sum, column) => sum + cost.columnBytes(column), 0),
        error: range ? (error * primitive.ranges.length) / model.vertices : 0,
      };
    }),
  );
}

/** What is played without a channel. */
function restOf({ node, path, size }: GltfChannel, { scene }: GltfAsset): ArrayLike<number> {
  if (path !== 'weights') return scene.nodes[node].trs[path];
  const rest = scene.morphs.find((morph) => morph.node === node)?.restWeights ?? [];
  return Float64Array.from({ length: size }, (_, r) => rest[r] ?? 0);
}

/** What an error of one in a channel's numbers moves; of a rotation, of one radian about any axis. */
function unitOf({ node, path }: GltfChannel, { scene }: GltfAsset, model: SurfaceModel): number {
  // A turn about a random axis moves by two thirds of the squared distance, a stretch of one axis by a third.
  if (path === 'rotation') return (2 / 3) * model.turns[node];
  if (path === 'translation') return model.shifts[node];
  if (path === 'scale') {
    const scale = Math.max(...scene.nodes[node].trs.scale.map(Math.abs)) || 1;
    return model.turns[node] / (3 * scale * scale);
  }
  const moved = scene.morphs.filter((morph) => morph.node === node);
  const sums = moved.flatMap(({ targets }) =>
    targets.map((target) => target?.reduce((sum, value) => sum + value * value, 0) ?? 0),
  );
  const targets = moved[0]?.targets.length ?? 1;
  return sums.reduce((sum, value) => sum + value, 0) / targets || 1;
}
