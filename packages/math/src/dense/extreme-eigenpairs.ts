/**
 * A few eigenpairs at one end of the spectrum of a symmetric operator that is given as a function y = Ax.
 *
 * Lanczos with full reorthogonalisation and thick restart: when the basis is full, the wanted half of the Ritz vectors
 * and the last direction are kept and the process goes on. One run sees one direction of each eigenspace only, so after
 * it has converged another starts orthogonal to what was found, until that finds nothing that belongs among the wanted:
 * multiple eigenvalues (a graph of several parts) come out with their multiplicity.
 *
 * For the small end of a matrix that can be factored give its inverse and ask for the large end: few products, not many.
 * Plain TypeScript; the work is the operator's.
 *
 * Reference: Wu, Simon. Thick-restart Lanczos method for large symmetric eigenvalue problems. 2000.
 */
import { NumericError } from '../errors.ts';
import { Random } from '../random.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

export interface ExtremeEigenpairsOptions {
  readonly end: 'largest' | 'smallest';
  /** Residual ‖Ax − λx‖ that counts as converged, relative to the largest eigenvalue seen */
  readonly relativeTolerance: number;
  /** Vectors of the basis beyond twice the wanted ones */
  readonly extraVectors: number;
  /** Products with A before it gives up */
  readonly maxProducts: number;
  readonly seed: number;
}

export const EXTREME_EIGENPAIRS_DEFAULTS: ExtremeEigenpairsOptions = {
  end: 'largest',
  relativeTolerance: 1e-10,
  extraVectors: 16,
  maxProducts: 20_000,
  seed: 1,
};

export interface ExtremeEigenpairs {
  /** count, from the end of the spectrum inwards */
  readonly values: Float64Array;
  /** n × count row-major; column k is the eigenvector of value k */
  readonly vectors: Float64Array;
  /** Products with A that it took */
  readonly products: number;
}

/**
 * A few eigenpairs at one end of the spectrum of a symmetric operator that is given by its products (thick-restart
 * Lanczos).
 *
 * @param multiply  sets out = Ax; neither array may be kept
 * @param n         size of A
 * @param count     number of pairs, at most n
 * @example
 * {@includeCode ../../examples/dense.ts}
 */
export function extremeEigenpairs(
  multiply: (x: Float64Array, out: Float64Array) => void,
  n: number,
  count: number,
  options: Partial<ExtremeEigenpairsOptions> = {},
): ExtremeEigenpairs {
  if (count > n) throw new NumericError(`extremeEigenpairs: ${count} pairs are more than the ${n} there are`);
  const search = new Lanczos(multiply, n, count, options);
  search.run();
  return search.result();
}

class Lanczos {
  readonly #multiply: (x: Float64Array, out: Float64Array) => void;
  readonly #n: number;
  readonly #count: number;
  readonly #sign: number;
  readonly #relativeTolerance: number;
  readonly #extraVectors: number;
  readonly #maxProducts: number;
  readonly #random: Random;
  /** Converged pairs of all runs, best first; values are those of ±A, so that the wanted ones are the largest. */
  #found: { value: number; vector: Float64Array }[] = [];
  #largest = 0;
  #products = 0;

  constructor(
    multiply: (x: Float64Array, out: Float64Array) => void,
    n: number,
    count: number,
    options: Partial<ExtremeEigenpairsOptions>,
  ) {
    const defaults = EXTREME_EIGENPAIRS_DEFAULTS;
    this.#multiply = multiply;
    this.#n = n;
    this.#count = count;
    this.#sign = (options.end ?? defaults.end) === 'largest' ? 1 : -1;
    this.#relativeTolerance = options.relativeTolerance ?? defaults.relativeTolerance;
    this.#extraVectors = options.extraVectors ?? defaults.extraVectors;
    this.#maxProducts = options.maxProducts ?? defaults.maxProducts;
    this.#random = new Random(options.seed ?? defaults.seed);
  }

  run(): void {
    if (this.#count === 0) return;
    for (let wanted = this.#count; ; wanted = 1) {
      wanted = Math.min(wanted, this.#n - this.#found.length);
      if (wanted === 0) return;
      const pairs = this.#runOnce(wanted);
      const worst = this.#found[this.#count - 1]?.value ?? Number.NEGATIVE_INFINITY;
      const better = pairs.filter((pair) => pair.value > worst + this.#relativeTolerance * this.#largest);
      this.#found.push(...pairs);
      this.#found.sort((a, b) => b.value - a.value);
      if (better.length === 0) return;
    }
  }

  result(): ExtremeEigenpairs {
    const count = this.#count;
    const best = this.#found.slice(0, count);
    const vectors = new Float64Array(this.#n * count);
    best.forEach(({ vector }, k) => {
      for (let i = 0; i < this.#n; i++) vectors[i * count + k] = vector[i];
    });
    const values = Float64Array.from(best, ({ value }) => this.#sign * value);
    return { values, vectors, products: this.#products };
  }

  /** The `wanted` largest pairs of ±A orthogonal to what was found before. */
  #runOnce(wanted: number): { value: number; vector: Float64Array }[] {
    const room = this.#n - this.#found.length;
    const size = Math.min(2 * wanted + this.#extraVectors, room);
    let basis = [this.#randomDirection([])];
    // The projected matrix; row and column `kept` hold the couplings of the kept vectors after a restart.
    let projected = new Float64Array(size * size);
    for (let kept = 0; ; ) {
      let coupling = 0;
      for (let j = kept; j < size; j++) {
        const next = new Float64Array(this.#n);
        projected[j * size + j] = this.#apply(basis[j], next);
        const before = norm(next);
        this.#orthogonalize(next, basis);
        coupling = norm(next);
        if (coupling <= 1e-14 * Math.max(before, this.#largest)) {
          // The basis spans an invariant space; go on from anywhere outside it, uncoupled.
          coupling = 0;
          if (basis.length < room) basis.push(this.#randomDirection(basis));
        } else basis.push(next.map((x) => x / coupling));
        if (j + 1 < size) projected[(j + 1) * size + j] = projected[j * size + j + 1] = coupling;
      }
      const { values, vectors } = symmetricEigen(projected, size);
      this.#largest = Math.max(this.#largest, Math.abs(values[0]), Math.abs(values[size - 1]));
      const residual = (k: number) => Math.abs(coupling * vectors[(size - 1) * size + k]);
      const limit = this.#relativeTolerance * this.#largest;
      const columns = Array.from({ length: size }, (_, k) => size - 1 - k);
      const done = columns.slice(0, wanted).every((k) => residual(k) <= limit);
      if (done) return combine(basis, vectors, size, columns.slice(0, wanted), values);
      if (this.#products >= this.#maxProducts) {
        throw new NumericError(
          `extremeEigenpairs: not converged after ${this.#products} products; ask for fewer pairs or give the inverse`,
        );
      }
      kept = Math.min(wanted + ((size - wanted) >> 1), size - 1);
      const ritz = combine(basis, vectors, size, columns.slice(0, kept), values);
      const last = basis[size] ?? this.#randomDirection(ritz.map((pair) => pair.vector));
      const restarted = new Float64Array(size * size);
      ritz.forEach((pair, k) => {
        restarted[k * size + k] = pair.value;
        const link = coupling * vectors[(size - 1) * size + columns[k]];
        restarted[kept * size + k] = restarted[k * size + kept] = link;
      });
      basis = [...ritz.map((pair) => pair.vector), last];
      projected = restarted;
    }
  }

  /** out = ±A x; returns xᵀ(±A)x. */
  #apply(x: Float64Array, out: Float64Array): number {
    this.#products++;
    this.#multiply(x, out);
    let sum = 0;
    for (let i = 0; i < this.#n; i++) {
      out[i] *= this.#sign;
      sum += x[i] * out[i];
    }
    if (!Number.isFinite(sum)) throw new NumericError('extremeEigenpairs: the operator gave what is not finite');
    return sum;
  }

  /** Twice: what rounding leaves after one projection is gone after two. */
  #orthogonalize(x: Float64Array, basis: readonly Float64Array[]): void {
    for (let pass = 0; pass < 2; pass++) {
      for (const { vector } of this.#found) removeDirection(x, vector);
      for (const vector of basis) removeDirection(x, vector);
    }
  }

  #randomDirection(basis: readonly Float64Array[]): Float64Array {
    for (;;) {
      const x = Float64Array.from({ length: this.#n }, () => this.#random.normal());
      const before = norm(x);
      this.#orthogonalize(x, basis);
      const length = norm(x);
      // In a small space nearly all of a vector can lie in the basis; the next one is another.
      if (length > 1e-8 * before) return x.map((value) => value / length);
    }
  }
}

/** Ritz vectors: the basis times the given columns of the small eigenvectors. */
function combine(
  basis: readonly Float64Array[],
  small: Float64Array,
  size: number,
  columns: readonly number[],
  values: Float64Array,
): { value: number; vector: Float64Array }[] {
  return columns.map((k) => {
    const vector = new Float64Array(basis[0].length);
    for (let j = 0; j < size; j++) {
      const factor = small[j * size + k];
      for (let i = 0; i < vector.length; i++) vector[i] += factor * basis[j][i];
    }
    return { value: values[k], vector };
  });
}

function removeDirection(x: Float64Array, direction: Float64Array): void {
  let dot = 0;
  for (let i = 0; i < x.length; i++) dot += x[i] * direction[i];
  for (let i = 0; i < x.length; i++) x[i] -= dot * direction[i];
}

function norm(x: Float64Array): number {
  let sum = 0;
  for (const value of x) sum += value * value;
  return Math.sqrt(sum);
}
