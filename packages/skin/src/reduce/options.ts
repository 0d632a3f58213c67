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
  /** q, number of virtual bones; `auto` for 2n/c, which costs four blends per vertex. */
  readonly virtual: number | 'auto';
  /** c, maximum master bones of a virtual bone; `auto` for one more than any vertex of the input has. */
  readonly blends: number | 'auto';
  /** What the error is measured on: the deformed shapes, or the weights alone. */
  readonly judge: 'shapes' | 'weights';
}

export const TWO_LAYER_DEFAULTS: TwoLayerOptions = { virtual: 'auto', blends: 'auto', judge: 'shapes' };

export interface BakeOptions {
  /** Whether the master bones stay in the rig, behind the virtual ones and without vertices of their own. */
  readonly masters: 'keep' | 'drop';
}

export const BAKE_DEFAULTS: BakeOptions = { masters: 'drop' };

export interface ReduceBonesOptions {
  /** Number of bones to keep; undefined keeps all. */
  readonly count: number | undefined;
  /** Whether the remaining bones, and the rest pose with them, may move. */
  readonly bones: 'refit' | 'keep';
}

export const REDUCE_BONES_DEFAULTS: ReduceBonesOptions = { count: undefined, bones: 'refit' };

export interface RoundWeightsOptions {
  /** L: weights become multiples of 1/L; 255 for bytes. */
  readonly levels: number;
  /** Whether the bones, and the rest pose with them, may move. */
  readonly bones: 'refit' | 'keep';
}

export const ROUND_WEIGHTS_DEFAULTS: RoundWeightsOptions = { levels: 255, bones: 'refit' };

export interface ThinKeysOptions {
  /** E_RMS that may not be exceeded; where it is exceeded with all keys already, all stay. */
  readonly maxError: number;
}

export const THIN_KEYS_DEFAULTS: ThinKeysOptions = { maxError: 1 };

export interface FindLoopOptions {
  /** Difference between two frames that counts as none, as E_RMS. */
  readonly tolerance: number;
}

export const FIND_LOOP_DEFAULTS: FindLoopOptions = { tolerance: 0.2 };
