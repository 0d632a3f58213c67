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

const HALVINGS = 60;
/** Prices between which the answer is, in powers of two of bytes per unit of error. */
const [LEAST_POWER, MOST_POWER] = [-100, 200];

/** One option for each choice; where not even the finest are within the budget, those. */
export function allocate<T>(choices: readonly Choice<T>[], budget: number): Picked<T>[] {
  const at = (power: number) => choices.map((choice) => choice.best(2 ** power));
  let [low, high] = [LEAST_POWER, MOST_POWER];
  let best = at(high);
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    const picked = at(middle);
    if (picked.reduce((sum, { error }) => sum + error, 0) <= budget) {
      best = picked;
      high = middle;
    } else low = middle;
  }
  return withoutSlack(choices, best, budget, 2 ** high);
}

/**
 * Like choices change their option at the same price, all or none of them: what is left of the budget then serves some.
 * Those that save most bytes for the error go first.
 */
function withoutSlack<T>(
  choices: readonly Choice<T>[],
  picked: readonly Picked<T>[],
  budget: number,
  price: number,
): Picked<T>[] {
  const out = [...picked];
  let left = budget - picked.reduce((sum, { error }) => sum + error, 0);
  const cheaper = choices
    .map((choice, k) => ({ k, option: choice.best(price / LOWER_PRICE) }))
    .filter(({ k, option }) => option.bytes < picked[k].bytes)
    .map(({ k, option }) => ({ k, option, more: option.error - picked[k].error, less: picked[k].bytes - option.bytes }))
    .sort((a, b) => b.less * a.more - a.less * b.more || a.k - b.k);
  for (const { k, option, more } of cheaper) {
    if (more > left) continue;
    out[k] = option;
    left -= more;
  }
  return out;
}

/** A price at which the next option is chosen: a bit less of everything costs four times the error. */
const LOWER_PRICE = 4;

/** A choice among a list. */
export function oneOf<T>(options: readonly Picked<T>[]): Choice<T> {
  return {
    best: (price) =>
      options.reduce((best, option) =>
        option.bytes + price * option.error < best.bytes + price * best.error ? option : best,
      ),
  };
}
