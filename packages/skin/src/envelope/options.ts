/** Options of learnt skin and of its reduction, with their defaults. */

/**
 * `improved`: rotational regression with free linear maps. `thesis`: rotational regression as printed. The rivals are
 * `psd` (pose space deformation) and `ssd` (linear blend skinning with weights fitted to the examples).
 */
export type EnvelopeMethod = 'improved' | 'thesis' | 'psd' | 'ssd';

/** Options of `trainEnvelope`. */
export interface EnvelopeOptions {
  readonly method: EnvelopeMethod;
  /** Training frames, as indices from 0; undefined for all frames. */
  readonly frames: readonly number[] | undefined;
  /** Most bones per vertex of the linear blend. */
  readonly weights: number;
  /** Add displacements on top, so that the training examples are met exactly. */
  readonly correction: boolean;
  /** κ, weight of the regulariser towards pose space deformation; `auto` chooses it by cross-validation. */
  readonly pull: number | 'auto';
  /** RMS error of linear blending, relative to the model's size, below which a vertex keeps to it. */
  readonly tolerance: number | 'auto';
  /** Fraction of every bone's vertices that keeps to linear blending in any case. */
  readonly heldShare: number | 'auto';
  /** Fall back to pose space deformation where its cross-validation error is lower. */
  readonly fallback: boolean;
}

export const ENVELOPE_DEFAULTS: EnvelopeOptions = {
  method: 'improved',
  frames: undefined,
  weights: 4,
  correction: true,
  pull: 'auto',
  tolerance: 'auto',
  heldShare: 'auto',
  fallback: true,
};

/** Options of `trainAddedJoints`. */
export interface AddedJointsOptions {
  /** Training frames, as indices from 0; undefined for all frames. */
  readonly frames: readonly number[] | undefined;
  /** Most bones per vertex. */
  readonly weights: number;
}

export const ADDED_JOINTS_DEFAULTS: AddedJointsOptions = { frames: undefined, weights: 4 };

/** Options of `reduceEnvelope`. */
export interface ReduceEnvelopeOptions {
  /** P, number of proxy bones, where `maxError` is undefined. */
  readonly proxies: number;
  /** E_RMS from the full skin, at poses between the examples, to reach with as few proxies as possible. */
  readonly maxError: number | undefined;
  /** Most proxies that the search for `maxError` tries. */
  readonly mostProxies: number;
  /** L, most key gradients. They cost nothing per vertex, and a small model runs out of them first. */
  readonly keys: number;
  /** Most proxy bones per vertex. */
  readonly weights: number;
  /** Number of poses at which the full skin is sampled. */
  readonly samples: number;
  /** Keep the displacements of the full skin, so that its training examples are met. */
  readonly correction: boolean;
}

export const REDUCE_ENVELOPE_DEFAULTS: ReduceEnvelopeOptions = {
  proxies: 30,
  maxError: undefined,
  mostProxies: 256,
  keys: 120,
  weights: 4,
  samples: 40,
  correction: true,
};

/** Options of `createEnvelopeDeformer` and `createReducedDeformer`. */
export interface EnvelopeDeformerOptions {
  /** Add the displacements that make the training examples exact. */
  readonly correction: boolean;
}

export const ENVELOPE_DEFORMER_DEFAULTS: EnvelopeDeformerOptions = { correction: true };
