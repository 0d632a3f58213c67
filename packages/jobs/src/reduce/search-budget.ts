/**
 * The least error within so many bytes, over bones, weights, bits and keys together.
 *
 * A rig with fewer bones or weights leaves more bytes to its numbers. For each rig the least error of packing that fits is
 * found by bisection; its square adds to that of the rig's own error. The rig as it is comes first, so that there is a
 * result at once; then those with fewer weights and fewer bones, as long as they are better, or as long as there is time.
 */

import { checkCancelled, mostWeights, type Run, stageOf } from '@pelt/model';
import { type Transport, UNSEEN_ERROR } from '@pelt/pack';
import { encodeRig, writeRig } from './encode-rig.ts';
import type { RigFile } from './encode-within.ts';
import { springBones } from './kept-springs.ts';
import { type RigChoices, type SmallerRig, smallerRig } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';

export interface BudgetProblem {
  readonly source: ReductionSource;
  readonly choices: RigChoices;
  /** Of 1000 bytes. */
  readonly kilobytes: number;
  /** A budget is one of the file as it lies, unless something else is asked for. */
  readonly transport: Transport | undefined;
  /** Seconds after which no other rig is tried; absent: a few rigs, whatever time they take. */
  readonly seconds: number | undefined;
}

export interface BudgetResult extends RigFile {
  /** Whether it is within the budget; else it is the smallest that was found. */
  readonly fits: boolean;
  /** Rigs that were tried. */
  readonly tried: number;
}

/** Errors of packing that are tried, from fine to coarse. */
const [FINEST, COARSEST] = [UNSEEN_ERROR / 8, 0.03];
const HALVINGS = 6;
/** Rigs that are tried where no time is given. */
const MOST_RIGS = 3;
/** Shares of the bones, from many to few; a longer search goes through all of them. */
const BONE_SHARES = [0.75, 0.5, 0.85, 0.6, 0.35, 0.92, 0.67, 0.42, 0.25];

interface Candidate {
  readonly smaller: SmallerRig;
  readonly maxError: number;
  readonly bytes: number;
  /** Of rig and packing together, as a share of the diagonal. */
  readonly error: number;
}

export class BudgetSearch {
  readonly #problem: BudgetProblem;
  readonly #run: Run;
  readonly #warn: (message: string) => void;
  readonly #limit: number;
  readonly #packing: { readonly compress: 'meshopt'; readonly rounds: 1; readonly transport: Transport };
  #best: Candidate | undefined;
  #smallest: Candidate | undefined;

  constructor(problem: BudgetProblem, run: Run, warn: (message: string) => void) {
    this.#problem = problem;
    this.#run = run;
    this.#warn = warn;
    this.#packing = { compress: 'meshopt', rounds: 1, transport: problem.transport ?? 'none' };
    this.#limit = 1000 * problem.kilobytes;
  }

  async run(): Promise<BudgetResult> {
    const { seconds } = this.#problem;
    const started = performance.now();
    const elapsed = () => (performance.now() - started) / 1000;
    const rigs = this.#rigs();
    const most = seconds === undefined ? Math.min(MOST_RIGS, rigs.length) : rigs.length;
    let tried = 0;
    for (const choices of rigs.slice(0, most)) {
      checkCancelled(this.#run);
      // A search without an end in sight shows the share of its time.
      const done = seconds === undefined ? tried / most : Math.min(elapsed() / seconds, 1);
      const detail = this.#best ? `${(100 * this.#best.error).toPrecision(2)} % so far` : undefined;
      this.#run.onProgress?.({ stage: 'searching', fraction: done, ...(detail && { detail }) });
      const before = this.#best?.error;
      await this.#search(
        smallerRig(this.#problem.source, choices, stageOf(this.#run, done, Math.min(done + 1 / most, 1))),
      );
      tried++;
      // Nothing that is smaller can be better than what cannot be told from the original.
      if (this.#best && this.#best.error <= FINEST * 1.05) break;
      if (seconds === undefined && tried > 1 && before !== undefined && before === this.#best?.error) break;
      if (seconds !== undefined && elapsed() >= seconds) break;
    }
    const { smaller, maxError } = (this.#best ?? this.#smallest) as Candidate;
    const encoding = { ...this.#packing, maxError };
    const file = await encodeRig(this.#problem.source, smaller, encoding, this.#warn);
    return { smaller, file, fits: this.#best !== undefined, tried };
  }

  /** The rig as it is, then with fewer weights and bones. */
  #rigs(): RigChoices[] {
    const { choices, source } = this.#problem;
    const all = Math.min(choices.bones ?? source.rig.bones.length, source.rig.bones.length);
    const weights = Math.min(choices.weights, mostWeights(source.rig.weights));
    // Clips do not show what springs move.
    const shares = springBones(source).length > 0 ? [] : BONE_SHARES;
    const bones = shares.map((share) => Math.max(Math.round(share * all), 1)).filter((count) => count < all);
    const fewer = [...new Set(bones)].map((count) => ({ ...choices, bones: count }));
    const thinner = [3, 2].filter((k) => k < weights).map((k) => ({ ...choices, weights: k }));
    return [choices, ...fewer.slice(0, 2), ...thinner, ...fewer.slice(2)];
  }

  /** The least error of packing with which a rig fits. */
  async #search(smaller: SmallerRig): Promise<void> {
    const { source } = this.#problem;
    const plain = { compress: undefined, maxError: undefined } as const;
    const own = smaller.changed ? (await encodeRig(source, smaller, plain, this.#warn)).error.rmsePercent / 100 : 0;
    // A rig whose own error is no better than what there is cannot become better.
    if (this.#best && own >= this.#best.error) return;
    const attempt = async (maxError: number): Promise<boolean> => {
      checkCancelled(this.#run);
      const file = await writeRig(source, smaller, { ...this.#packing, maxError }, this.#warn);
      const found = { smaller, maxError, bytes: file.bytes.length, error: Math.hypot(own, file.error) };
      if (!this.#smallest || found.bytes < this.#smallest.bytes) this.#smallest = found;
      if (found.bytes > this.#limit) return false;
      if (!this.#best || found.error < this.#best.error) this.#best = found;
      return true;
    };
    if (!(await attempt(COARSEST)) || (await attempt(FINEST))) return;
    let [fine, coarse] = [FINEST, COARSEST];
    for (let k = 0; k < HALVINGS; k++) {
      const middle = Math.sqrt(fine * coarse);
      if (await attempt(middle)) coarse = middle;
      else fine = middle;
    }
  }
}
