import { solveQP } from 'quadprog';

/**
 * The paper's own way to the L1 projection, by another solver: minimise ‖x − X(u − v)‖² + λ Σ(u + v) subject to
 * Σ(u − v) = 1, u ≥ 0, v ≥ 0. Returns u − v.
 *
 * @param examples  N × D
 * @param split     whether negative weights are allowed; without, λ does not matter
 */
export function solveByProgramme(examples: number[][], x: number[], lambda: number, split: boolean): number[] {
  const N = examples.length;
  const size = split ? 2 * N : N;
  const sign = (k: number) => (k < N ? 1 : -1);
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, d) => sum + value * b[d], 0);
  // Doubling makes the split singular: below this ridge the dual method stops short of the optimum.
  const D = table(
    size,
    size,
    (r, c) => 2 * sign(r) * sign(c) * dot(examples[r % N], examples[c % N]) + (r === c ? 1e-4 : 0),
  );
  const d = [
    0,
    ...Array.from({ length: size }, (_, k) => 2 * sign(k) * dot(examples[k % N], x) - (split ? lambda : 0)),
  ];
  const A = table(size, size + 1, (r, c) => (c === 0 ? sign(r) : Number(r === c - 1)));
  const b = [0, 1, ...new Array<number>(size).fill(0)];
  const { solution, message } = solveQP(D, d, A, b, 1);
  if (message) throw new Error(message);
  return Array.from({ length: N }, (_, i) => solution[1 + i] - (split ? solution[1 + N + i] : 0));
}

function table(rows: number, columns: number, entry: (r: number, c: number) => number): number[][] {
  return [
    [],
    ...Array.from({ length: rows }, (_, r) => [0, ...Array.from({ length: columns }, (_, c) => entry(r, c))]),
  ];
}
