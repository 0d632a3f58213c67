import type { KinematicValues } from './kinematic-values.ts';

/** What both ways of making a character's pose from weights do. */
export interface Interpolation {
  /**
   * @param weights  P × N, a set of weights for each part
   * @param out      m × 12 transforms, row-major 3 × 4, rest → pose; overwritten
   */
  interpolate(weights: Float64Array, out: Float64Array): void;
}

/** What an interpolation is made from. */
export interface InterpolationInput {
  /** N × (m × 12) */
  readonly poses: readonly Float64Array[];
  readonly neutral: number;
  /** m × N × P; see PoseBlend */
  readonly shares: Float64Array;
  /** The same poses, bone by bone against the parents. */
  readonly values: KinematicValues;
}
