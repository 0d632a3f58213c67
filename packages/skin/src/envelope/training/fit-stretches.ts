/**
 * Fits scale and shear of the triangles once their rotations are predicted: ridge regression of the nine entries of
 * R_predᵀD − I on [x, 1 − cos‖x‖] of the joints that the rotation depends on, without a constant, so that rest is
 * reproduced. One ridge for the whole mesh, the one of the least leave-one-out error.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 3.2).
 */
import { checkCancelled, type GradientPredictors, type RunContext } from '@pelt/model';
import { predictRotation } from '../runtime/gradient-predictors.ts';
import { errorForms, ridgeOperator } from './ridge-candidates.ts';
import type { RotationTargets } from './rotation-targets.ts';

/** Candidate ridges. */
const RIDGES = [1e-3, 1e-2, 1e-1, 1];
/** Most triangles by which the ridge is chosen, evenly spaced over the mesh. */
const ASKED = 2000;
/** Triangles between two looks at the signal. */
export const BATCH = 1024;

/** Ridge regression on the features of one set of joints. */
interface StretchFit {
  readonly used: readonly number[];
  /** 4·blocks × S for each ridge */
  readonly operators: readonly Float64Array[];
  /** S × S for each ridge */
  readonly norms: readonly Float64Array[];
}

/** Fills `stretchMaps`, given fitted rotations. */
export function fitStretches(targets: RotationTargets, predictors: GradientPredictors, run: RunContext): void {
  const { S } = targets;
  const { slots, references, stretchMaps } = predictors;
  const f = references.length;
  const fits = new StretchFits(targets, predictors);
  const residual = new Float64Array(9 * S);
  const errors = new Float64Array(RIDGES.length);
  for (let k = 0; k < f; k += Math.max(1, Math.floor(f / ASKED))) {
    const fit = fits.of(k);
    if (!fit) continue;
    fits.residual(k, residual);
    fit.norms.forEach((N, r) => {
      errors[r] += quadraticForm(N, residual, S);
    });
  }
  const best = errors.indexOf(Math.min(...errors));
  for (let k = 0; k < f; k++) {
    if (k % BATCH === 0) checkCancelled(run);
    const fit = fits.of(k);
    if (!fit) continue;
    fits.residual(k, residual);
    const operator = fit.operators[best];
    for (let s = 0; s < fit.used.length; s++) {
      for (let c = 0; c < 9; c++) {
        for (let a = 0; a < 4; a++) {
          let sum = 0;
          for (let t = 0; t < S; t++) sum += operator[(4 * s + a) * S + t] * residual[9 * t + c];
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
  readonly #rotation = new Float64Array(9);
  readonly #scratch = new Float64Array(12);

  constructor(targets: RotationTargets, predictors: GradientPredictors) {
    this.#targets = targets;
    this.#predictors = predictors;
  }

  /** Undefined for a triangle that depends on no joint. */
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
    const fit = { used, operators, norms: operators.map((operator) => errorForms(features, operator, S).leaveOneOut) };
    this.#fits.set(used.join(), fit);
    return fit;
  }

  /** R_predᵀD − I at every pose, S × 9. */
  residual(k: number, out: Float64Array): void {
    const { readings, gradients } = this.#targets;
    const predictors = this.#predictors;
    readings.forEach(({ rotations, values }, t) => {
      predictRotation(predictors, k, values, this.#scratch, this.#rotation);
      stretchResidual(rotations, 9 * predictors.references[k], this.#rotation, gradients[t], 9 * k, out, 9 * t);
    });
  }
}

/** Σ_c x_cᵀ N x_c over the nine columns of x, S × 9. */
function quadraticForm(N: Float64Array, x: Float64Array, S: number): number {
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
export function stretchResidual(
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
