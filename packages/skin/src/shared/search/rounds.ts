/**
 * The rounds of every search: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij M_tj p̂_i‖² over weights, bones and rest pose by block
 * coordinate descent. A round solves the rest pose and the bones for the weights at hand, then the weights. What bones are
 * (rigid, affine, jointed) is a `BoneBlock`; how far the rest pose may move a `RestBlock`; which search for supports each
 * round uses a `WeightPlan`; when it ends a `StopRule`. The best iterate is kept: kicks raise the error temporarily.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { IslandPrices } from './island-prices.ts';
import { restartIdleBones } from './moves.ts';
import { Snapshot } from './snapshot.ts';
import type { StopRule } from './stop-rules.ts';
import { roundOf, type WeightPlan } from './weight-plan.ts';
import type { Swapping, WeightSteps } from './weight-steps.ts';

/** The transforms as one block of a descent. */
export interface BoneBlock {
  /** Factor by which an iterate counts as worse than its error. */
  readonly penalty: number;
  /** Solves the transforms for the weights at hand; after a weight step that was a descent they may go further. */
  solve(descending: boolean): void;
  /** Told of the error after a weight step; whether the last step of the bones was undone. */
  judge(error: number): boolean;
  /** Told that the last weight step was not a descent. */
  forget(): void;
  /** Keeps what the transforms do not tell of an iterate, and brings it back. */
  keep(): void;
  restore(): void;
}

/** The rest pose as one block of a descent. */
export interface RestBlock {
  /** Moves the rest pose to where weights and bones fit best. */
  correct(): void;
  /** What iterates of an error are compared by. */
  merit(error: number): number;
  /** Makes sure that the limit of the rest pose holds. */
  enforce(): void;
}

export interface RoundSettings {
  readonly system: SkinningSystem;
  readonly steps: WeightSteps;
  readonly bones: BoneBlock;
  readonly rest: RestBlock;
  readonly plan: WeightPlan;
  readonly stop: StopRule;
  /** Maximum number of rounds. */
  readonly rounds: number;
  /** Maximum number of swaps per vertex and round, and how they are found. */
  readonly swaps: number;
  readonly swapping: Swapping;
  /** Final rounds on fixed supports. */
  readonly settling: number;
  /** The round from which on the rest pose moves. */
  readonly restFrom?: number;
  /** Bones that nothing uses start again. */
  readonly restarts?: Parameters<typeof restartIdleBones>[2];
  /** Prices of islands: the price in squared errors of a vertex, its share in the first and last rounds, and until when it changes. */
  readonly islands?: {
    readonly prices: IslandPrices;
    readonly price: number;
    readonly shares: readonly [number, number];
    readonly until: number;
  };
  /** Whether the weights belong to the bones already, so that a round begins with the bones. */
  readonly settled?: boolean;
}

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

export class SearchRounds implements Rounds {
  protected readonly settings: RoundSettings;
  readonly #best: Snapshot;
  /** Sum of squared errors of the best iterate, without penalties and prices. */
  #bestError = Number.POSITIVE_INFINITY;
  #periodCost = Number.POSITIVE_INFINITY;
  /** Full price of a weight on an island. */
  #islandPrice = 0;
  #restarts = 0;
  #round = 0;
  /** What follows the last weight step: nothing where its bones were undone. */
  #next: { readonly correct: boolean; readonly descending: boolean } | undefined;

  constructor(settings: RoundSettings) {
    this.settings = settings;
    this.#best = new Snapshot(settings.system);
    if (settings.settled) this.startAgain();
  }

  get round(): number {
    return this.#round;
  }

  get bestError(): number {
    return this.#bestError;
  }

  /** What iterates are compared by, of the best one. */
  get bestCost(): number {
    return this.#best.error;
  }

  step(): boolean {
    const { system, steps, bones, rounds, plan, stop, restFrom = 0 } = this.settings;
    if (this.#best.error === 0) return false;
    this.#solveBones();
    const round = this.#round++;
    const { step, ends } = roundOf(plan, round);
    this.#priceIslands(round);
    if (step !== 's') bones.forget();
    if (step === 's') steps.swap(system, this.settings.swapping, this.settings.swaps, this.#prices);
    else if (step === 'w') steps.widen(system);
    else steps.diffuse(system, this.#prices);
    const error = system.totalError();
    if (round === 0) this.#islandPrice = ((this.settings.islands?.price ?? 0) * error) / system.n;
    const islands = this.#judge(error);
    const undone = step === 's' && bones.judge(error + islands * (this.#prices?.price ?? 0));
    this.#next = undone ? undefined : { correct: round >= restFrom, descending: step === 's' };
    if (this.#round >= rounds || error === 0) return false;
    if (!ends) return true;
    const before = this.#periodCost;
    this.#periodCost = this.#best.error;
    return !stop(before, this.#best.error);
  }

  finish(): void {
    const { system, steps, bones, rest, settling } = this.settings;
    this.restore();
    bones.forget();
    // These rounds have no prior for smooth weights and would undo its effect.
    for (let turn = 0; turn < settling && !steps.smooth; turn++) {
      rest.correct();
      bones.solve(true);
      this.#prices?.update();
      steps.settle(system, this.#prices);
      const error = system.totalError();
      bones.judge(error + this.#judge(error) * this.#islandPrice);
    }
    this.restore();
    rest.enforce();
  }

  /** Writes the best iterate to the system. */
  restore(): void {
    this.#best.restore();
    this.settings.bones.restore();
  }

  /** Forgets the best iterate in favour of the system as it is, with the best weights on its supports. */
  protected startAgain(): void {
    const { system, steps } = this.settings;
    this.#best.error = Number.POSITIVE_INFINITY;
    steps.settle(system);
    this.#judge(system.totalError());
    this.#periodCost = this.#best.error;
    this.#next = { correct: true, descending: false };
  }

  get #prices(): IslandPrices | undefined {
    return this.settings.islands?.prices;
  }

  #solveBones(): void {
    const { system, steps, bones, rest, restarts } = this.settings;
    if (!this.#next) return;
    if (this.#next.correct) rest.correct();
    if (restarts) {
      this.#restarts += restartIdleBones(system, steps.graph, { ...restarts, most: restarts.most - this.#restarts });
    }
    bones.solve(this.#next.descending);
  }

  /** Keeps the iterate at hand if it is the best; returns its weights on islands. */
  #judge(error: number): number {
    const { bones, rest, steps } = this.settings;
    const islands = this.#prices?.count() ?? 0;
    const price = (this.settings.islands?.shares[1] ?? 0) * this.#islandPrice;
    const cost = rest.merit(error) * bones.penalty + islands * price;
    // A prior trades error for smoothness, so with it the latest iterate is kept.
    if (cost < this.#best.error || steps.smooth) {
      this.#best.take(cost);
      this.#bestError = error;
      bones.keep();
    }
    return islands;
  }

  #priceIslands(round: number): void {
    if (!this.settings.islands) return;
    const { prices, shares, until } = this.settings.islands;
    const done = Math.min(round / (until * this.settings.rounds), 1);
    prices.price = (shares[0] + (shares[1] - shares[0]) * done) * this.#islandPrice;
    // Regions change slowly, and finding them costs as much as a tenth of a round.
    if (round % 2 === 0) prices.update();
  }
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
