/** Every number of the search for fewer bones or weights of a rig; `npm run bench -- sensitivity` halves and doubles them. */
import type { MomentumPlan } from '../shared/search/bone-momentum.ts';

export interface ReducePlan extends MomentumPlan {
  /** Maximum swaps per vertex and round. */
  readonly swaps: number;
  /** Maximum swaps per vertex where bones are fixed: swaps continue until none helps. */
  readonly swapsAlone: number;
  /** Sweeps over the bones per round. */
  readonly sweeps: number;
  /** Rounds per period, and the relative progress of a period below which they end. */
  readonly period: number;
  readonly progress: number;
  /** Fraction of the surplus bones that is removed at once, and rounds after each removal. */
  readonly share: number;
  readonly rounds: number;
  /** Alternations of bones and rounded weights, and sweeps over the bones in each. */
  readonly roundingTurns: number;
  readonly roundingSweeps: number;
}

export const REDUCE_PLAN: ReducePlan = {
  swaps: 3,
  swapsAlone: 16,
  sweeps: 4,
  period: 6,
  progress: 0.004,
  share: 0.34,
  rounds: 6,
  roundingTurns: 10,
  roundingSweeps: 8,
  momentumGrowth: 1.15,
  momentumStep: 0.05,
  mostMomentum: 8,
};
