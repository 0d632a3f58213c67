/** Options of the reduction methods, with their defaults. */

import type { ReducePlan } from './plan.ts';

/** Numbers of the search that differ from `REDUCE_PLAN`, for tests and measurements. */
export interface ReduceSearch {
  readonly search: Partial<ReducePlan>;
}

/** Options of refitting bones to reduced weights. */
export interface RefitOptions extends ReduceSearch {
  /** `refit` solves for bones and rest pose as well; `keep` leaves both unchanged. */
  readonly bones: 'refit' | 'keep';
  /** Maximum number of rounds of weights and bones. */
  readonly rounds: number;
  /** Weight of the rig's rest pose, counted in frames; Infinity fixes it. */
  readonly restStiffness: number;
}

export const REFIT_DEFAULTS: RefitOptions = { bones: 'refit', rounds: 60, restStiffness: 1, search: {} };

/** Names of the one-layer methods, as on the command line; the first is the default. */
export const WEIGHT_METHODS = ['refit', 'k-largest', 'smooth', 'geometric', 'poisson'] as const;

export type WeightMethod = (typeof WEIGHT_METHODS)[number];

/** Options of `reduceWeights`. */
export interface ReduceWeightsOptions extends RefitOptions {
  readonly method: WeightMethod;
  /** K, maximum weights per vertex. */
  readonly weights: number;
}

export const REDUCE_WEIGHTS_DEFAULTS: ReduceWeightsOptions = { method: 'refit', weights: 4, ...REFIT_DEFAULTS };

/** Options of `reduceTwoLayer`. */
export interface TwoLayerOptions {
  /** q, number of virtual bones; `auto` for 2n/c, which costs four blends per vertex. */
  readonly virtual: number | 'auto';
  /** c, maximum master bones of a virtual bone; `auto` for one more than any vertex of the input has. */
  readonly blends: number | 'auto';
  /** What the factorisation minimises: the error of the deformed shapes, or that of the weights. */
  readonly objective: 'shapes' | 'weights';
}

export const TWO_LAYER_DEFAULTS: TwoLayerOptions = { virtual: 'auto', blends: 'auto', objective: 'shapes' };

/** Options of `bakeVirtualBones`. */
export interface BakeOptions {
  /** Whether the master bones stay in the rig, behind the virtual ones and without vertices of their own. */
  readonly masters: 'keep' | 'drop';
}

export const BAKE_DEFAULTS: BakeOptions = { masters: 'drop' };

/** Options of `reduceBones`. */
export interface ReduceBonesOptions extends ReduceSearch {
  /** Number of bones to keep; undefined keeps all. */
  readonly count: number | undefined;
  /** Whether the remaining bones, and the rest pose with them, may move. */
  readonly bones: 'refit' | 'keep';
}

export const REDUCE_BONES_DEFAULTS: ReduceBonesOptions = { count: undefined, bones: 'refit', search: {} };

/** Options of `roundWeights`. */
export interface RoundWeightsOptions extends ReduceSearch {
  /** L: weights become multiples of 1/L; 255 for bytes. */
  readonly levels: number;
  /** Whether the bones, and the rest pose with them, may move. */
  readonly bones: 'refit' | 'keep';
}

export const ROUND_WEIGHTS_DEFAULTS: RoundWeightsOptions = { levels: 255, bones: 'refit', search: {} };

/** Options of `findLoop`. */
export interface FindLoopOptions {
  /** Maximum difference between equal frames: root mean square per coordinate, in thousandths of the enclosing radius. */
  readonly tolerance: number;
}

export const FIND_LOOP_DEFAULTS: FindLoopOptions = { tolerance: 0.2 };
