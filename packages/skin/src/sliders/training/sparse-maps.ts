/**
 * Sparse maps for fixed weights: minimise Σ_r ‖x_r‖²_gram − 2 sideᵣ·x_r with at most `kept` non-zeros in all rows
 * together. Every row is eliminated backwards from its candidates: the number x_k whose removal costs least, x_k² / V_kk
 * with V the inverse of the remaining matrix, goes first, and V and x are updated by one rank. One level of cost cuts all
 * rows, so that sliders that need many numbers get them.
 *
 * Tried and left out: docs/experiments/sliders.md.
 */
import { factorSmall, solveSmall, solveSmallVector } from '@pelt/math';
import type { MapMoments } from './map-moments.ts';

/** Added to the diagonal, relative to it: bones whose vertices lie in a plane leave a direction open. */
const RIDGE = 1e-9;
/** Added to the diagonal in vertices at the distance of the mean one: next to no weights would ask for huge maps. */
const FEWEST_VERTICES = 1e-6;
/** Candidates beside a support, for each number in it. */
const NEWCOMERS = 1;

/**
 * @param rows    R
 * @param kept    most non-zeros in all rows together
 * @param before  R × D, maps whose support the search starts from; from all numbers where absent
 * @returns       R × D
 */
export function sparseMaps(moments: MapMoments, rows: number, kept: number, before?: Float64Array): Float64Array {
  const D = Math.sqrt(moments.gram.length);
  const gram = regularised(moments.gram, D);
  const solver = new RowSolver(gram, D);
  const all = before ? undefined : usedColumns(gram, D);
  const shared = all && solver.inverse(all);
  const removals: Removal[][] = [];
  for (let r = 0; r < rows; r++) {
    const side = moments.sides.subarray(r * D, (r + 1) * D);
    const candidates = all ?? solver.candidates(side, before?.subarray(r * D, (r + 1) * D) as Float64Array);
    removals.push(side.some((value) => value !== 0) ? solver.eliminate(candidates, side, shared) : []);
  }
  const level = levelOf(removals, kept);
  const maps = new Float64Array(rows * D);
  removals.forEach((row, r) => {
    const support = row.filter(({ cost }) => cost > level).map(({ column }) => column);
    solver.solve(support, moments.sides.subarray(r * D, (r + 1) * D), maps.subarray(r * D, (r + 1) * D));
  });
  return maps;
}

/** A column that was dropped, and the largest cost up to then: whoever keeps it keeps all dropped later. */
interface Removal {
  readonly column: number;
  readonly cost: number;
}

class RowSolver {
  readonly #gram: Float64Array;
  readonly #D: number;
  readonly #matrix: Float64Array;
  readonly #vector: Float64Array;

  constructor(gram: Float64Array, D: number) {
    this.#gram = gram;
    this.#D = D;
    this.#matrix = new Float64Array(D * D);
    this.#vector = new Float64Array(D);
  }

  /** The support of x and as many columns again that would lower the cost most by themselves. */
  candidates(side: Float64Array, x: Float64Array): number[] {
    const [gram, D] = [this.#gram, this.#D];
    const support: number[] = [];
    for (let k = 0; k < D; k++) if (x[k] !== 0) support.push(k);
    const gains: [column: number, gain: number][] = [];
    for (let k = 0; k < D; k++) {
      if (x[k] !== 0 || gram[k * D + k] === 0) continue;
      let gradient = side[k];
      for (const j of support) gradient -= gram[k * D + j] * x[j];
      if (gradient !== 0) gains.push([k, (gradient * gradient) / gram[k * D + k]]);
    }
    gains.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const newcomers = gains.slice(0, Math.max(4, NEWCOMERS * support.length)).map(([k]) => k);
    return [...support, ...newcomers].sort((a, b) => a - b);
  }

  /** The inverse of the matrix of some columns. */
  inverse(columns: readonly number[]): Float64Array {
    const k = columns.length;
    const factor = this.#factor(columns);
    const inverse = new Float64Array(k * k);
    for (let a = 0; a < k; a++) inverse[a * k + a] = 1;
    solveSmall(factor, k, k, inverse, k);
    return inverse;
  }

  /** Drops all columns, the cheapest first. */
  eliminate(columns: readonly number[], side: Float64Array, shared?: Float64Array): Removal[] {
    const k = columns.length;
    const V = shared ? shared.slice() : this.inverse(columns);
    const x = this.#vector;
    for (let a = 0; a < k; a++) {
      let sum = 0;
      for (let b = 0; b < k; b++) sum += V[a * k + b] * side[columns[b]];
      x[a] = sum;
    }
    const alive = Array.from({ length: k }, (_, a) => a);
    const removals: Removal[] = [];
    let cost = 0;
    while (alive.length > 0) {
      let at = 0;
      let least = Number.POSITIVE_INFINITY;
      for (let q = 0; q < alive.length; q++) {
        const a = alive[q];
        const price = (x[a] * x[a]) / V[a * k + a];
        if (price < least) [least, at] = [price, q];
      }
      const gone = alive[at];
      alive.splice(at, 1);
      if (least > cost) cost = least;
      removals.push({ column: columns[gone], cost });
      const pivot = V[gone * k + gone];
      for (const a of alive) {
        const ratio = V[a * k + gone] / pivot;
        if (ratio === 0) continue;
        x[a] -= ratio * x[gone];
        for (const b of alive) V[a * k + b] -= ratio * V[gone * k + b];
      }
    }
    return removals;
  }

  /** Least squares on some columns. */
  solve(columns: readonly number[], side: Float64Array, out: Float64Array): void {
    const k = columns.length;
    const x = this.#vector;
    for (let a = 0; a < k; a++) x[a] = side[columns[a]];
    solveSmallVector(this.#factor(columns), k, k, x);
    for (let a = 0; a < k; a++) out[columns[a]] = x[a];
  }

  #factor(columns: readonly number[]): Float64Array {
    const [gram, D, matrix, k] = [this.#gram, this.#D, this.#matrix, columns.length];
    for (let a = 0; a < k; a++) for (let b = 0; b < k; b++) matrix[a * k + b] = gram[columns[a] * D + columns[b]];
    factorSmall(matrix, k, k);
    return matrix;
  }
}

/** The cost above which at most `kept` numbers remain. */
function levelOf(removals: readonly (readonly Removal[])[], kept: number): number {
  const costs = Float64Array.from(removals.flatMap((row) => row.map(({ cost }) => cost))).sort();
  return costs.length > kept ? costs[costs.length - kept - 1] : -1;
}

function regularised(gram: Float64Array, D: number): Float64Array {
  const out = gram.slice();
  // Σ w² over all bones, and Σ w² (x² + y² + z²) / 3: their quotient is the squared distance.
  let [vertices, moments] = [0, 0];
  for (let k = 0; k < D; k++) {
    if (k % 4 === 3) vertices += gram[k * D + k];
    else moments += gram[k * D + k] / 3;
  }
  const squared = vertices > 0 ? moments / vertices : 0;
  for (let k = 0; k < D; k++) {
    const own = gram[k * D + k];
    if (own > 0) out[k * D + k] = own * (1 + RIDGE) + FEWEST_VERTICES * (k % 4 === 3 ? 1 : squared);
  }
  return out;
}

/** Columns of bones that have weight somewhere. */
function usedColumns(gram: Float64Array, D: number): number[] {
  return Array.from({ length: D }, (_, k) => k).filter((k) => gram[k * D + k] > 0);
}
