/** Options of learnt skin and of its reduction, with their defaults. */

/**
 * `linear-maps`: rotational regression with a free linear map per joint. `wang`: rotational regression as printed (Wang,
 * Pulli, Popović 2007). The rivals are `psd` (pose space deformation) and `ssd` (linear blend skinning with weights fitted
 * to the examples).
 */
export type EnvelopeMethod = 'linear-maps' | 'wang' | 'psd' | 'ssd';

/** Options of `trainEnvelope`. */
export interface EnvelopeOptions {
  readonly method: EnvelopeMethod;
  /** Training frames, as indices from 0; undefined for all frames. */
  readonly frames: readonly number[] | undefined;
  /** Most bones per vertex of the linear blend. */
  readonly weights: number;
  /** Add displacements on top, so that the training examples are met exactly; cross-validation may drop them. */
  readonly correction: boolean;
  /** κ, weight of the regulariser towards pose space deformation; `auto` chooses it by cross-validation. */
  readonly pull: number | 'auto';
  /** RMS error of linear blending, relative to the model's size, below which a vertex keeps to it. */
  readonly tolerance: number | 'auto';
  /** Fraction of every bone's vertices that keeps to linear blending in any case. */
  readonly heldShare: number | 'auto';
  /** Fall back to pose space deformation, or to added joints, where their cross-validation error is lower. */
  readonly fallback: boolean;
}

export const ENVELOPE_DEFAULTS: EnvelopeOptions = {
  method: 'linear-maps',
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

/**
 * How proxies and keys are found. `affine-bones`: proxies by a decomposition into affine bones, keys among the predictors
 * of the full skin. `wang`: as published, by joining groups of triangles, with new predictors for as many keys as proxies.
 */
export type EnvelopeReduction = 'affine-bones' | 'wang';

/** Options of `reduceEnvelope`. */
export interface ReduceEnvelopeOptions {
  readonly method: EnvelopeReduction;
  /** P, number of proxy bones, where `maxError` is undefined; `auto` is three per bone, and 30 at least. */
  readonly proxies: number | 'auto';
  /** E_RMS from the full skin, at poses between the examples, to reach with as few proxies as possible. */
  readonly maxError: number | undefined;
  /** Most proxies that the search for `maxError` tries. */
  readonly mostProxies: number;
  /** L, most key gradients, which cost nothing per vertex; `auto` is eight per bone, and 120 at least. Not of `wang`. */
  readonly keys: number | 'auto';
  /** Most proxy bones per vertex. */
  readonly weights: number;
  /** Number of poses at which the full skin is sampled. */
  readonly samples: number;
  /** Keep the displacements of the full skin, so that its training examples are met. */
  readonly correction: boolean;
  /** RMS distance that the principal displacements may be off at the examples, relative to the model's size. */
  readonly displacementTolerance: number;
}

export const REDUCE_ENVELOPE_DEFAULTS: ReduceEnvelopeOptions = {
  method: 'affine-bones',
  proxies: 'auto',
  maxError: undefined,
  mostProxies: 256,
  keys: 'auto',
  weights: 4,
  samples: 96,
  correction: true,
  displacementTolerance: 1e-4,
};

/** Options of `createEnvelopeDeformer` and `createReducedDeformer`. */
export interface EnvelopeDeformerOptions {
  /** Add the displacements that make the training examples exact. */
  readonly correction: boolean;
}

export const ENVELOPE_DEFORMER_DEFAULTS: EnvelopeDeformerOptions = { correction: true };
