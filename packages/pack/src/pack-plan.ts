/**
 * How many bits everything gets: minimise the bytes of a file, subject to a mean squared distance of its surface in every
 * clip. Positions, displacements and weights count in all clips, curves in their own; what an error in each of them moves
 * is the surface model's.
 *
 * One budget for the frames of all clips together would save 1 % of some files, and leave a clip of two keys beside one
 * of a hundred with several times the error.
 */

import type { GltfAsset, GltfChannel } from '@pelt/io/internal';
import type { MeshoptEncoder } from 'meshoptimizer/encoder';
import { Allocator, type Choice, commonBudget, oneOf, type Picked } from './allocate.ts';
import { ClipChoice, type ClipCoding } from './clip-choice.ts';
import { exponentBelow } from './exponential.ts';
import type { FilePrimitive, VertexArray } from './file-primitives.ts';
import { GridCost } from './grid-cost.ts';
import { roundWeights } from './quantise-weights.ts';
import { type SkinRows, skinRows } from './skin-rows.ts';
import type { SurfaceModel } from './surface-model.ts';

export interface PackedWeights extends SkinRows {
  /** n × slots whole numbers; a row sums to `whole` */
  readonly values: Uint16Array;
  readonly whole: 255 | 65535;
}

export interface PackPlan {
  /** For each primitive the exponent of the steps of its positions. */
  readonly positions: readonly number[];
  /** For each primitive and morph target the same. */
  readonly targets: readonly (readonly number[])[];
  readonly weights: readonly (PackedWeights | undefined)[];
  /** For each animation. */
  readonly clips: readonly ClipCoding[];
}

/** Bits below the size of what they are steps of: the coarsest and the finest grid. */
const [COARSEST, FINEST] = [5, 22];
/** Weights as bytes, or in 16 bits with 12 that count. */
const WEIGHT_FORMATS = [
  { whole: 255, step: 1, bytes: 2.2 },
  { whole: 65535, step: 16, bytes: 4.4 },
] as const;
/** A morph target that no clip uses may be used at run time: its weight counts as this, squared. */
const LEAST_USE = 0.05;

export class PackPlanner {
  /** For each primitive how many morph targets it has. */
  readonly #targets: readonly number[];
  /** Positions of all primitives, then displacements, then weights. */
  readonly #common: Allocator<unknown>;
  readonly #clips: readonly Allocator<ClipCoding>[];

  /** @param encoder  for which numbers are rounded; absent: only keys are left out */
  constructor(
    asset: GltfAsset,
    primitives: readonly FilePrimitive[],
    model: SurfaceModel,
    encoder: typeof MeshoptEncoder | undefined,
  ) {
    const n = model.vertices;
    const rounded = encoder ? primitives : [];
    const costs = encoder ? rounded.map((primitive) => new GridCost(encoder, primitive)) : [];
    const shown = rounded.map(({ ranges, source }) =>
      ranges.reduce((sum, { scale }) => sum + (source.length * scale * scale) / n, 0),
    );
    const positions = rounded.map((primitive, k) =>
      gridChoice(primitive.attributes.get('POSITION'), model.size, primitive, shown[k], costs[k]),
    );
    const targets = rounded.map((primitive, k) => {
      const uses = targetUses(asset, primitive);
      return primitive.targets.map((target, r) =>
        gridChoice(target.get('POSITION'), model.size, primitive, shown[k] * uses[r], costs[k]),
      );
    });
    const weights = rounded.map((primitive) => weightChoice(asset, primitive, model));
    this.#targets = targets.map(({ length }) => length);
    this.#common = new Allocator([...positions, ...targets.flat(), ...weights]);
    this.#clips = asset.animations.map((animation) => {
      const stakes = animation.channels.map((channel) => ({
        rest: restOf(channel, asset),
        unit: unitOf(channel, asset, model) / n,
      }));
      return new Allocator([new ClipChoice(animation, stakes)]);
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
    const positions = take<number>(primitives);
    const targets = this.#targets.map((count) => take<number>(count));
    const weights = take<PackedWeights | undefined>(primitives);
    const clips = this.#clips.map((clip, c) => clip.within(errors[c] - common)[0].value);
    return { positions, targets, weights, clips };
  }
}

/** Steps of a grid for the coordinates of an attribute. */
function gridChoice(
  array: VertexArray | undefined,
  size: number,
  { ranges }: FilePrimitive,
  unit: number,
  cost: GridCost,
): Choice<unknown> {
  const scale = ranges.reduce((most, range) => Math.max(most, range.scale), 0) || 1;
  const finest = exponentBelow(size / scale / 2 ** FINEST);
  const options: Picked<number>[] = [];
  for (let e = finest; e <= finest + FINEST - COARSEST; e++) {
    const step = 2 ** e;
    options.push({ value: e, bytes: array ? cost.bytes(array, e) : 0, error: array ? (unit * step * step) / 4 : 0 });
  }
  return oneOf(options);
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

function weightChoice(asset: GltfAsset, primitive: FilePrimitive, model: SurfaceModel): Choice<unknown> {
  const rows = skinRows(primitive);
  if (!rows) return oneOf([{ value: undefined, bytes: 0, error: 0 }]);
  const range = primitive.ranges.find(({ skin }) => skin >= 0);
  const bones = rows.joints.map((joint) => range?.bones[joint] ?? 0);
  const positions = new Float32Array(3 * primitive.source.length);
  primitive.source.forEach((from, i) => {
    const at = 3 * ((range?.firstVertex ?? 0) + from);
    positions.set(asset.mesh.positions.subarray(at, at + 3), 3 * i);
  });
  return oneOf(
    WEIGHT_FORMATS.map(({ whole, step, bytes }) => {
      const { values, error } = roundWeights(rows.weights, bones, positions, rows.slots, whole, step, model);
      const sets = rows.slots / 4;
      return {
        value: { ...rows, values, whole },
        bytes: bytes * sets * primitive.source.length,
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
