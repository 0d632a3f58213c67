/**
 * A skin learnt from examples, as pairs of skeletal pose and shape: linear blend weights, predictors of every triangle's
 * gradient, the vertices that hold the surface, and displacements that make the examples exact.
 *
 * What the data must decide (the share of each bone's vertices that is held, the pull towards pose space deformation,
 * and whether that does better altogether) is decided by training without some of the examples and looking at them.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007.
 */
import type { Numerics } from '@pelt/math';
import {
  type Clip,
  checkCancelled,
  type Envelope,
  type MeshSequence,
  type Rig,
  type RunContext,
  resolveOptions,
  stageOf,
  UsageError,
} from '@pelt/model';
import { EnvelopeDeformer } from '../../deform/envelope/envelope-deformer.ts';
import { jointCentres, PoseCoordinates } from '../../deform/envelope/pose-coordinates.ts';
import { fitBlendWeights } from './blend-weights.ts';
import { fitDisplacements } from './displacements.ts';
import { type Examples, examplesOf, without } from './examples.ts';
import { fitPredictors } from './fit-predictors.ts';
import { fitThesisPredictors } from './fit-thesis-predictors.ts';
import { nearRigid } from './near-rigid.ts';
import { RotationTargets } from './rotation-targets.ts';

export type EnvelopeMethod = 'improved' | 'thesis' | 'psd' | 'ssd';

export interface EnvelopeOptions {
  /** `improved` or `thesis` predictors; the rivals `psd` (pose space deformation) and `ssd` (linear blending). */
  readonly method: EnvelopeMethod;
  /** Bones a vertex of the linear blend. */
  readonly weights: number;
  /** Displacements on top, so that the examples are met exactly. */
  readonly correction: boolean;
  /** κ, pull towards pose space deformation; −1 chooses it by leaving examples out. */
  readonly pull: number;
  /** Share of every bone's vertices that stays with the linear blend; −1 chooses it by leaving examples out. */
  readonly heldShare: number;
  /** Use pose space deformation instead, where it does better on examples left out. */
  readonly fallback: boolean;
}

export const ENVELOPE_DEFAULTS: EnvelopeOptions = {
  method: 'improved',
  weights: 4,
  correction: true,
  pull: -1,
  heldShare: -1,
  fallback: true,
};

export interface TrainedEnvelope {
  readonly envelope: Envelope;
  /** What was used, chosen or given. */
  readonly pull: number;
  readonly heldShare: number;
  /** True where pose space deformation did better on the examples left out and took the place of the predictors. */
  readonly fellBack: boolean;
}

/** Used where there are too few examples to leave any out. */
const FEW_EXAMPLES: Choice = { pull: 0, heldShare: 0, fellBack: false };
const LEAST_EXAMPLES_TO_CHOOSE = 6;
const PULLS = [0, 0.005, 0.05, 0.2];
const HELD_SHARES = [0, 0.1, 0.25];
const FOLDS = 3;
/** Pose space deformation must win by this share to take over. */
const FALLBACK_GAIN = 0.97;

interface Choice {
  readonly pull: number;
  readonly heldShare: number;
  readonly fellBack: boolean;
}

/** @param frames  numbers of the frames that train; all where absent */
export function trainEnvelope(
  rig: Rig,
  clip: Clip,
  sequence: MeshSequence,
  numerics: Numerics,
  frames?: readonly number[],
  options?: Partial<EnvelopeOptions>,
  context?: RunContext,
): TrainedEnvelope {
  const resolved = resolveOptions('trainEnvelope', ENVELOPE_DEFAULTS, options);
  if (!Number.isInteger(resolved.weights) || resolved.weights < 1) {
    throw new UsageError(`trainEnvelope: ${resolved.weights} weights a vertex, expected 1 or more`);
  }
  const examples = examplesOf(rig, clip, sequence, frames);
  const choice = choose(numerics, rig, examples, resolved, stageOf(context, 0, 0.7));
  const parts = new TrainingParts(numerics, rig, examples, resolved, stageOf(context, 0.7, 1));
  return { envelope: parts.envelope(choice, resolved.correction), ...choice };
}

/** Everything about a set of examples that does not depend on the choices. */
class TrainingParts {
  readonly #numerics: Numerics;
  readonly #examples: Examples;
  readonly #base: Envelope;
  readonly #predictors: Envelope['predictors'];

  constructor(
    numerics: Numerics,
    rig: Rig,
    examples: Examples,
    { method, weights: slots }: EnvelopeOptions,
    context: RunContext | undefined,
  ) {
    const { mesh, bones, poses } = examples;
    this.#numerics = numerics;
    this.#examples = examples;
    const weights = fitBlendWeights(numerics, examples, slots);
    const centres = jointCentres(bones, poses);
    const fixed = new Uint8Array(mesh.positions.length / 3);
    const blend: Envelope = { rig: { ...rig, mesh, weights }, centres, fixed, pull: 0 };
    this.#base =
      method === 'ssd' ? blend : { ...blend, blendDisplacements: displacementsOf(numerics, blend, examples) };
    if (method === 'ssd' || method === 'psd') return;
    const targets = new RotationTargets(examples, new PoseCoordinates(bones, centres));
    const fit = method === 'thesis' ? fitThesisPredictors : fitPredictors;
    this.#predictors = fit(targets, mesh.triangles, bones, weights, context);
  }

  envelope({ pull, heldShare, fellBack }: Choice, correction: boolean): Envelope {
    const predictors = this.#predictors;
    if (!predictors || fellBack) return this.#base;
    const fixed = nearRigid(this.#examples, this.#base.rig.weights, heldShare);
    const { blendDisplacements, ...plain } = this.#base;
    const envelope: Envelope = { ...plain, predictors, fixed, pull, ...(pull > 0 ? { blendDisplacements } : {}) };
    if (!correction) return envelope;
    return { ...envelope, displacements: displacementsOf(this.#numerics, envelope, this.#examples) };
  }
}

function displacementsOf(numerics: Numerics, envelope: Envelope, { poses, shapes, bones }: Examples) {
  const deformer = new EnvelopeDeformer(numerics, envelope);
  try {
    return fitDisplacements(shapes, bones.length, (t) => {
      const positions = deformer.deformUncorrected(poses[t]);
      return { joints: deformer.joints(), positions, frames: deformer.frames };
    });
  } finally {
    deformer.dispose();
  }
}

function choose(
  numerics: Numerics,
  rig: Rig,
  examples: Examples,
  options: EnvelopeOptions,
  context: RunContext,
): Choice {
  const { method, correction, fallback } = options;
  const pulls = options.pull >= 0 ? [options.pull] : PULLS;
  const shares = options.heldShare >= 0 ? [options.heldShare] : HELD_SHARES;
  const S = examples.poses.length;
  const given = { pull: pulls[0], heldShare: shares[0], fellBack: false };
  const open = pulls.length > 1 || shares.length > 1 || fallback;
  if (method === 'ssd' || method === 'psd' || !open || S < LEAST_EXAMPLES_TO_CHOOSE) {
    return options.pull >= 0 || options.heldShare >= 0 ? given : FEW_EXAMPLES;
  }
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    checkCancelled(context);
    const left = Array.from({ length: S }, (_, t) => t).filter((t) => t % FOLDS === fold);
    const inner = stageOf(context, (0.7 * fold) / FOLDS, (0.7 * (fold + 1)) / FOLDS);
    return { left, parts: new TrainingParts(numerics, rig, without(examples, new Set(left)), options, inner) };
  });
  const errorWith = (choice: Choice, corrected: boolean) => {
    checkCancelled(context);
    return folds.reduce(
      (sum, { left, parts }) => sum + errorOf(numerics, parts.envelope(choice, corrected), examples, left),
      0,
    );
  };
  // The pull first, then the share at that pull: displacements would hide what either does, and cost most of the time.
  let best: Choice = given;
  let least = errorWith(best, false);
  for (const choice of pulls.slice(1).map((pull) => ({ ...given, pull }))) {
    const error = errorWith(choice, false);
    if (error < least) [best, least] = [choice, error];
  }
  for (const choice of shares.slice(1).map((heldShare) => ({ ...best, heldShare }))) {
    const error = errorWith(choice, false);
    if (error < least) [best, least] = [choice, error];
  }
  if (!fallback) return best;
  const psd = { ...best, fellBack: true };
  return errorWith(psd, correction) < FALLBACK_GAIN * errorWith(best, correction) ? psd : best;
}

/** Σ of squared distances over the given examples. */
function errorOf(
  numerics: Numerics,
  envelope: Envelope,
  { poses, shapes }: Examples,
  chosen: Iterable<number>,
): number {
  const deformer = new EnvelopeDeformer(numerics, envelope);
  try {
    const y = new Float32Array(envelope.rig.mesh.positions.length);
    let sum = 0;
    for (const t of chosen) {
      deformer.deform(poses[t], y);
      for (let k = 0; k < y.length; k++) sum += (y[k] - shapes[t][k]) ** 2;
    }
    return sum;
  } finally {
    deformer.dispose();
  }
}
