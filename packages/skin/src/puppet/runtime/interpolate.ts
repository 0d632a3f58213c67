import type { KinematicValues } from './kinematic-values.ts';

/** Computes the character's pose for given weights. */
export interface Interpolation {
  /**
   * @param weights  P × N weights, one row per part
   * @param out      m × 12 transforms, row-major 3 × 4, rest → pose; overwritten
   */
  interpolate(weights: Float64Array, out: Float64Array): void;
}

/** Input of an interpolation. */
export interface InterpolationInput {
  /** N poses, m × 12 each */
  readonly poses: readonly Float64Array[];
  readonly neutral: number;
  /** m × N × P; see PoseBlend */
  readonly shares: Float64Array;
  /** The same poses, each bone relative to its parent. */
  readonly values: KinematicValues;
}
