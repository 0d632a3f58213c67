/** Every number of the search for fewer bones or weights of a rig; `npm run bench -- sensitivity` halves and doubles them. */

export interface ReducePlan {
  /** Maximum swaps per vertex and round. */
  readonly swaps: number;
  /** Sweeps over the bones per round. */
  readonly sweeps: number;
  /** Rounds after bones were removed, and in a period; and the relative progress of a period below which they end. */
  readonly rounds: number;
  readonly progress: number;
  /** Fraction of the surplus bones that is removed at once. */
  readonly share: number;
  /** Alternations of bones and rounded weights. */
  readonly roundingTurns: number;
}

export const REDUCE_PLAN: ReducePlan = {
  swaps: 3,
  sweeps: 4,
  rounds: 6,
  progress: 0.004,
  share: 0.34,
  roundingTurns: 10,
};
