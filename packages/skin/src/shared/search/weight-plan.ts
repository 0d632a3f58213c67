/**
 * Which search for supports each round of a skeleton uses, one letter per round:
 *
 *   d  diffusion: the bones of a vertex are chosen among its own and its neighbours', which makes supports coherent and loses
 *      distant ones; the error may rise
 *   w  the same among twice as many candidates, so that none that is useful is lost
 *   s  swaps over all bones
 *
 * Bones that were joined just now begin with diffusion. A skeleton that has settled and was changed in one place loses by
 * that more than the change gains: ten rounds of diffusion and a period of swaps after every change left many changes that
 * help looking worse than none (a bone added and one removed: 3 % more error; none with the plan below).
 */
export interface WeightPlan {
  /** Rounds before the first period. */
  readonly opening: string;
  /** Rounds of the following periods, in turn; progress is compared after each. */
  readonly periods: readonly string[];
}

/** For bones that were joined just now. */
export const FRESH: WeightPlan = { opening: 'ddddddddddsssssssss', periods: ['wwwsssssssss'] };

/** For a skeleton that has settled but for a change. */
export const SETTLED: WeightPlan = { opening: '', periods: ['wsswsswss', 'dddssssss'] };

/** The letter of a round, and whether it ends the opening or a period. */
export function roundOf({ opening, periods }: WeightPlan, round: number): { step: string; ends: boolean } {
  if (round < opening.length) return { step: opening[round], ends: round === opening.length - 1 };
  let left = round - opening.length;
  for (let k = 0; ; k = (k + 1) % periods.length) {
    const period = periods[k];
    if (left < period.length) return { step: period[left], ends: left === period.length - 1 };
    left -= period.length;
  }
}
