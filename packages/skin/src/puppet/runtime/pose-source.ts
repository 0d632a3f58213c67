import type { BodyFrame } from './body-frame.ts';
import type { JointFilter } from './one-euro.ts';

/** What is known of the performer in a frame. */
export interface Performance {
  readonly filter: JointFilter;
  readonly frame: BodyFrame;
  /** Whether hips and shoulders have been seen. */
  placed: boolean;
}

/** Poses a character by a performer's joints. */
export interface PoseSource {
  /** Names of the P parts that are projected independently. */
  readonly parts: readonly string[];
  /** Names of the performer's joints that are used. */
  readonly joints: readonly string[];
  /** P × N weights of the last update. */
  readonly weights: Float64Array;
  /**
   * @param seconds  since the last frame
   * @param out      m × 12; overwritten
   */
  update(performance: Performance, seconds: number, out: Float64Array): void;
  /** The pose for `weights`. */
  blend(out: Float64Array): void;
  /** The next frame starts a new performance. */
  reset(): void;
}
