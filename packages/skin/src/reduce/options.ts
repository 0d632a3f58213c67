/** Options of the reductions, and their defaults. */

export interface RefitOptions {
  /** `refit` moves bones, and the rest pose with them, to where the reduced weights fit best; `keep` leaves both. */
  readonly bones: 'refit' | 'keep';
  /** Most rounds of weights and bones. */
  readonly rounds: number;
  /** How much the rig's rest pose counts, in frames; Infinity keeps it. */
  readonly restStiffness: number;
}

export const REFIT_DEFAULTS: RefitOptions = { bones: 'refit', rounds: 60, restStiffness: 1 };

export const WEIGHT_METHODS = ['refit', 'k-largest', 'smooth', 'geometric', 'poisson'] as const;

export type WeightMethod = (typeof WEIGHT_METHODS)[number];

export interface ReduceWeightsOptions extends RefitOptions {
  readonly method: WeightMethod;
  /** K, most weights a vertex. */
  readonly weights: number;
}

export const REDUCE_WEIGHTS_DEFAULTS: ReduceWeightsOptions = { method: 'refit', weights: 4, ...REFIT_DEFAULTS };

export interface TwoLayerOptions {
  /** q, how many virtual bones; 0 for 2n/c, which costs four blends a vertex. */
  readonly virtual: number;
  /** c, most master bones of a virtual bone; 0 for one more than any vertex of the input has. */
  readonly blends: number;
  /** What is kept: the shapes, or the weights alone. */
  readonly judge: 'shapes' | 'weights';
}

export const TWO_LAYER_DEFAULTS: TwoLayerOptions = { virtual: 0, blends: 0, judge: 'shapes' };
