/**
 * All eigenpairs of a symmetric tridiagonal matrix by divide and conquer: T = diag(T₁, T₂) + ρzzᵀ, both halves solved in
 * the same way, the rank-one change by the secular equation. What hardly couples is deflated first: a small zᵢ leaves
 * its pair as it is, two close eigenvalues are rotated so that one of their z vanishes.
 *
 * Nearly all the work is two matrix products a merge, so it is several times as fast as QL with vectors for hundreds of
 * unknowns. The leaves are solved by QL.
 *
 * References: Cuppen. A divide and conquer method for the symmetric tridiagonal eigenproblem. 1981. Gu, Eisenstat. A
 * divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem. 1995.
 */
import { exponentOf } from '../elementary/exponential.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';
import { ascendingOrder, combineRows, type DividedRows, LEFT, placeRows, RIGHT, rotateRows } from './divided-rows.ts';
import { implicitQlInPlace } from './implicit-ql.ts';
import { solveSecular } from './secular.ts';

/** Largest block that QL solves. */
const LEAF = 32;
/** What couples less than this, relative to the norm of the block, does not couple. */
const NEGLIGIBLE = 8 * 2 ** -52;

/**
 * @param scope        owns the vectors
 * @param diagonal     n; destroyed
 * @param subdiagonal  n, in its first n − 1 places; destroyed
 * @returns  ascending eigenvalues, and the eigenvectors as rows, n × n
 */
export function tridiagonalEigenInPlace(
  numerics: Numerics,
  scope: Scope,
  diagonal: Float64Array,
  subdiagonal: Float64Array,
): { values: Float64Array; rows: Block<Float64Array> } {
  const n = diagonal.length;
  const rows = scope.f64(n * n);
  solve(numerics, diagonal, subdiagonal, rows, 0, n);
  return { values: diagonal, rows };
}

function solve(
  numerics: Numerics,
  d: Float64Array,
  e: Float64Array,
  rows: Block<Float64Array>,
  begin: number,
  end: number,
): void {
  if (end - begin <= LEAF) {
    solveLeaf(d, e, rows.view, begin, end);
    return;
  }
  const split = (begin + end) >> 1;
  const coupling = e[split - 1];
  d[split - 1] -= Math.abs(coupling);
  d[split] -= Math.abs(coupling);
  solve(numerics, d, e, rows, begin, split);
  solve(numerics, d, e, rows, split, end);
  merge(numerics, d, { rows, stride: d.length, begin, split, end }, coupling);
}

function solveLeaf(d: Float64Array, e: Float64Array, rows: Float64Array, begin: number, end: number): void {
  const size = end - begin;
  const values = d.slice(begin, end);
  const vectors = new Float64Array(size * size);
  for (let k = 0; k < size; k++) vectors[k * size + k] = 1;
  implicitQlInPlace(values, e.slice(begin, end), vectors, size);
  ascendingOrder(values).forEach((from, k) => {
    d[begin + k] = values[from];
    rows.set(vectors.subarray(from * size, (from + 1) * size), (begin + k) * d.length + begin);
  });
}

/** From the eigenpairs of both halves to those of the whole. */
function merge(numerics: Numerics, d: Float64Array, vectors: DividedRows, coupling: number): void {
  const { begin, split, end, stride } = vectors;
  const view = vectors.rows.view;
  // z = the last entries of the left vectors and the first of the right ones, of unit length; hence the 2 in ρ.
  const z = Float64Array.from({ length: end - begin }, (_, k) => {
    const row = (begin + k) * stride;
    return Math.SQRT1_2 * (begin + k < split ? view[row + split - 1] : Math.sign(coupling) * view[row + split]);
  });
  const rho = 2 * Math.abs(coupling);
  const values = d.slice(begin, end);
  const support = Array.from(values, (_, k) => (begin + k < split ? LEFT : RIGHT));
  let norm = rho;
  for (const value of values) norm = Math.max(norm, Math.abs(value));
  const { coupled, deflated } = deflate(values, z, rho, NEGLIGIBLE * norm, support, vectors);

  const scope = numerics.scope();
  try {
    const k = coupled.length;
    const newValues = new Float64Array(end - begin);
    // A block can be tiny as a whole, and 1/ρ infinite; a power of two costs no digits.
    const unit = 2 ** exponentOf(norm);
    const poles = Float64Array.from(coupled, (i) => values[i] / unit);
    const weights = Float64Array.from(coupled, (i) => z[i]);
    const secular = solveSecular(numerics, scope, { poles, weights, inverseRho: unit / rho });
    for (let j = 0; j < k; j++) newValues[j] = unit * (poles[secular.origins[j]] + secular.shifts[j]);
    deflated.forEach((i, place) => {
      newValues[k + place] = values[i];
    });
    const combined = combineRows(
      numerics,
      scope,
      vectors,
      coupled.map((i) => begin + i),
      coupled.map((i) => support[i]),
      secular.vectors,
    );
    const order = ascendingOrder(newValues);
    const places = order.map((_, p) => begin + p);
    placeRows(
      vectors,
      places,
      order,
      combined.view,
      deflated.map((i) => begin + i),
    );
    order.forEach((from, p) => {
      d[begin + p] = newValues[from];
    });
  } finally {
    scope.dispose();
  }
}

/** Splits the pairs into those that couple, ascending, and the rest; rotates close ones apart. Values and z change. */
function deflate(
  values: Float64Array,
  z: Float64Array,
  rho: number,
  tolerance: number,
  support: number[],
  vectors: DividedRows,
): { coupled: number[]; deflated: number[] } {
  const coupled: number[] = [];
  const deflated: number[] = [];
  let previous = -1;
  for (const j of ascendingOrder(values)) {
    if (rho * Math.abs(z[j]) <= tolerance) {
      deflated.push(j);
      continue;
    }
    if (previous >= 0) {
      const length = Math.hypot(z[j], z[previous]);
      const cosine = z[j] / length;
      const sine = -z[previous] / length;
      if (Math.abs((values[j] - values[previous]) * cosine * sine) <= tolerance) {
        z[j] = length;
        rotateRows(vectors, vectors.begin + previous, vectors.begin + j, cosine, sine);
        const [low, high] = [values[previous], values[j]];
        values[previous] = low * cosine * cosine + high * sine * sine;
        values[j] = low * sine * sine + high * cosine * cosine;
        support[j] |= support[previous];
        deflated.push(previous);
      } else coupled.push(previous);
    }
    previous = j;
  }
  if (previous >= 0) coupled.push(previous);
  return { coupled, deflated };
}
