/** Calibrates a live performer: the first second in which the performer stands says what is up and forward. */
import { CALIBRATION_DEFAULTS, type CalibrationOptions } from '../../options.ts';
import { calibratePerformer, type PerformerCalibration } from './calibrate-performer.ts';

/** Seconds of standing, and the share of them that must have come. */
const STANDS_FOR = 1;
const ENOUGH = 0.9;

interface SeenFrame {
  readonly positions: Float32Array;
  readonly confidence: Float32Array;
  readonly time: number;
}

/**
 * Frames as they come, until the performer has stood; whoever watches is told to stand straight.
 *
 * @example
 * {@includeCode ../../../../examples/live-calibration.ts}
 */
export class LiveCalibration {
  readonly #joints: readonly string[];
  readonly #options: CalibrationOptions;
  readonly #recent: SeenFrame[] = [];

  /** @param joints  J names */
  constructor(joints: readonly string[], options?: Partial<CalibrationOptions>) {
    this.#joints = joints;
    this.#options = { ...CALIBRATION_DEFAULTS, straight: true, ...options };
  }

  /**
   * @param positions   J × 3
   * @param confidence  J, 0 to 1; absent: all are trusted
   * @param time        seconds, increasing
   * @returns how the performer stood in the last second; undefined where that was not so
   */
  add(
    positions: Float32Array | Float64Array,
    confidence: Float32Array | Float64Array | undefined,
    time: number,
  ): PerformerCalibration | undefined {
    const recent = this.#recent;
    if (recent.length > 0 && !(time > recent[recent.length - 1].time)) recent.length = 0;
    recent.push({
      positions: Float32Array.from(positions),
      confidence: confidence ? Float32Array.from(confidence) : new Float32Array(this.#joints.length).fill(1),
      time,
    });
    while (recent.length > 1 && time - recent[0].time > STANDS_FOR) recent.shift();
    if (time - recent[0].time < ENOUGH * STANDS_FOR) return undefined;
    const motion = {
      name: 'live',
      joints: this.#joints,
      positions: Float32Array.from(recent.flatMap((frame) => [...frame.positions])),
      confidence: Float32Array.from(recent.flatMap((frame) => [...frame.confidence])),
      times: Float64Array.from(recent, (frame) => frame.time - recent[0].time),
    };
    return motion.positions.every(Number.isFinite) ? calibratePerformer(motion, this.#options) : undefined;
  }
}
