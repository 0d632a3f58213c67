/**
 * The least error within so many bytes, over bones, weights, bits and keys together.
 *
 * Bytes and closeness both grow with the number of bones, so that for given weights and bits the best rig has the most
 * bones that fit: found by bisection. Rigs with more bones, which do not fit, are then tried with fewer keys, down to the
 * error of the best that does.
 */
import { checkCancelled, type Run, stageOf, UsageError } from '@pelt/model';
import { BIT_LADDER, encodeRig } from './encode-rig.ts';
import type { RigFile } from './encode-within.ts';
import { type RigChoices, type SmallerRig, smallerRig, withFewerKeys } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';

/** Weights a vertex that are tried, as far as they are no more than asked for. */
const WEIGHTS = [4, 3, 2];
/** What fewer keys may end with: growth of a rig's own error; and E_RMS beside it, for a rig that has next to none. */
const KEY_GROWTHS = [1.02, 1.1];
const KEY_ERRORS = [0.25, 0.5, 1, 2, 4, 8, 16];

export interface BudgetProblem {
  readonly source: ReductionSource;
  readonly choices: RigChoices;
  readonly kilobytes: number;
  /** Most E_RMS that fewer keys may end with; undefined: shares of each rig's own error are tried. */
  readonly limit: number | undefined;
}

export class BudgetSearch {
  readonly #problem: BudgetProblem;
  readonly #run: Run;
  readonly #warn: (message: string) => void;
  readonly #rigs = new Map<string, SmallerRig>();
  /** Most bones. */
  readonly #all: number;
  #best: RigFile | undefined;
  #smallest = Number.POSITIVE_INFINITY;
  #done = 0;

  constructor(problem: BudgetProblem, run: Run, warn: (message: string) => void) {
    this.#problem = problem;
    this.#run = run;
    this.#warn = warn;
    const { length } = problem.source.rig.bones;
    this.#all = Math.min(problem.choices.bones ?? length, length);
  }

  async run(): Promise<RigFile> {
    const weights = WEIGHTS.filter((k) => k <= this.#problem.choices.weights);
    for (const k of weights.length > 0 ? weights : [this.#problem.choices.weights]) {
      // With all bones at the finest within the budget nothing smaller is better.
      if (await this.#searchBones(k)) break;
      await this.#searchKeys(k);
    }
    if (this.#best) return this.#best;
    throw new UsageError(
      `${this.#problem.kilobytes} KB are not enough: the smallest file has ${Math.ceil(this.#smallest / 1024)} KB, ` +
        'most of it the mesh itself',
    );
  }

  /** For each number of bits the most bones that fit. True where all bones fit at the finest. */
  async #searchBones(weights: number): Promise<boolean> {
    let most = this.#all;
    for (const [level] of BIT_LADDER.entries()) {
      if (await this.#fits(this.#rig(most, weights), level)) continue;
      // Finer bits never fit more bones than coarser ones did.
      let [low, high] = [0, most];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (await this.#fits(this.#rig(middle, weights), level)) low = middle;
        else high = middle;
      }
      if (low === 0) return false;
      most = low;
    }
    return most === this.#all;
  }

  /** Rigs that have too many bytes with all of their keys. */
  async #searchKeys(weights: number): Promise<void> {
    for (const [key, rig] of this.#rigs) {
      if (!key.endsWith(` ${weights}`)) continue;
      const own = (await encodeRig(rig.model, this.#problem.source.truths, rig.periods, 'none', {}, this.#warn)).error
        .eRms;
      const limits = this.#keyLimits(own);
      // More error, fewer bytes: the least error that fits is found by bisection.
      let [low, high] = [-1, limits.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        const thinned = withFewerKeys(this.#problem.source, rig, limits[middle], this.#run);
        let level = 0;
        while (level < BIT_LADDER.length && (await this.#fits(thinned, level))) level++;
        if (level > 0) high = middle;
        else low = middle;
      }
    }
  }

  /** Errors that a rig may end with, rising, as far as they are worth it. */
  #keyLimits(own: number): number[] {
    const worst = this.#best?.file.error.eRms ?? Number.POSITIVE_INFINITY;
    const limits =
      this.#problem.limit === undefined
        ? [...KEY_GROWTHS.map((growth) => growth * own), ...KEY_ERRORS.map((error) => Math.hypot(own, error))]
        : [this.#problem.limit];
    return limits.filter((limit) => limit > own && limit < worst).sort((a, b) => a - b);
  }

  #rig(bones: number, weights: number): SmallerRig {
    checkCancelled(this.#run);
    const key = `${bones} ${weights}`;
    let rig = this.#rigs.get(key);
    if (!rig) {
      // How many rigs a search needs is not known before: each takes a part of what is left.
      const from = this.#done;
      this.#done += 0.1 * (1 - this.#done);
      rig = smallerRig(
        this.#problem.source,
        { ...this.#problem.choices, bones, weights },
        stageOf(this.#run, from, this.#done),
      );
      this.#rigs.set(key, rig);
    }
    return rig;
  }

  /** Whether a rig fits with so many bits; the best that does is kept. */
  async #fits(smaller: SmallerRig, level: number): Promise<boolean> {
    const { model, periods } = smaller;
    const file = await encodeRig(model, this.#problem.source.truths, periods, 'meshopt', BIT_LADDER[level], this.#warn);
    this.#smallest = Math.min(this.#smallest, file.bytes.length);
    if (file.bytes.length > 1024 * this.#problem.kilobytes) return false;
    if (!this.#best || file.error.eRms < this.#best.file.error.eRms) this.#best = { smaller, file };
    return true;
  }
}
