/**
 * Least squares by few groups of columns: min ‖Y − X_G β‖² over sets G of groups and β, where groups join one by one, each
 * the one that explains most of what is left (orthogonal matching pursuit). X is known by its Gram matrix alone, of which a
 * pivoted Cholesky factorisation takes the columns that were chosen.
 *
 * Reference: Pati, Rezaiifar, Krishnaprasad. Orthogonal matching pursuit. 1993.
 */

/** Least squared pivot, as a share of the column's square: below is rounding. */
const LEAST_PIVOT = 1e-9;
/** Ridge of β, as a share of each column's square. */
const RIDGE = 1e-5;
/** What a group of one's own counts for, beside one that others have taken. */
const OWN = 0.5;

export interface PursuitProblem {
  /** Columns of each group. */
  readonly groups: readonly (readonly number[])[];
  /** Inner product of two columns. */
  readonly entry: (a: number, b: number) => number;
  /** W inner products of column a with all; may be overwritten by the next call */
  readonly column: (a: number) => Float64Array;
  /** W × outputs inner products of the columns with Y; overwritten */
  readonly cross: Float64Array;
  readonly outputs: number;
  /** ‖Y‖² */
  readonly total: number;
  /** Whether others have taken a group already, so that it costs nothing. */
  readonly isShared: (group: number) => boolean;
}

/** The chosen columns, and β, one row for each. */
export interface PursuitResult {
  readonly columns: readonly number[];
  readonly coefficients: Float64Array;
}

/**
 * @param most  of the groups
 * @param left  squared distance at which to stop
 */
export function pursueGroups(
  { groups, entry, column, cross, outputs, total, isShared }: PursuitProblem,
  { most, left }: { readonly most: number; readonly left: number },
): PursuitResult {
  const W = cross.length / outputs;
  const squares = Float64Array.from({ length: W }, (_, c) => (1 + RIDGE) * entry(c, c));
  const factor: Float64Array[] = [];
  const columns: number[] = [];
  const projections: Float64Array[] = [];
  const chosen = new Set<number>();
  /** Inner products of two columns without what is chosen. */
  const leftOf = (a: number, b: number) => {
    let sum = a === b ? squares[a] : entry(a, b);
    for (const v of factor) sum -= v[a] * v[b];
    return sum;
  };
  const take = (c: number) => {
    const pivot = leftOf(c, c);
    if (!(pivot > LEAST_PIVOT * squares[c])) return;
    const v = Float64Array.from(column(c));
    v[c] = squares[c];
    for (const other of factor) for (let a = 0; a < W; a++) v[a] -= other[a] * other[c];
    const scale = 1 / Math.sqrt(pivot);
    for (let a = 0; a < W; a++) v[a] *= scale;
    const projection = new Float64Array(outputs);
    for (let o = 0; o < outputs; o++) projection[o] = cross[c * outputs + o] * scale;
    for (let a = 0; a < W; a++) for (let o = 0; o < outputs; o++) cross[a * outputs + o] -= v[a] * projection[o];
    factor.push(v);
    columns.push(c);
    projections.push(projection);
    rest -= projection.reduce((sum, value) => sum + value * value, 0);
  };
  let rest = total;
  while (chosen.size < most && rest > left) {
    let [best, gain] = [-1, 0];
    groups.forEach((group, g) => {
      if (chosen.has(g)) return;
      const explained = explainedBy(group, leftOf, squares, cross, outputs) * (isShared(g) ? 1 : OWN);
      if (explained > gain) [best, gain] = [g, explained];
    });
    if (best < 0) break;
    chosen.add(best);
    for (const c of groups[best]) take(c);
  }
  return { columns, coefficients: backSubstituted(factor, columns, projections, outputs) };
}

/** What a group would explain of what is left. */
function explainedBy(
  group: readonly number[],
  leftOf: (a: number, b: number) => number,
  squares: Float64Array,
  cross: Float64Array,
  outputs: number,
): number {
  const rows: { c: number; factor: number[]; projection: number[] }[] = [];
  let sum = 0;
  for (const c of group) {
    const factor: number[] = [];
    let pivot = leftOf(c, c);
    for (const row of rows) {
      let value = leftOf(c, row.c);
      for (let k = 0; k < factor.length; k++) value -= factor[k] * row.factor[k];
      value /= row.factor[row.factor.length - 1];
      pivot -= value * value;
      factor.push(value);
    }
    if (!(pivot > LEAST_PIVOT * squares[c])) continue;
    const length = Math.sqrt(pivot);
    const projection: number[] = [];
    for (let o = 0; o < outputs; o++) {
      let value = cross[c * outputs + o];
      for (let k = 0; k < rows.length; k++) value -= factor[k] * rows[k].projection[o];
      projection.push(value / length);
      sum += (value / length) ** 2;
    }
    factor.push(length);
    rows.push({ c, factor, projection });
  }
  return sum;
}

/** β of Vᵀ β = ξ, with V the factor at the chosen columns, lower triangular. */
function backSubstituted(
  factor: readonly Float64Array[],
  columns: readonly number[],
  projections: readonly Float64Array[],
  outputs: number,
): Float64Array {
  const s = columns.length;
  const out = new Float64Array(s * outputs);
  for (let k = s - 1; k >= 0; k--) {
    for (let o = 0; o < outputs; o++) {
      let value = projections[k][o];
      for (let l = k + 1; l < s; l++) value -= factor[k][columns[l]] * out[l * outputs + o];
      out[k * outputs + o] = value / factor[k][columns[k]];
    }
  }
  return out;
}
