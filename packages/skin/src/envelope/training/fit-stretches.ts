/**
 * Scale and shear of the triangles once their rotations are predicted: the nine numbers of R_predᵀD − I on
 * [x, 1 − cos‖x‖] of the joints that the rotation listens to, through the origin, so that rest gives rest. One ridge for
 * the whole mesh, the one that predicts poses left out best.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 3.2).
 */
import type { GradientPredictors } from '@pelt/model';
import { predictTurn } from '../runtime/gradient-predictors.ts';
import { judgements, ridgeOperator } from './ridge-candidates.ts';
import type { RotationTargets } from './rotation-targets.ts';

/** Ridges that are tried. */
const RIDGES = [1e-3, 1e-2, 1e-1, 1];
/** Triangles that are asked, evenly over the mesh: a ridge needs no more. */
const ASKED = 2000;

/** The features of a set of joints, and what each ridge makes of them. */
interface StretchFit {
  readonly used: readonly number[];
  /** For each ridge 4·blocks × S */
  readonly operators: readonly Float64Array[];
  /** For each ridge S × S */
  readonly norms: readonly Float64Array[];
}

/** Fills `stretchMaps` for rotations that are fitted. */
export function fitStretches(targets: RotationTargets, predictors: GradientPredictors): void {
  const { S } = targets;
  const { slots, references, stretchMaps } = predictors;
  const f = references.length;
  const fits = new StretchFits(targets, predictors);
  const missed = new Float64Array(9 * S);
  const errors = new Float64Array(RIDGES.length);
  for (let k = 0; k < f; k += Math.max(1, Math.floor(f / ASKED))) {
    const fit = fits.of(k);
    if (!fit) continue;
    fits.missed(k, missed);
    fit.norms.forEach((N, r) => {
      errors[r] += weighedSquare(N, missed, S);
    });
  }
  const best = errors.indexOf(Math.min(...errors));
  for (let k = 0; k < f; k++) {
    const fit = fits.of(k);
    if (!fit) continue;
    fits.missed(k, missed);
    const operator = fit.operators[best];
    for (let s = 0; s < fit.used.length; s++) {
      for (let c = 0; c < 9; c++) {
        for (let a = 0; a < 4; a++) {
          let sum = 0;
          for (let t = 0; t < S; t++) sum += operator[(4 * s + a) * S + t] * missed[9 * t + c];
          stretchMaps[36 * (k * slots + s) + 4 * c + a] = sum;
        }
      }
    }
  }
}

class StretchFits {
  readonly #targets: RotationTargets;
  readonly #predictors: GradientPredictors;
  readonly #fits = new Map<string, StretchFit>();
  readonly #turn = new Float64Array(9);
  readonly #scratch = new Float64Array(12);

  constructor(targets: RotationTargets, predictors: GradientPredictors) {
    this.#targets = targets;
    this.#predictors = predictors;
  }

  /** Undefined for a triangle that listens to no joint. */
  of(k: number): StretchFit | undefined {
    const { slots, blocks } = this.#predictors;
    const used = Array.from(blocks.subarray(k * slots, (k + 1) * slots)).filter((block) => block >= 0);
    if (used.length === 0) return undefined;
    const known = this.#fits.get(used.join());
    if (known) return known;
    const { readings, S } = this.#targets;
    const features = Float64Array.from(
      readings.flatMap(({ values, versines }) =>
        used.flatMap((block) => [...values.subarray(3 * block, 3 * block + 3), versines[block]]),
      ),
    );
    const operators = RIDGES.map((ridge) => ridgeOperator(features, S, ridge));
    const fit = { used, operators, norms: operators.map((operator) => judgements(features, operator, S).leaveOneOut) };
    this.#fits.set(used.join(), fit);
    return fit;
  }

  /** R_predᵀD − I at every pose, S × 9. */
  missed(k: number, out: Float64Array): void {
    const { readings, gradients } = this.#targets;
    const predictors = this.#predictors;
    readings.forEach(({ rotations, values }, t) => {
      predictTurn(predictors, k, values, this.#scratch, this.#turn);
      stretchLeft(rotations, 9 * predictors.references[k], this.#turn, gradients[t], 9 * k, out, 9 * t);
    });
  }
}

/** Σ_c x_cᵀ N x_c over the nine columns of x, S × 9. */
function weighedSquare(N: Float64Array, x: Float64Array, S: number): number {
  let total = 0;
  for (let t = 0; t < S; t++) {
    for (let u = 0; u < S; u++) {
      let product = 0;
      for (let c = 0; c < 9; c++) product += x[9 * t + c] * x[9 * u + c];
      total += N[t * S + u] * product;
    }
  }
  return total;
}

/** (Q T)ᵀ D − I. */
export function stretchLeft(
  Q: Float64Array,
  q: number,
  T: Float64Array,
  D: Float64Array,
  d: number,
  out: Float64Array,
  o: number,
): void {
  for (let c = 0; c < 3; c++) {
    const x = Q[q] * D[d + c] + Q[q + 3] * D[d + 3 + c] + Q[q + 6] * D[d + 6 + c];
    const y = Q[q + 1] * D[d + c] + Q[q + 4] * D[d + 3 + c] + Q[q + 7] * D[d + 6 + c];
    const z = Q[q + 2] * D[d + c] + Q[q + 5] * D[d + 3 + c] + Q[q + 8] * D[d + 6 + c];
    for (let r = 0; r < 3; r++) out[o + 3 * r + c] = T[r] * x + T[3 + r] * y + T[6 + r] * z - (r === c ? 1 : 0);
  }
}
