/**
 * Weights under a mask that somebody has painted: of some pairs of a vertex and a bone, the weight is kept as it is, of others
 * it is 0. With the kept weights k, of sum 1 − s, the others of a vertex are those that minimise
 *
 *   ‖Σ_j w_j x_j − r‖²,  r = v − Σ_k w_k x_k,  w ≥ 0,  Σ_j w_j = s,
 *
 * over the free bones, at most as many as slots are left. With w = s u it is a problem on the simplex. All products follow from
 * those that every weight step has, so that no trajectory is touched.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { type Numerics, simplexLeastSquares } from '@pelt/math';

/** What is wanted of the weight of a bone at a vertex; n × m of them are a mask. */
export const PAINT = { free: 0, keep: 1, forbid: 2 } as const;

/** A mask with the weights that it keeps. */
export interface WeightMask {
  /** n × m of `PAINT` */
  readonly states: Uint8Array;
  /** n × m weights, used where the state is `keep` */
  readonly weights: Float32Array;
}

/** What is left to share out below this is rounding. */
const NOTHING = 1e-6;

export class PaintedWeights {
  readonly #numerics: Numerics;
  readonly #mask: WeightMask;
  readonly #m: number;
  readonly #K: number;
  /** Vertices with a mask of their own. */
  readonly #painted: number[] = [];

  /** @param mask  over n vertices and m bones, whose vertices each have a free bone, or kept weights of sum 1 */
  constructor(numerics: Numerics, mask: WeightMask, m: number, slots: number) {
    this.#numerics = numerics;
    this.#mask = mask;
    this.#m = m;
    this.#K = slots;
    for (let i = 0; i * m < mask.states.length; i++) {
      if (mask.states.subarray(i * m, (i + 1) * m).some((state) => state !== PAINT.free)) this.#painted.push(i);
    }
  }

  /** Solves the weights of painted vertices again, and their errors. */
  apply(system: SkinningSystem): void {
    if (this.#painted.length === 0) return;
    const products = system.boneProducts();
    const { rest, gram, squaredNorms } = system.vertexFields();
    const [p, vv] = [rest.view, squaredNorms.view];
    const left = new Map<number, Problem[]>();
    const { bones, weights } = system.editWeights();
    for (const i of this.#painted) {
      const problem = this.#problemOf(i, products, gram.view, monomials(p, i), vv[i]);
      if (problem.share === 0) {
        this.#write(problem, [], bones, weights);
        system.error.view[i] = Math.max(problem.squared, 0);
        continue;
      }
      const slots = this.#K - problem.kept.length;
      left.set(slots, [...(left.get(slots) ?? []), problem]);
    }
    for (const [slots, problems] of left) {
      const m = this.#m;
      const solved = simplexLeastSquares(
        this.#numerics,
        {
          size: m,
          gram: joined(problems.map(({ gram: own }) => own)),
          rhs: joined(problems.map(({ rhs }) => rhs)),
          squaredNorms: Float64Array.from(problems, ({ squared }) => squared),
        },
        { limit: slots },
      );
      problems.forEach((problem, k) => {
        const u = solved.subarray(k * m, (k + 1) * m);
        this.#write(problem, u, bones, weights);
        system.error.view[problem.vertex] = Math.max(problem.share ** 2 * squaredError(problem, u), 0);
      });
    }
  }

  /** The problem of a vertex over all bones, those that are not free out of reach. */
  #problemOf(i: number, products: Float64Array, G: Float64Array, q: Float64Array, vv: number): Problem {
    const m = this.#m;
    const { states, weights } = this.#mask;
    const kept: { readonly bone: number; readonly weight: number }[] = [];
    for (let j = 0; j < m; j++) {
      const weight = weights[i * m + j];
      if (states[i * m + j] === PAINT.keep && weight > 0) kept.push({ bone: j, weight });
    }
    const rest = 1 - kept.reduce((sum, { weight }) => sum + weight, 0);
    const share = rest > NOTHING ? rest : 0;
    const product = (j: number, k: number) => {
      let sum = 0;
      for (let d = 0; d < 10; d++) sum += G[(j * m + k) * 10 + d] * q[d];
      return sum;
    };
    // r·x_j and ‖r‖²
    const rhs = new Float64Array(m);
    let squared = vv;
    for (let j = 0; j < m; j++) {
      rhs[j] = products[i * m + j];
      for (const { bone, weight } of kept) rhs[j] -= weight * product(j, bone);
    }
    for (const { bone, weight } of kept) squared -= weight * (products[i * m + bone] + rhs[bone]);
    const scale = share || 1;
    squared /= scale ** 2;
    const gram = new Float64Array(m * m);
    let largest = squared;
    for (let j = 0; j < m; j++) {
      rhs[j] /= scale;
      for (let k = 0; k <= j; k++) gram[j * m + k] = gram[k * m + j] = product(j, k);
      largest = Math.max(largest, gram[j * m + j]);
    }
    for (let j = 0; j < m; j++) {
      if (states[i * m + j] === PAINT.free) continue;
      for (let k = 0; k < m; k++) gram[j * m + k] = gram[k * m + j] = 0;
      gram[j * m + j] = FAR * largest;
      rhs[j] = -FAR * largest;
    }
    return { vertex: i, kept, share, gram, rhs, squared };
  }

  #write({ vertex, kept, share }: Problem, u: ArrayLike<number>, bones: Int32Array, weights: Float64Array): void {
    const first = vertex * this.#K;
    bones.fill(0, first, first + this.#K);
    weights.fill(0, first, first + this.#K);
    let slot = first;
    for (const { bone, weight } of kept) {
      bones[slot] = bone;
      weights[slot++] = weight;
    }
    for (let j = 0; j < u.length && slot < first + this.#K; j++) {
      if (!(u[j] > 0)) continue;
      bones[slot] = j;
      weights[slot++] = share * u[j];
    }
  }
}

/** Distance of bones that are out of reach, relative to the largest. */
const FAR = 1e6;

interface Problem {
  readonly vertex: number;
  readonly kept: readonly { readonly bone: number; readonly weight: number }[];
  /** s; 0 where all is kept */
  readonly share: number;
  /** m × m */
  readonly gram: Float64Array;
  readonly rhs: Float64Array;
  readonly squared: number;
}

/** ‖Σ u_j x_j − r / s‖² */
function squaredError({ gram, rhs, squared }: Problem, u: ArrayLike<number>): number {
  let value = squared;
  for (let j = 0; j < u.length; j++) {
    if (u[j] === 0) continue;
    value -= 2 * u[j] * rhs[j];
    for (let k = 0; k < u.length; k++) if (u[k] !== 0) value += u[j] * u[k] * gram[j * u.length + k];
  }
  return value;
}

/** The coefficients of ‖M p̂‖² in a Gram matrix of bones. */
function monomials(p: Float64Array, i: number): Float64Array {
  const [x, y, z] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
  return Float64Array.of(x * x, 2 * x * y, 2 * x * z, 2 * x, y * y, 2 * y * z, 2 * y, z * z, 2 * z, 1);
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
