/**
 * What a palette moves: for each of its transforms that moves any vertex, the middle and extent of its vertices, and the
 * moments Σ_i α_ib α_ib' x_ib x_ib'ᵀ of their places x_ib = [(p_i − z_b) / ρ_b, 1] about these.
 */
import { boundsOf, diagonalOf, type ReducedEnvelope } from '@pelt/model';

/** Unknowns of a transform in each of x, y and z. */
export const PLACE = 4;

/** Least extent of the vertices of a transform, relative to the model's size. */
const LEAST_EXTENT = 1e-3;
/** Least squared pivot, as a share of the trace: below, a direction has no vertices. */
const LEAST_PIVOT = 1e-6;

export interface PaletteMoments {
  /** B transforms with vertices */
  readonly entries: Uint16Array;
  /** B × 3, z */
  readonly middles: Float64Array;
  /** B, ρ: root mean square distance from the middle */
  readonly extents: Float64Array;
  /** 4B × 4B */
  readonly matrix: Float64Array;
  /** Adds Σ_i α_ib x_ib d_ic to `out`, 4B × 3, for n × 3 vectors d. */
  readonly project: (d: Float64Array, out: Float64Array) => void;
}

export function paletteMoments({ rig, skin }: Pick<ReducedEnvelope, 'rig' | 'skin'>): PaletteMoments {
  const { positions } = rig.mesh;
  const { slots, bones, weights } = skin;
  const used = new Set<number>();
  weights.forEach((weight, s) => {
    if (weight !== 0) used.add(bones[s]);
  });
  const entries = Uint16Array.from(used).sort();
  const numbers = new Map(Array.from(entries, (entry, b) => [entry, b]));
  const B = entries.length;
  const { middles, extents } = placesOf(positions, skin, numbers, B);
  const width = PLACE * B;
  const row = (i: number): { places: number[]; values: number[] } => {
    const [places, values]: [number[], number[]] = [[], []];
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      if (weights[s] === 0) continue;
      const b = numbers.get(bones[s]) as number;
      for (let c = 0; c < PLACE; c++) {
        places.push(PLACE * b + c);
        values.push(weights[s] * (c < 3 ? (positions[3 * i + c] - middles[3 * b + c]) / extents[b] : 1));
      }
    }
    return { places, values };
  };
  const matrix = new Float64Array(width * width);
  for (let i = 0; 3 * i < positions.length; i++) {
    const { places, values } = row(i);
    for (let r = 0; r < places.length; r++) {
      for (let c = 0; c < places.length; c++) matrix[places[r] * width + places[c]] += values[r] * values[c];
    }
  }
  const project = (d: Float64Array, out: Float64Array) => {
    for (let i = 0; 3 * i < positions.length; i++) {
      const { places, values } = row(i);
      for (let r = 0; r < places.length; r++) {
        for (let c = 0; c < 3; c++) out[3 * places[r] + c] += values[r] * d[3 * i + c];
      }
    }
  };
  return { entries, middles, extents, matrix, project };
}

function placesOf(
  positions: Float32Array,
  { slots, bones, weights }: ReducedEnvelope['skin'],
  numbers: ReadonlyMap<number, number>,
  B: number,
) {
  const [totals, middles, extents] = [new Float64Array(B), new Float64Array(3 * B), new Float64Array(B)];
  const each = (visit: (b: number, i: number, share: number) => void) => {
    weights.forEach((weight, s) => {
      if (weight !== 0) visit(numbers.get(bones[s]) as number, Math.floor(s / slots), weight * weight);
    });
  };
  each((b, i, share) => {
    totals[b] += share;
    for (let c = 0; c < 3; c++) middles[3 * b + c] += share * positions[3 * i + c];
  });
  for (let k = 0; k < 3 * B; k++) middles[k] /= totals[Math.floor(k / 3)];
  each((b, i, share) => {
    for (let c = 0; c < 3; c++) extents[b] += share * (positions[3 * i + c] - middles[3 * b + c]) ** 2;
  });
  // What vertices at nearly one place say of a linear part is rounding.
  const least = LEAST_EXTENT * diagonalOf(boundsOf(positions)) || 1;
  for (let b = 0; b < B; b++) extents[b] = Math.max(Math.sqrt(extents[b] / totals[b]), least);
  return { middles, extents };
}

/**
 * L of a 4 × 4 block M = L Lᵀ of a matrix, from a place of its diagonal on. Moments of coplanar vertices are singular; the
 * columns of directions without vertices are zero.
 */
export function lowerFactor(matrix: Float64Array, width: number, first: number): Float64Array {
  const L = new Float64Array(PLACE * PLACE);
  let trace = 0;
  for (let k = first; k < first + PLACE; k++) trace += matrix[k * width + k];
  for (let j = 0; j < PLACE; j++) {
    for (let i = j; i < PLACE; i++) {
      let sum = matrix[(first + i) * width + first + j];
      for (let k = 0; k < j; k++) sum -= L[PLACE * i + k] * L[PLACE * j + k];
      if (i > j) L[PLACE * i + j] = sum / L[PLACE * j + j];
      else if (sum > LEAST_PIVOT * trace) L[PLACE * j + j] = Math.sqrt(sum);
      else break;
    }
  }
  return L;
}
