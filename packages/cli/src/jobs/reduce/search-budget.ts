/**
 * The least error within so many bytes, over bones, weights, bits and keys together.
 *
 * Bytes and closeness both grow with the number of bones, so that for given weights and bits the best rig has the most
 * bones that fit: found by bisection. Rigs with more bones, which do not fit, are then tried with fewer keys, down to the
 * error of the best that does.
 */
import type { Numerics } from '@pelt/math';
import { checkCancelled, type RunContext, stageOf, UsageError } from '@pelt/model';
import { BIT_LADDER, encodeRig } from './encode-rig.ts';
import type { RigFile } from './encode-within.ts';
import { type RigChoices, type SmallerRig, smallerRig, withFewerKeys } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';

/** Weights a vertex that are tried, as far as they are no more than asked for. */
const WEIGHTS = [4, 3, 2];
/** What fewer keys may end with: growth of a rig's own error; and E_RMS beside it, for a rig that has next to none. */
const KEY_GROWTHS = [1.02, 1.1];
const KEY_ERRORS = [0.25, 0.5, 1, 2, 4, 8, 16];

export class BudgetSearch {
  readonly #source: ReductionSource;
  readonly #choices: RigChoices;
  readonly #bytes: number;
  readonly #limit: number | undefined;
  readonly #numerics: Numerics;
  readonly #warn: (message: string) => void;
  readonly #context: RunContext;
  readonly #rigs = new Map<string, SmallerRig>();
  readonly #all: number;
  #best: RigFile | undefined;
  #smallest = Number.POSITIVE_INFINITY;
  #done = 0;

  /** @param limit  most E_RMS that fewer keys may end with; absent: shares of each rig's own error are tried */
  constructor(
    source: ReductionSource,
    choices: RigChoices,
    kilobytes: number,
    limit: number | undefined,
    numerics: Numerics,
    warn: (message: string) => void,
    context: RunContext,
  ) {
    this.#source = source;
    this.#choices = choices;
    this.#bytes = 1024 * kilobytes;
    this.#limit = limit;
    this.#numerics = numerics;
    this.#warn = warn;
    this.#context = context;
    this.#all = Math.min(choices.bones ?? source.rig.bones.length, source.rig.bones.length);
  }

  async run(): Promise<RigFile> {
    const weights = WEIGHTS.filter((k) => k <= this.#choices.weights);
    for (const k of weights.length > 0 ? weights : [this.#choices.weights]) {
      // With all bones at the finest within the budget nothing smaller is better.
      if (await this.#searchBones(k)) break;
      await this.#searchKeys(k);
    }
    if (this.#best) return this.#best;
    throw new UsageError(
      `${this.#bytes / 1024} KB are not enough: the smallest file has ${Math.ceil(this.#smallest / 1024)} KB, ` +
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
      const own = (await encodeRig(rig.model, this.#source.truths, rig.periods, 'none', {}, this.#warn)).error.eRms;
      const limits = this.#keyLimits(own);
      // More error, fewer bytes: the least error that fits is found by bisection.
      let [low, high] = [-1, limits.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        const thinned = withFewerKeys(this.#source, rig, limits[middle], this.#context);
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
      this.#limit === undefined
        ? [...KEY_GROWTHS.map((growth) => growth * own), ...KEY_ERRORS.map((error) => Math.hypot(own, error))]
        : [this.#limit];
    return limits.filter((limit) => limit > own && limit < worst).sort((a, b) => a - b);
  }

  #rig(bones: number, weights: number): SmallerRig {
    checkCancelled(this.#context);
    const key = `${bones} ${weights}`;
    let rig = this.#rigs.get(key);
    if (!rig) {
      // How many rigs a search needs is not known before: each takes a part of what is left.
      const from = this.#done;
      this.#done += 0.1 * (1 - this.#done);
      rig = smallerRig(
        this.#source,
        { ...this.#choices, bones, weights },
        this.#numerics,
        stageOf(this.#context, from, this.#done),
      );
      this.#rigs.set(key, rig);
    }
    return rig;
  }

  /** Whether a rig fits with so many bits; the best that does is kept. */
  async #fits(smaller: SmallerRig, level: number): Promise<boolean> {
    const { model, periods } = smaller;
    const file = await encodeRig(model, this.#source.truths, periods, 'meshopt', BIT_LADDER[level], this.#warn);
    this.#smallest = Math.min(this.#smallest, file.bytes.length);
    if (file.bytes.length > this.#bytes) return false;
    if (!this.#best || file.error.eRms < this.#best.file.error.eRms) this.#best = { smaller, file };
    return true;
  }
}
