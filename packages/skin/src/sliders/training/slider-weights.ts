/**
 * Weights for fixed maps: for every vertex min ‖Σ_j w_j u_j − δ‖² over the simplex with at most K non-zeros, where u_j
 * are the displacements of all sliders as bone j alone would give them. u_jᵀu_k is p̂_jᵀ (Σ_r N_rjᵀ N_rk) p̂_k, so the Gram
 * matrix of a vertex needs no sum over sliders. Candidates are its own bones and those that the gradient asks for; where
 * the solution is worse than the weights at hand (elimination to K is greedy), those stay.
 */
import { type Numerics, simplexLeastSquares } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
import type { SliderSystem } from './slider-system.ts';

/** Bones that are tried beside those of a vertex. */
const NEWCOMERS = 6;
/** Smaller weights are gone in a packed file of twelve bits; maps must not count on them. */
const SMALLEST = 1 / 4096;
/** Vertices that are solved at a time. */
const BATCH = 2048;

/** Solves the weights of all vertices with at most `limit` of them. */
export function solveWeights(
  system: SliderSystem,
  { numerics, context }: { readonly numerics: Numerics; readonly context?: RunContext | undefined },
  price: number,
): void {
  const { n, m, K } = system;
  const c = Math.min(m, K + NEWCOMERS);
  const products = boneProducts(system);
  const vertex = new VertexProblem(system, products);
  const smallest = price > 0 ? SMALLEST : 0;
  const allowed = price > 0 ? price * system.meanSquares() : 0;
  for (let first = 0; first < n; first += BATCH) {
    checkCancelled(context);
    const count = Math.min(BATCH, n - first);
    const problems = {
      size: c,
      gram: new Float64Array(count * c * c),
      rhs: new Float64Array(count * c),
      squaredNorms: new Float64Array(count),
    };
    const candidates = new Int32Array(count * c);
    const start = new Float64Array(count * c);
    for (let k = 0; k < count; k++) {
      vertex.gather(first + k);
      vertex.choose(candidates.subarray(k * c, (k + 1) * c), start.subarray(k * c, (k + 1) * c));
      vertex.write(candidates, k, problems);
    }
    const solutions = limits(K, price).map((limit) => simplexLeastSquares(numerics, problems, { limit, start }));
    for (let k = 0; k < count; k++) {
      const at = (weights: Float64Array) => weights.subarray(k * c, (k + 1) * c);
      let best = at(start);
      let least = errorOf(problems, k, best);
      for (const solution of solutions) {
        const error = errorOf(problems, k, at(solution));
        // Of the solutions with fewer and fewer weights the last that costs no more than its price.
        if (error < least + allowed * (nonZeros(best) - nonZeros(at(solution)))) [best, least] = [at(solution), error];
      }
      system.bones.fill(0, (first + k) * K, (first + k + 1) * K);
      system.weights.fill(0, (first + k) * K, (first + k + 1) * K);
      let slot = (first + k) * K;
      const total = best.reduce((sum, w) => (w >= smallest ? sum + w : sum), 0);
      for (let s = 0; s < c; s++) {
        if (best[s] === 0 || best[s] < smallest) continue;
        system.bones[slot] = candidates[k * c + s];
        system.weights[slot++] = best[s] / total;
      }
    }
  }
}

function limits(K: number, price: number): number[] {
  return price > 0 ? Array.from({ length: K }, (_, k) => K - k) : [K];
}

/** D × D: Σ_r N_rᵀ N_r. */
function boneProducts({ R, D, maps }: SliderSystem): Float64Array {
  const out = new Float64Array(D * D);
  const used: number[] = [];
  for (let r = 0; r < R; r++) {
    used.length = 0;
    for (let k = 0; k < D; k++) if (maps[r * D + k] !== 0) used.push(k);
    for (const a of used) for (const b of used) out[a * D + b] += maps[r * D + a] * maps[r * D + b];
  }
  return out;
}

interface Problems {
  readonly size: number;
  readonly gram: Float64Array;
  readonly rhs: Float64Array;
  readonly squaredNorms: Float64Array;
}

class VertexProblem {
  readonly #system: SliderSystem;
  readonly #products: Float64Array;
  /** Rows of the maps in which each bone has a number */
  readonly #rows: readonly (readonly number[])[];
  readonly #places: Float64Array;
  readonly #gram: Float64Array;
  readonly #side: Float64Array;
  readonly #gradient: Float64Array;
  #squaredNorm = 0;
  #vertex = 0;

  constructor(system: SliderSystem, products: Float64Array) {
    const { m, R, D, maps } = system;
    this.#system = system;
    this.#products = products;
    this.#places = new Float64Array(D);
    this.#gram = new Float64Array(m * m);
    this.#side = new Float64Array(m);
    this.#gradient = new Float64Array(m);
    this.#rows = Array.from({ length: m }, (_, j) =>
      Array.from({ length: R }, (_, r) => r).filter((r) => {
        const at = r * D + 4 * j;
        return maps[at] !== 0 || maps[at + 1] !== 0 || maps[at + 2] !== 0 || maps[at + 3] !== 0;
      }),
    );
  }

  /** AᵀA, Aᵀb and bᵀb over all bones. */
  gather(i: number): void {
    const { m, R, D, maps, deltas } = this.#system;
    const [p, Q, G] = [this.#places, this.#products, this.#gram];
    this.#vertex = i;
    for (let j = 0; j < m; j++) this.#system.local(i, j, p, 4 * j);
    for (let j = 0; j < m; j++) {
      for (let k = 0; k <= j; k++) {
        let sum = 0;
        for (let a = 4 * j; a < 4 * j + 4; a++) {
          const at = a * D + 4 * k;
          sum += p[a] * (Q[at] * p[4 * k] + Q[at + 1] * p[4 * k + 1] + Q[at + 2] * p[4 * k + 2] + Q[at + 3]);
        }
        G[j * m + k] = sum;
        G[k * m + j] = sum;
      }
    }
    this.#squaredNorm = 0;
    for (let r = i * R; r < (i + 1) * R; r++) this.#squaredNorm += deltas[r] * deltas[r];
    for (let j = 0; j < m; j++) {
      let sum = 0;
      for (const r of this.#rows[j]) {
        const d = deltas[i * R + r];
        if (d === 0) continue;
        const at = r * D + 4 * j;
        sum += d * (maps[at] * p[4 * j] + maps[at + 1] * p[4 * j + 1] + maps[at + 2] * p[4 * j + 2] + maps[at + 3]);
      }
      this.#side[j] = sum;
    }
  }

  /** The vertex's own bones, with their weights, and those whose weight would lower the error fastest. */
  choose(candidates: Int32Array, start: Float64Array): void {
    const { m, K, bones, weights } = this.#system;
    const row = this.#vertex * K;
    const [G, g] = [this.#gram, this.#gradient];
    let used = 0;
    for (let j = 0; j < m; j++) g[j] = -this.#side[j];
    for (let s = row; s < row + K; s++) {
      const w = weights[s];
      if (w === 0) continue;
      candidates[used] = bones[s];
      start[used++] = w;
      for (let j = 0; j < m; j++) g[j] += w * G[bones[s] * m + j];
    }
    for (let s = 0; s < used; s++) g[candidates[s]] = Number.POSITIVE_INFINITY;
    for (; used < candidates.length; used++) {
      let best = 0;
      for (let j = 1; j < m; j++) if (g[j] < g[best]) best = j;
      candidates[used] = best;
      g[best] = Number.POSITIVE_INFINITY;
    }
  }

  write(candidates: Int32Array, k: number, { size: c, gram, rhs, squaredNorms }: Problems): void {
    const { m } = this.#system;
    for (let a = 0; a < c; a++) {
      const j = candidates[k * c + a];
      rhs[k * c + a] = this.#side[j];
      for (let b = 0; b < c; b++) gram[(k * c + a) * c + b] = this.#gram[j * m + candidates[k * c + b]];
    }
    squaredNorms[k] = this.#squaredNorm;
  }
}

function errorOf({ size: c, gram, rhs, squaredNorms }: Problems, k: number, x: Float64Array): number {
  let sum = squaredNorms[k];
  for (let a = 0; a < c; a++) {
    if (x[a] === 0) continue;
    let product = -2 * rhs[k * c + a];
    for (let b = 0; b < c; b++) product += gram[(k * c + a) * c + b] * x[b];
    sum += x[a] * product;
  }
  return sum;
}

function nonZeros(x: Float64Array): number {
  let count = 0;
  for (let s = 0; s < x.length; s++) if (x[s] !== 0) count++;
  return count;
}
