/** Decompositions that reductions start from, each made once, as the input of a reduction. */
import { decompose } from '@pelt/skin';
import { loadAnimation } from '../decompose/load-animation.mjs';

/**
 * Rounds of the models that one-layer methods start from, and of those that are compared themselves. One-layer methods
 * depend on the model: one that has settled uses nearly every bone everywhere and reduces badly.
 */
export const EARLY = 25;
export const SETTLED = 120;

export class Models {
  #context;
  #numerics;
  #made = new Map();

  constructor(context, numerics) {
    this.#context = context;
    this.#numerics = numerics;
  }

  sequence(data) {
    return loadAnimation(this.#context, data);
  }

  /** @param from  weights a vertex, or 'dense' for all bones */
  get(data, bones, from, rounds) {
    const key = `${data} ${bones} bones, ${from} weights, ${rounds} rounds`;
    if (!this.#made.has(key)) {
      this.#context.log(key);
      const sequence = this.sequence(data);
      const weights = from === 'dense' ? bones : from;
      const { rig, clip, error } = decompose(sequence, { bones, weights, rounds }, { numerics: this.#numerics });
      this.#made.set(key, { input: { rig, clips: [clip], examples: [sequence] }, eRms: error.eRms });
    }
    return this.#made.get(key);
  }

  /** Forgets those of a dataset: they are large. */
  forget(data) {
    for (const key of this.#made.keys()) if (key.startsWith(`${data} `)) this.#made.delete(key);
  }
}
