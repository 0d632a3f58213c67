/**
 * Blends poses of a character without a skeleton, given as numbers of its pose space: y = Σᵢ wᵢ yᵢ. What the numbers mean,
 * and how the skin follows, is known to the space alone.
 */
import { InputError, type Registration, UsageError } from '@pelt/model';
import type { PuppetOptions } from '../options.ts';
import type { Interpolation } from './interpolate.ts';

/** What a character without a skeleton is posed by; `createPoseSpace` of @pelt/skin/pose makes one of a poser. */
export interface ShapeSpace {
  /** Numbers of a pose. */
  readonly size: number;
  /** The controls of a pose: `size` numbers to m × 12, overwritten. */
  pose(pose: Float64Array, out: Float64Array): void;
  /** Where a pose, m × 12, has the middle of the body: 3 numbers, overwritten. */
  middle(transforms: Float64Array, out: Float64Array): void;
  /** Points all over the surface, and where a pose has them: `probes` × 3, overwritten. */
  readonly probes: number;
  locate(transforms: Float64Array, out: Float64Array): void;
  /** Diagonal of the box at rest. */
  readonly extent: number;
  /** What stands on the ground. */
  readonly feet: readonly {
    readonly name: string;
    readonly locate: (transforms: Float64Array, out: Float64Array) => void;
    readonly reach: (transforms: Float64Array, shift: Float64Array) => void;
  }[];
}

export class ShapeInterpolation implements Interpolation {
  readonly #space: ShapeSpace;
  /** N of `size` numbers */
  readonly #poses: readonly Float64Array[];
  /** The blend that was asked for last. */
  readonly target: Float64Array;

  constructor(space: ShapeSpace, { name, pairs }: Registration) {
    this.#space = space;
    this.target = new Float64Array(space.size);
    this.#poses = pairs.map((pair) => {
      const { shape } = pair.character;
      if (shape?.length === space.size) return shape;
      throw new InputError(
        `pairs '${name}': pair '${pair.name}' has ${shape?.length ?? 0} numbers of a shape, and the pose space of the ` +
          `character ${space.size}; resolve the pairs for this character`,
      );
    });
  }

  interpolate(weights: Float64Array, out: Float64Array): void {
    this.aim(weights);
    this.#space.pose(this.target, out);
  }

  /** Sets `target`, without the pose of it. */
  aim(weights: Float64Array): void {
    const sum = this.target.fill(0);
    for (let i = 0; i < this.#poses.length; i++) {
      if (weights[i] === 0) continue;
      const pose = this.#poses[i];
      for (let k = 0; k < sum.length; k++) sum[k] += weights[i] * pose[k];
    }
  }
}

/** Options that need bones. */
export function checkShapeOptions({ base, parts, interpolation, loose }: PuppetOptions): void {
  const refuse = (what: string, cure: string) => {
    throw new UsageError(`createPuppet: ${what} needs a skeleton, and the character has shapes alone; ${cure}`);
  };
  if (base === 'direct') refuse("base 'direct'", "give 'pairs'");
  if (parts !== 'whole') refuse('parts', "give 'whole'");
  if (interpolation === 'linear') refuse("interpolation 'linear'", 'leave it out: the pose space interpolates');
  if (loose.length > 0) refuse('loose', 'leave it out');
}
