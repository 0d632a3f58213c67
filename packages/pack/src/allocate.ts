/**
 * Minimise Σ bytes over independent choices, subject to Σ error ≤ budget.
 *
 * For a price λ of error every choice is made alone, as the option with the least bytes + λ·error; the sum of errors falls
 * as λ rises, and the least λ within the budget is found by bisection. Every λ gives an optimum for the error that it
 * ends with, so that only the last step to the budget can be missed.
 *
 * Reference: Shoham, Gersho. Efficient bit allocation for an arbitrary set of quantizers. 1988.
 */
export interface Choice<T> {
  /** The option that costs least at a price of error, or a combination of them. */
  best(price: number): Picked<T>;
}

export interface Picked<T> {
  readonly value: T;
  readonly bytes: number;
  readonly error: number;
}

/** Prices are a ladder, so that those of one budget are known for another: eight steps double the price. */
const STEPS = 8;
/** Prices between which the answer is, in powers of two of bytes per unit of error. */
const [LEAST_POWER, MOST_POWER] = [-100, 200];
/** Steps down to a price at which the next option is chosen: a bit less of everything costs four times the error. */
const NEXT_OPTION = 2 * STEPS;

interface Level<T> {
  readonly picked: readonly Picked<T>[];
  readonly error: number;
}

/** Choices for budget after budget. */
export class Allocator<T> {
  readonly #choices: readonly Choice<T>[];
  readonly #levels = new Map<number, Level<T>>();

  constructor(choices: readonly Choice<T>[]) {
    this.#choices = choices;
  }

  /** One option for each choice; where not even the finest are within the budget, those. */
  within(budget: number): Picked<T>[] {
    return this.#withoutSlack(this.#stepOf(budget), budget);
  }

  /** Bytes that one more unit of error would save. */
  priceOf(budget: number): number {
    return this.#choices.length > 0 ? priceAt(this.#stepOf(budget)) : 0;
  }

  #at(step: number): Level<T> {
    const known = this.#levels.get(step);
    if (known) return known;
    const picked = this.#choices.map((choice) => choice.best(priceAt(step)));
    const level = { picked, error: picked.reduce((sum, { error }) => sum + error, 0) };
    this.#levels.set(step, level);
    return level;
  }

  /** The least price within the budget. */
  #stepOf(budget: number): number {
    let [low, high] = [STEPS * LEAST_POWER - 1, STEPS * MOST_POWER];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#at(middle).error <= budget) high = middle;
      else low = middle;
    }
    return high;
  }

  /**
   * Like choices change their option at the same price, all or none of them: what is left of the budget then serves some.
   * Those that save most bytes for the error go first.
   */
  #withoutSlack(step: number, budget: number): Picked<T>[] {
    const { picked, error } = this.#at(step);
    const out = [...picked];
    let left = budget - error;
    const cheaper = this.#at(step - NEXT_OPTION)
      .picked.map((option, k) => {
        return { k, option, more: option.error - picked[k].error, less: picked[k].bytes - option.bytes };
      })
      .filter(({ less }) => less > 0)
      .sort((a, b) => b.less * a.more - a.less * b.more || a.k - b.k);
    for (const { k, option, more } of cheaper) {
      if (more > left) continue;
      out[k] = option;
      left -= more;
    }
    return out;
  }
}

function priceAt(step: number): number {
  const power = Math.floor(step / STEPS);
  return FRACTIONS[step - STEPS * power] * 2 ** power;
}

/** 2^(k/8), by square roots, which all engines round alike. */
const FRACTIONS = Array.from({ length: STEPS }, (_, k) => {
  const [half, quarter, eighth] = [Math.SQRT2, Math.sqrt(Math.SQRT2), Math.sqrt(Math.sqrt(Math.SQRT2))];
  return (k & 4 ? half : 1) * (k & 2 ? quarter : 1) * (k & 1 ? eighth : 1);
});

/** One option for each choice, for one budget. */
export function allocate<T>(choices: readonly Choice<T>[], budget: number): Picked<T>[] {
  return new Allocator(choices).within(budget);
}

/**
 * Minimise Σ bytes over what is common and what is of parts, subject to error of the common + error of the part ≤ budget
 * of the part, for every part. A unit of error more for the common is one less for each of the parts: where it saves as
 * many bytes here as it costs in all of them together, the split is best.
 *
 * @param budgets  of the parts
 * @returns the budget of the common; what is left is the part's own
 */
export function commonBudget(
  common: Allocator<unknown>,
  parts: readonly Allocator<unknown>[],
  budgets: readonly number[],
): number {
  let [low, high] = [0, Math.min(...budgets)];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    const spared = parts.reduce((sum, part, c) => sum + part.priceOf(budgets[c] - middle), 0);
    if (common.priceOf(middle) > spared) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Of the split: to a thousandth of the budget. */
const HALVINGS = 10;

/** A choice among a list. */
export function oneOf<T>(options: readonly Picked<T>[]): Choice<T> {
  return {
    best: (price) =>
      options.reduce((best, option) =>
        option.bytes + price * option.error < best.bytes + price * best.error ? option : best,
      ),
  };
}
