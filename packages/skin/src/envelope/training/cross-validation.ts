/**
 * Chooses by k-fold cross-validation what depends on the data: which vertices are near-rigid, how strongly the others are
 * pulled towards pose space deformation, whether that, or linear blending over added joints, does better altogether, and
 * whether displacements help.
 *
 * Every fold is predicted by a skin trained on the other folds. Gradients and blends of the held-out examples do not
 * depend on the parameters, so trying one costs one factorisation per fold and one solve per held-out example. The
 * joints' ranges are those of all examples, since poses are known where shapes are held out. Parameters are chosen one
 * after the other (coordinate descent), the pull once more at the end where the others changed.
 */
import { checkCancelled, type Envelope, type Run, stageOf } from '@pelt/model';
import { BlendedPose } from '../runtime/blended-pose.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { GradientPrediction } from '../runtime/gradient-predictors.ts';
import { GradientSurface } from '../runtime/gradient-surface.ts';
import { type Examples, without } from './examples.ts';
import { type EnvelopeChoice, type LearntForm, TrainingParts, type TrainingSetup } from './training-parts.ts';

/** Candidates of each parameter, one where the caller has chosen. The search starts at the first of each. */
export interface ChoicesToTry {
  readonly pulls: readonly number[];
  readonly tolerances: readonly number[];
  readonly heldShares: readonly number[];
  /** Whether pose space deformation, or linear blending over added joints, may take over. */
  readonly fallback: boolean;
  /** Whether displacements will be added. */
  readonly correction: boolean;
}

/** Mean squared distances over the held-out examples, each with displacements where they help. */
export interface CrossValidationErrors {
  /** Rotational regression. */
  readonly learnt: number;
  /** Linear blending. */
  readonly psd: number;
  /** Linear blending over added joints. */
  readonly addedJoints: number;
}

const MOST_FOLDS = 4;
/** A rival takes over where its squared error is below this fraction of the learnt skin's. */
const FALLBACK_GAIN = 0.97;
/** Displacements, which make the examples exact, are dropped where they raise the squared error by this factor. */
const DISPLACEMENT_LOSS = 1.01;
/** Most held-out examples per fold that are evaluated, evenly spaced. */
const MOST_JUDGED = 5;
/** Fraction of the run that trains the folds. */
const TRAINING = 0.6;

export function chooseByCrossValidation(
  examples: Examples,
  setup: TrainingSetup,
  { pulls, tolerances, heldShares, fallback, correction }: ChoicesToTry,
  run: Run,
): { choice: EnvelopeChoice; errors: CrossValidationErrors | undefined } {
  const count = Math.min(MOST_FOLDS, examples.poses.length);
  const folds = Array.from({ length: count }, (_, fold) => {
    const inner = stageOf(run, (TRAINING * fold) / count, (TRAINING * (fold + 1)) / count);
    return new Fold(examples, setup, fold, count, inner);
  });
  // Every pull may be tried twice, and three forms with displacements and without.
  const most = 2 * pulls.length + tolerances.length + heldShares.length + 6;
  let tried = 0;
  const sumOver = (errorOf: (fold: Fold) => number) => {
    run.onProgress?.({ stage: 'choosing', fraction: TRAINING + (1 - TRAINING) * Math.min(1, tried++ / most) });
    return folds.reduce((sum, fold) => sum + errorOf(fold), 0);
  };
  const start: EnvelopeChoice = {
    pull: pulls[0],
    tolerance: tolerances[0],
    heldShare: heldShares[0],
    skin: 'regression',
    displaced: correction,
  };
  let choice = start;
  let least = sumOver((fold) => fold.error(start));
  const improve = (others: readonly EnvelopeChoice[]) => {
    const before = choice;
    for (const other of others) {
      const error = sumOver((fold) => fold.error(other));
      if (error < least) [choice, least] = [other, error];
    }
    return choice !== before;
  };
  const withPulls = () => pulls.filter((pull) => pull !== choice.pull).map((pull) => ({ ...choice, pull }));
  improve(withPulls());
  const changed = [
    improve(tolerances.slice(1).map((tolerance) => ({ ...choice, tolerance }))),
    improve(heldShares.slice(1).map((heldShare) => ({ ...choice, heldShare }))),
  ];
  if (changed.some(Boolean)) improve(withPulls());
  const points = folds.reduce((sum, fold) => sum + fold.points, 0);
  /** A form of the skin, with displacements where they help. */
  const finished = (skin: LearntForm): { choice: EnvelopeChoice; error: number } => {
    const [bare, full] = [false, true].map((displaced) => ({ ...choice, skin, displaced }));
    const bareError = sumOver((fold) => fold.finalError(bare)) / points;
    if (!correction) return { choice: bare, error: bareError };
    const error = sumOver((fold) => fold.finalError(full)) / points;
    return error < DISPLACEMENT_LOSS * bareError ? { choice: full, error } : { choice: bare, error: bareError };
  };
  const learnt = finished('regression');
  if (!fallback) return { choice: learnt.choice, errors: undefined };
  const [psd, added] = [finished('psd'), finished('added-joints')];
  const rival = added.error < psd.error ? added : psd;
  const errors = { learnt: learnt.error, psd: psd.error, addedJoints: added.error };
  return { choice: (rival.error < FALLBACK_GAIN * learnt.error ? rival : learnt).choice, errors };
}

/** Held-out examples, the skin trained on the others, and what of its prediction does not depend on the parameters. */
class Fold {
  /** Vertices of all held-out examples. */
  readonly points: number;
  readonly #run: Run;
  readonly #parts: TrainingParts;
  readonly #heldOut: readonly {
    readonly pose: Float64Array;
    readonly shape: Float32Array;
    /** f × 9 */
    readonly gradients: Float64Array;
    /** n × 3, linear blending */
    readonly plain: Float64Array;
    /** n × 3, pose space deformation */
    readonly displaced: Float64Array;
  }[];

  constructor(examples: Examples, setup: TrainingSetup, fold: number, count: number, run: Run) {
    const heldOut = Array.from(examples.poses.keys()).filter((t) => t % count === fold);
    this.#run = run;
    this.#parts = new TrainingParts(without(examples, new Set(heldOut)), setup, run);
    const { base, predictors } = this.#parts;
    const { positions, triangles } = base.rig.mesh;
    const step = Math.max(1, heldOut.length / MOST_JUDGED);
    const judged = heldOut.filter((_, k) => Math.floor(k / step) > Math.floor((k - 1) / step));
    const prediction = predictors && new GradientPrediction(predictors);
    const blended = new BlendedPose(positions, base.rig.weights);
    const deformer = new EnvelopeDeformer(base, run);
    try {
      this.#heldOut = judged.map((t) => {
        checkCancelled(run);
        const pose = examples.poses[t];
        const displaced = deformer.deformUncorrected(pose).slice();
        const plain = blended.blend(pose, new Float64Array(displaced.length));
        const gradients = new Float64Array(3 * triangles.length);
        prediction?.predict(deformer.coordinates, gradients);
        return { pose, shape: examples.shapes[t], gradients, plain, displaced };
      });
    } finally {
      deformer.dispose();
    }
    this.points = (judged.length * positions.length) / 3;
  }

  /** Σ of squared distances over the held-out examples, before displacements. */
  error(choice: EnvelopeChoice): number {
    const { positions, triangles } = this.#parts.base.rig.mesh;
    const fixed = this.#parts.fixed(choice);
    const surface = new GradientSurface(this.#run.numerics, positions, triangles, fixed, choice.pull);
    const y = new Float64Array(positions.length);
    let sum = 0;
    try {
      for (const { shape, gradients, plain, displaced } of this.#heldOut) {
        checkCancelled(this.#run);
        for (let k = 0; k < y.length; k++) y[k] = fixed[Math.floor(k / 3)] ? plain[k] : displaced[k];
        surface.solve(gradients, y, y);
        sum += squaredDistance(y, shape);
      }
    } finally {
      surface.dispose();
    }
    return sum;
  }

  /** The same for the finished skin. */
  finalError(choice: EnvelopeChoice): number {
    const envelope: Envelope = this.#parts.envelope(choice, true);
    const deformer = new EnvelopeDeformer(envelope, this.#run);
    const y = new Float32Array(envelope.rig.mesh.positions.length);
    let sum = 0;
    try {
      for (const { pose, shape } of this.#heldOut) {
        checkCancelled(this.#run);
        sum += squaredDistance(deformer.deform(pose, y), shape);
      }
    } finally {
      deformer.dispose();
    }
    return sum;
  }
}

function squaredDistance(a: Float64Array | Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < b.length; k++) sum += (a[k] - b[k]) ** 2;
  return sum;
}
