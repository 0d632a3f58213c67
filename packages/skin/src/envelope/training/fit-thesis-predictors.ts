/**
 * Fits the predictors of the triangles' gradients as published: R = Q_parent exp(u₁W₁θ₁) exp(u₂W₂θ₂) over one or two
 * joints, W a rotation and u a factor. The joint of least error is kept, and a second one is fitted to its residual. For
 * a fixed joint Σ‖ρ − uWθ‖² is least at W = Procrustes(±Σρθᵀ), u = tr(WᵀΣρθᵀ)/Σ‖θ‖²; W does not depend on |u|, so that
 * no alternation is needed. Scale and shear are regressed on [θ₁ θ₂ 1], with a ridge towards the mean where the paper
 * has plain normal equations.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (sections 3.1 and 3.2).
 */
import { multiplyTransposed3, properRotation, rotationLogNear } from '@pelt/math';
import { checkCancelled, type GradientPredictors, type Run } from '@pelt/model';
import { predictRotation } from '../runtime/gradient-predictors.ts';
import type { PredictingSkeleton } from './fit-predictors.ts';
import { BATCH, stretchResidual } from './fit-stretches.ts';
import { ridgeOperator } from './ridge-candidates.ts';
import type { RotationTargets } from './rotation-targets.ts';

const SLOTS = 2;
const STRETCH_RIDGE = 1e-2;

interface JointFit {
  readonly joint: number;
  /** uW, 3 × 3 row-major */
  readonly map: Float64Array;
  readonly error: number;
}

export function fitThesisPredictors(
  targets: RotationTargets,
  { bones, dominant }: PredictingSkeleton,
  run: Run,
): GradientPredictors {
  const { f, S, readings } = targets;
  const joints = bones.flatMap(({ parent }, b) => (parent >= 0 ? [b] : []));
  const angles = bones.map((_, b) => readings.map(({ values }) => values.subarray(6 * b, 6 * b + 3)));
  const predictors: GradientPredictors = {
    form: 'product-of-exponentials',
    slots: SLOTS,
    references: Uint16Array.from(dominant),
    blocks: new Int32Array(f * SLOTS).fill(-1),
    rotationMaps: new Float64Array(9 * f * SLOTS),
    stretchMaps: new Float64Array(36 * f * SLOTS),
  };
  const all = Int32Array.from({ length: f }, (_, k) => k);
  const firsts: JointFit[] = [];
  const logs = new Float64Array(3 * S);
  for (const joint of joints) {
    checkCancelled(run);
    run.onProgress?.({ stage: 'fitting rotations', fraction: joint / bones.length });
    const relative = targets.logs(bones[joint].parent, [joint], all);
    for (let k = 0; k < f; k++) {
      if (k % BATCH === 0) checkCancelled(run);
      for (let t = 0; t < S; t++) logs.set(relative.subarray(3 * (t * f + k), 3 * (t * f + k + 1)), 3 * t);
      const fit = fitJoint(joint, angles[joint], logs);
      if (!firsts[k] || fit.error < firsts[k].error) firsts[k] = fit;
    }
  }
  firsts.forEach((first, k) => {
    if (k % BATCH === 0) checkCancelled(run);
    predictors.references[k] = bones[first.joint].parent;
    keep(predictors, k, 0, first);
    residuals(targets, predictors, k, logs);
    let second: JointFit | undefined;
    for (const joint of joints) {
      if (joint === first.joint) continue;
      const fit = fitJoint(joint, angles[joint], logs);
      if (!second || fit.error < second.error) second = fit;
    }
    if (second && second.error < first.error) keep(predictors, k, 1, second);
  });
  fitStretches(targets, predictors, run);
  return predictors;
}

function keep(predictors: GradientPredictors, k: number, slot: number, { joint, map }: JointFit): void {
  predictors.blocks[k * SLOTS + slot] = 2 * joint;
  predictors.rotationMaps.set(map, 9 * (k * SLOTS + slot));
}

/** The best uW for one joint over all poses. */
function fitJoint(joint: number, angles: readonly Float64Array[], logs: Float64Array): JointFit {
  const covariance = new Float64Array(9);
  let squares = 0;
  let total = 0;
  angles.forEach((theta, t) => {
    for (let r = 0; r < 3; r++) {
      total += logs[3 * t + r] ** 2;
      squares += theta[r] ** 2;
      // H = Σ θρᵀ: properRotation gives the rotation that takes θ to ρ.
      for (let c = 0; c < 3; c++) covariance[3 * r + c] += theta[r] * logs[3 * t + c];
    }
  });
  let best: JointFit = { joint, map: new Float64Array(9), error: total };
  if (squares === 0) return best;
  const W = new Float64Array(9);
  for (const sign of [1, -1]) {
    properRotation(
      covariance.map((value) => sign * value),
      0,
      W,
      0,
    );
    let trace = 0;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) trace += W[3 * r + c] * covariance[3 * c + r];
    const error = total - (trace * trace) / squares;
    if (error < best.error) best = { joint, map: W.map((value) => (value * trace) / squares), error };
  }
  return best;
}

/** The residual rotations of the first joint, log((Q exp(u₁W₁θ₁))ᵀ R), at every pose. */
function residuals(targets: RotationTargets, predictors: GradientPredictors, k: number, out: Float64Array): void {
  const scratch = new Float64Array(12);
  const [predicted, relative, rest] = [new Float64Array(9), new Float64Array(9), new Float64Array(9)];
  const none = new Float64Array(3);
  targets.readings.forEach(({ rotations, values }, t) => {
    predictRotation(predictors, k, values, scratch, predicted);
    multiplyTransposed3(rotations, 9 * predictors.references[k], targets.rotations[t], 9 * k, relative, 0);
    multiplyTransposed3(predicted, 0, relative, 0, rest, 0);
    rotationLogNear(rest, 0, none, 0, out, 3 * t);
  });
}

/** Regresses vec(R_predᵀD) on [θ₁ θ₂ 1], with centred features, so that the ridge pulls towards the mean. */
function fitStretches(targets: RotationTargets, predictors: GradientPredictors, run: Run): void {
  const { S, readings } = targets;
  const { blocks, references, stretchMaps } = predictors;
  const predicted = new Float64Array(9);
  const scratch = new Float64Array(12);
  const residual = new Float64Array(9 * S);
  for (let k = 0; k < references.length; k++) {
    if (k % BATCH === 0) checkCancelled(run);
    const used = Array.from(blocks.subarray(k * SLOTS, (k + 1) * SLOTS)).filter((block) => block >= 0);
    if (used.length === 0) continue;
    const d = 3 * used.length;
    const features = new Float64Array(S * d);
    readings.forEach(({ rotations, values }, t) => {
      used.forEach((block, s) => {
        features.set(values.subarray(3 * block, 3 * block + 3), t * d + 3 * s);
      });
      predictRotation(predictors, k, values, scratch, predicted);
      stretchResidual(rotations, 9 * references[k], predicted, targets.gradients[t], 9 * k, residual, 9 * t);
    });
    const means = columnMeans(features, d);
    const residualMeans = columnMeans(residual, 9);
    const operator = ridgeOperator(
      features.map((value, at) => value - means[at % d]),
      S,
      STRETCH_RIDGE,
    );
    for (let c = 0; c < 9; c++) {
      let constant = residualMeans[c];
      for (let a = 0; a < d; a++) {
        let sum = 0;
        for (let t = 0; t < S; t++) sum += operator[a * S + t] * (residual[9 * t + c] - residualMeans[c]);
        constant -= sum * means[a];
        stretchMaps[36 * (k * SLOTS + Math.floor(a / 3)) + 4 * c + (a % 3)] = sum;
      }
      stretchMaps[36 * k * SLOTS + 4 * c + 3] = constant;
    }
  }
}

function columnMeans(rows: Float64Array, columns: number): Float64Array {
  const means = new Float64Array(columns);
  rows.forEach((value, at) => {
    means[at % columns] += (value * columns) / rows.length;
  });
  return means;
}
