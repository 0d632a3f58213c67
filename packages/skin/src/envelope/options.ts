/** Options of learnt skin, and their defaults. */

export type EnvelopeMethod = 'improved' | 'thesis' | 'psd' | 'ssd';

export interface EnvelopeOptions {
  /** `improved` or `thesis` predictors; the rivals `psd` (pose space deformation) and `ssd` (linear blending). */
  readonly method: EnvelopeMethod;
  /** Bones a vertex of the linear blend. */
  readonly weights: number;
  /** Displacements on top, so that the examples are met exactly. */
  readonly correction: boolean;
  /** κ, pull towards pose space deformation; −1 chooses it by leaving examples out. */
  readonly pull: number;
  /** Vertices stay with a linear blend whose error, relative to the model's size, is below this; −1 chooses it. */
  readonly tolerance: number;
  /** Share of every bone's vertices that stays with the linear blend in any case; −1 chooses it. */
  readonly heldShare: number;
  /** Use pose space deformation instead, where it does better on examples left out. */
  readonly fallback: boolean;
}

export const ENVELOPE_DEFAULTS: EnvelopeOptions = {
  method: 'improved',
  weights: 4,
  correction: true,
  pull: -1,
  tolerance: -1,
  heldShare: -1,
  fallback: true,
};

export interface ReduceEnvelopeOptions {
  /** P, proxy bones; the most where `maxError` is given. */
  readonly proxies: number;
  /** E_RMS from the full skin, between the examples, to reach with few proxies; Infinity for none. */
  readonly maxError: number;
  /** L, key gradients at most. They cost nothing a vertex, and are what a small model runs out of first. */
  readonly keys: number;
  /** Proxy bones a vertex. */
  readonly weights: number;
  /** Poses at which the skin is looked at. */
  readonly samples: number;
  /** Displacements on top where the full skin has them, so that its examples are met. */
  readonly correction: boolean;
}

export const REDUCE_ENVELOPE_DEFAULTS: ReduceEnvelopeOptions = {
  proxies: 30,
  maxError: Number.POSITIVE_INFINITY,
  keys: 120,
  weights: 4,
  samples: 40,
  correction: true,
};
