/** Options of sliders, with their defaults. */

/** Options of `fitSliders`. */
export interface SliderOptions {
  /** Number of bones, the first of which holds what no slider moves. Fewer are returned where the mesh has fewer vertices. */
  readonly bones: number;
  /** K, maximum weights per vertex. */
  readonly weights: number;
  /** Share of the numbers in the sliders' maps that are zero: what is kept is stored and summed per frame. */
  readonly zeros: number;
  /**
   * The largest error, in multiples of the RMS error, that bones leave without a correction: what exceeds it is stored
   * per vertex. Infinity for no corrections.
   */
  readonly correctAbove: number;
  /**
   * Price of a weight, in mean squared errors of a vertex: weights that lower the error by less are left out, since each
   * costs bytes. 0 for as many as lower the error at all.
   */
  readonly weightPrice: number;
}

export const SLIDER_DEFAULTS: SliderOptions = {
  bones: 40,
  weights: 8,
  zeros: 0.85,
  correctAbove: 12,
  weightPrice: 0.05,
};
