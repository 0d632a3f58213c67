/**
 * The enveloping error of a skin: how much of what rigid bones leave over it still misses,
 *
 *   √( Σₜₐ ‖yₜₐ − vₜₐ‖² / Σₜₐ ‖rₜₐ − vₜₐ‖² ),
 *
 * with y the skin's prediction, v the truth, and rₜₐ = Mₜⱼ p̂ₐ by the one bone j that serves vertex a best over all
 * poses. 0 is perfect, 1 no better than a rigid binding. It does not depend on how large the rigid parts of a model are,
 * which pull every mean over vertices towards 0.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007.
 */
import { requireLength } from '../require.ts';
import { TRANSFORM_SIZE } from '../rig.ts';

export interface EnvelopingError {
  /** The ratio over all vertices and poses. */
  readonly error: number;
  /** n ratios, one a vertex; NaN where a single bone is already exact, so that there is nothing to envelop. */
  readonly perVertex: Float64Array;
  /** Spread of the defined ratios over the vertices; all 0 where none is defined. */
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Single-bone error, relative to the model's size, below which a vertex counts as rigid: float32's own noise. */
const RIGID = 1e-6;

/**
 * The enveloping error of predicted poses: the share of the error of a rigid binding that is left. 0 is exact, 1 no
 * better than binding each vertex to the one bone that serves it best.
 *
 * @param rest        n × 3
 * @param transforms  S × m × 12, row-major 3 × 4 [R | t], rest → pose
 * @param truth       S × n × 3
 * @param predicted   S × n × 3
 * @example
 * {@includeCode ../../examples/envelope.ts}
 */
export function envelopingError(
  rest: Float32Array,
  transforms: Float64Array,
  truth: Float32Array,
  predicted: Float32Array,
): EnvelopingError {
  const n = rest.length / 3;
  const S = n === 0 ? 0 : truth.length / rest.length;
  requireLength('enveloping error: predicted', predicted, truth.length);
  const m = S === 0 ? 0 : transforms.length / (S * TRANSFORM_SIZE);
  requireLength('enveloping error: transforms', transforms, S * Math.floor(m) * TRANSFORM_SIZE);
  requireLength('enveloping error: truth', truth, Math.floor(S) * rest.length);

  const floor = S * (RIGID * sizeOf(rest)) ** 2;
  const perVertex = new Float64Array(n).fill(Number.NaN);
  let missed = 0;
  let left = 0;
  for (let a = 0; a < n; a++) {
    const rigid = bestSingleBone(rest, a, transforms, m, truth, S);
    let squared = 0;
    for (let t = 0; t < S; t++) {
      const k = t * rest.length + 3 * a;
      for (let c = 0; c < 3; c++) squared += (predicted[k + c] - truth[k + c]) ** 2;
    }
    missed += squared;
    left += rigid;
    if (rigid > floor) perVertex[a] = Math.sqrt(squared / rigid);
  }
  const defined = perVertex.filter((ratio) => !Number.isNaN(ratio)).sort();
  const rank = (q: number) => (defined.length === 0 ? 0 : defined[Math.max(0, Math.ceil(q * defined.length) - 1)]);
  return {
    error: left > 0 ? Math.sqrt(missed / left) : Math.sqrt(missed),
    perVertex,
    median: rank(0.5),
    p95: rank(0.95),
    max: rank(1),
  };
}

/** min over j of Σₜ ‖Mₜⱼ p̂ₐ − vₜₐ‖². */
function bestSingleBone(
  rest: Float32Array,
  a: number,
  transforms: Float64Array,
  m: number,
  truth: Float32Array,
  S: number,
): number {
  const x = rest[3 * a];
  const y = rest[3 * a + 1];
  const z = rest[3 * a + 2];
  let best = Number.POSITIVE_INFINITY;
  for (let j = 0; j < m; j++) {
    let sum = 0;
    for (let t = 0; t < S && sum < best; t++) {
      const M = (t * m + j) * TRANSFORM_SIZE;
      const v = t * rest.length + 3 * a;
      for (let c = 0; c < 3; c++) {
        const row = M + 4 * c;
        const moved = transforms[row] * x + transforms[row + 1] * y + transforms[row + 2] * z + transforms[row + 3];
        sum += (moved - truth[v + c]) ** 2;
      }
    }
    if (sum < best) best = sum;
  }
  return m === 0 ? 0 : best;
}

/** Largest distance of a coordinate from the first vertex's: within a factor of two of the model's extent. */
function sizeOf(rest: Float32Array): number {
  let size = 0;
  for (let k = 0; k < rest.length; k++) size = Math.max(size, Math.abs(rest[k] - rest[k % 3]));
  return size;
}
