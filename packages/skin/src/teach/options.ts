/** Options of poses that a teacher solves, with their defaults. */

/** Options of `teachPoses`. */
export interface TeachOptions {
  /** S, poses to learn from, besides the rest pose. */
  readonly poses: number;
  /** Poses that are solved to be left out: drawn at random from the same ranges. */
  readonly heldOut: number;
  /** Degrees by which a joint that no given pose moves turns each way; 0 leaves it at rest. */
  readonly range: number;
}

export const TEACH_DEFAULTS: TeachOptions = { poses: 32, heldOut: 8, range: 0 };
