/** Descents in rounds: how they are run, and which search for supports a round makes. */
import type { SkinningSystem } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';

/** A descent over a system that is taken a round at a time and keeps its best iterate. */
export interface Rounds {
  /** Rounds done. */
  readonly round: number;
  /** Σ of squared errors of the best iterate. */
  readonly bestError: number;
  /** One round. False when it was the last. */
  step(): boolean;
  /** Puts the best iterate back and settles it. */
  finish(): void;
}

/** E_RMS of a total squared error over the vertices and frames of a system. */
export function eRmsOf({ n, S }: Pick<SkinningSystem, 'n' | 'S'>, error: number): number {
  return 1000 * Math.sqrt(error / (3 * n * S));
}

/**
 * All rounds, watched and cancellable, and the end. Returns how many there were.
 *
 * @param most  rounds at the most, for the progress
 */
export function takeRounds(
  rounds: Rounds,
  system: SkinningSystem,
  most: number,
  stage: string,
  context: RunContext | undefined,
): number {
  for (let going = most > 0; going; ) {
    checkCancelled(context);
    going = rounds.step();
    const error = eRmsOf(system, rounds.bestError).toFixed(3);
    const detail = `${system.m} bones, round ${rounds.round}, E_RMS ${error}`;
    context?.onProgress?.({ stage, fraction: rounds.round / most, detail });
  }
  rounds.finish();
  return rounds.round;
}

/**
 * Diffusion in the opening; then periods of swaps, each followed by a few rounds of diffusion. Such a kick raises the
 * error for a moment and leads to a lower one, so that progress is judged from the last swap of a period to the next.
 */
export class SearchSchedule {
  readonly opening: number;
  readonly #swaps: number;
  readonly #period: number;

  constructor(opening: number, swaps: number, kick: number) {
    this.opening = opening;
    this.#swaps = swaps;
    this.#period = swaps + kick;
  }

  swapsIn(round: number): boolean {
    return round >= this.opening && (round - this.opening) % this.#period < this.#swaps;
  }

  /** Whether it is the last swap of a period. */
  endsPeriod(round: number): boolean {
    return round >= this.opening && (round - this.opening) % this.#period === this.#swaps - 1;
  }
}
