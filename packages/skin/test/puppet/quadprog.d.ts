/** The dual method of Goldfarb and Idnani, an oracle: arrays count from 1. */
declare module 'quadprog' {
  export function solveQP(
    D: number[][],
    d: number[],
    A: number[][],
    b: number[],
    equalities: number,
  ): { solution: number[]; message: string };
}
