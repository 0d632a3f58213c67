/**
 * The choices that examples must make (which vertices are held, the pull towards pose space deformation, and whether
 * that does better altogether), made by training without some of the examples and looking at those.
 *
 * The examples are dealt out into folds; each fold is predicted by what the others taught. Gradients and blends of the
 * examples left out do not depend on the choices, so a choice costs one factorisation a fold and a solve an example.
 * Where joints turn is known of every pose, also of those whose shape is left out. The choices are made one after the other, the pull once more at the end where the others changed.
 */

import type { Numerics } from '@pelt/math';
import { checkCancelled, type Envelope, type Rig, type RunContext, stageOf } from '@pelt/model';
import type { EnvelopeMethod } from '../options.ts';
import { blendPose } from '../runtime/blended-pose.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { predictGradients } from '../runtime/gradient-predictors.ts';
import { GradientSurface } from '../runtime/gradient-surface.ts';
import { type Examples, without } from './examples.ts';
import { type EnvelopeChoice, TrainingParts } from './training-parts.ts';

/** What is tried; one of each where the caller has chosen. The first of each is where the search begins. */
export interface ChoicesToTry {
  readonly pulls: readonly number[];
  readonly tolerances: readonly number[];
  readonly heldShares: readonly number[];
  /** Whether pose space deformation may take over. */
  readonly fallback: boolean;
  /** Whether displacements will be added. */
  readonly correction: boolean;
}

export interface LeftOutErrors {
  /** Mean squared distance over the examples left out, of the choice that was made among learnt skins. */
  readonly learnt: number;
  /** The same of pose space deformation. */
  readonly psd: number;
}

const MOST_FOLDS = 4;
/** Pose space deformation must have this share of the squared error, or less, to take over. */
const FALLBACK_GAIN = 0.97;
/** A fold is judged by this many of its examples, evenly spread. */
const MOST_JUDGED = 5;

export function chooseByLeavingOut(
  numerics: Numerics,
  rig: Rig,
  examples: Examples,
  method: EnvelopeMethod,
  slots: number,
  centres: Float64Array,
  { pulls, tolerances, heldShares, fallback, correction }: ChoicesToTry,
  context: RunContext,
): { choice: EnvelopeChoice; errors: LeftOutErrors | undefined } {
  const count = Math.min(MOST_FOLDS, examples.poses.length);
  const folds = Array.from({ length: count }, (_, fold) => {
    const inner = stageOf(context, (0.6 * fold) / count, (0.6 * (fold + 1)) / count);
    return new Fold(numerics, rig, examples, fold, count, method, slots, centres, inner);
  });
  const judging = stageOf(context, 0.6, 1);
  const errorOf = (choice: EnvelopeChoice) => {
    checkCancelled(judging);
    return folds.reduce((sum, fold) => sum + fold.error(choice), 0);
  };
  let choice: EnvelopeChoice = {
    pull: pulls[0],
    tolerance: tolerances[0],
    heldShare: heldShares[0],
    fellBack: false,
  };
  let least = errorOf(choice);
  const improve = (tried: readonly EnvelopeChoice[]) => {
    const before = choice;
    for (const other of tried) {
      const error = errorOf(other);
      if (error < least) [choice, least] = [other, error];
    }
    return choice !== before;
  };
  const withPulls = () => pulls.filter((pull) => pull !== choice.pull).map((pull) => ({ ...choice, pull }));
  improve(withPulls());
  const held = [
    improve(tolerances.slice(1).map((tolerance) => ({ ...choice, tolerance }))),
    improve(heldShares.slice(1).map((heldShare) => ({ ...choice, heldShare }))),
  ];
  if (held.some(Boolean)) improve(withPulls());
  if (!fallback) return { choice, errors: undefined };
  const finalError = (tried: EnvelopeChoice) => {
    checkCancelled(judging);
    return folds.reduce((sum, fold) => sum + fold.finalError(tried, correction), 0) / points;
  };
  const points = folds.reduce((sum, fold) => sum + fold.points, 0);
  const errors = { learnt: finalError(choice), psd: finalError({ ...choice, fellBack: true }) };
  return { choice: { ...choice, fellBack: errors.psd < FALLBACK_GAIN * errors.learnt }, errors };
}

/** Some examples left out, what the others taught, and what of its prediction no choice changes. */
class Fold {
  /** Vertices of all examples left out. */
  readonly points: number;
  readonly #numerics: Numerics;
  readonly #parts: TrainingParts;
  readonly #left: readonly {
    readonly pose: Float64Array;
    readonly shape: Float32Array;
    /** f × 9 */
    readonly gradients: Float64Array;
    /** n × 3, linear blending */
    readonly plain: Float64Array;
    /** n × 3, pose space deformation */
    readonly displaced: Float64Array;
  }[];

  constructor(
    numerics: Numerics,
    rig: Rig,
    examples: Examples,
    fold: number,
    count: number,
    method: EnvelopeMethod,
    slots: number,
    centres: Float64Array,
    context: RunContext,
  ) {
    const left = Array.from(examples.poses.keys()).filter((t) => t % count === fold);
    this.#numerics = numerics;
    this.#parts = new TrainingParts(numerics, rig, without(examples, new Set(left)), method, slots, centres, context);
    const { base, predictors } = this.#parts;
    const deformer = new EnvelopeDeformer(numerics, base);
    const step = Math.max(1, left.length / MOST_JUDGED);
    const judged = left.filter((_, k) => Math.floor(k / step) > Math.floor((k - 1) / step));
    this.#left = judged.map((t) => {
      const pose = examples.poses[t];
      const displaced = deformer.deformUncorrected(pose).slice();
      const plain = blendPose(base.rig.mesh.positions, base.rig.weights, pose, new Float64Array(displaced.length));
      const gradients = new Float64Array(3 * base.rig.mesh.triangles.length);
      if (predictors) predictGradients(predictors, deformer.coordinates, gradients);
      return { pose, shape: examples.shapes[t], gradients, plain, displaced };
    });
    this.points = (judged.length * base.rig.mesh.positions.length) / 3;
    deformer.dispose();
  }

  /** Σ of squared distances over the examples left out, before displacements. */
  error(choice: EnvelopeChoice): number {
    const { positions, triangles } = this.#parts.base.rig.mesh;
    const fixed = this.#parts.fixed(choice);
    const surface = new GradientSurface(this.#numerics, positions, triangles, fixed, choice.pull);
    const y = new Float64Array(positions.length);
    let sum = 0;
    for (const { shape, gradients, plain, displaced } of this.#left) {
      for (let k = 0; k < y.length; k++) y[k] = fixed[Math.floor(k / 3)] ? plain[k] : displaced[k];
      surface.solve(gradients, y, y);
      sum += squaredDistance(y, shape);
    }
    surface.dispose();
    return sum;
  }

  /** The same of the finished skin. */
  finalError(choice: EnvelopeChoice, correction: boolean): number {
    const envelope: Envelope = this.#parts.envelope(choice, correction);
    const deformer = new EnvelopeDeformer(this.#numerics, envelope);
    const y = new Float32Array(envelope.rig.mesh.positions.length);
    let sum = 0;
    for (const { pose, shape } of this.#left) sum += squaredDistance(deformer.deform(pose, y), shape);
    deformer.dispose();
    return sum;
  }
}

function squaredDistance(a: Float64Array | Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < b.length; k++) sum += (a[k] - b[k]) ** 2;
  return sum;
}
