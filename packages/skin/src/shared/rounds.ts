/** Descents in rounds: how they are run, and which search for supports each round uses. */
import type { SkinningSystem } from '@pelt/kernels';
import { checkCancelled, type RunContext } from '@pelt/model';

/** A descent over a system that runs round by round and keeps its best iterate. */
export interface Rounds {
  /** Number of rounds done. */
  readonly round: number;
  /** Sum of squared errors of the best iterate. */
  readonly bestError: number;
  /** One round. Returns false after the last. */
  step(): boolean;
  /** Restores the best iterate and refines it. */
  finish(): void;
}

/** E_RMS of a total squared error over the vertices and frames of a system. */
export function eRmsOf({ n, S }: Pick<SkinningSystem, 'n' | 'S'>, error: number): number {
  return 1000 * Math.sqrt(error / (3 * n * S));
}

/**
 * Runs all rounds and the final refinement, with progress and cancelling. Returns the number of rounds.
 *
 * @param most   maximum number of rounds, for the progress
 * @param after  called after every round
 */
export function takeRounds(
  rounds: Rounds,
  system: SkinningSystem,
  most: number,
  stage: string,
  context: RunContext | undefined,
  after?: () => void,
): number {
  for (let going = most > 0; going; ) {
    checkCancelled(context);
    going = rounds.step();
    const eRms = eRmsOf(system, rounds.bestError);
    const detail = `${system.m} bones, round ${rounds.round}, E_RMS ${eRms.toFixed(3)}`;
    context?.onProgress?.({ stage, fraction: rounds.round / most, detail, eRms });
    after?.();
  }
  rounds.finish();
  return rounds.round;
}

/**
 * Diffusion in the opening; then periods of swaps, each followed by a few rounds of diffusion. Such a kick raises the error
 * temporarily and leads to a lower one, so progress is measured from the last swap of one period to that of the next.
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

  /** Whether a round is the last swap of its period. */
  endsPeriod(round: number): boolean {
    return round >= this.opening && (round - this.opening) % this.#period === this.#swaps - 1;
  }
}
