/**
 * Rotational regression: a skin learnt from examples, each a pair of a skeletal pose and a shape. It consists of linear
 * blend weights, predictors of every triangle's deformation gradient, the near-rigid vertices that anchor the surface,
 * and displacements that make the examples exact.
 *
 * Parameters that depend on the data are chosen by cross-validation (cross-validation.ts).
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007.
 */
import {
  boundsOf,
  diagonalOf,
  type Envelope,
  interruptible,
  type Run,
  resolveOptions,
  stageOf,
  UsageError,
} from '@pelt/model';
import { ENVELOPE_DEFAULTS, type EnvelopeOptions } from '../options.ts';
import { jointCentres } from '../runtime/pose-coordinates.ts';
import { requireSlots } from './blend-weights.ts';
import { coarseExamples } from './coarse-examples.ts';
import { type CrossValidationErrors, chooseByCrossValidation } from './cross-validation.ts';
import { type Examples, examplesOf, type RigExamples } from './examples.ts';
import { type EnvelopeChoice, TrainingParts, type TrainingSetup } from './training-parts.ts';

/** A learnt skin, and the parameters that were given or chosen. */
export interface TrainedEnvelope extends EnvelopeChoice {
  readonly envelope: Envelope;
  /** A rival took the place of rotational regression: its error on examples left out was lower. */
  readonly fellBack: boolean;
  /** RMS errors of cross-validation, relative to the model's size; undefined where there was none. */
  readonly crossValidation?: CrossValidationErrors;
}

/** Values that `auto` tries; the first of each is used where there are too few examples for cross-validation. */
const PULLS = [0, 0.005, 0.05, 0.2];
const TOLERANCES = [1e-3, 3e-4, 1e-4, 3e-3];
const HELD_SHARES = [0, 0.1, 0.25];
/** Vertices by which parameters are chosen, at most: they are few numbers, and no skin is compared at every vertex. */
const MOST_CHOOSING = 1500;
/** The rest pose, one more, and one to leave out. */
const LEAST_EXAMPLES_TO_CHOOSE = 3;

/**
 * Learns a pose-dependent skin from examples of a rig. Seams of the mesh are welded, since the skin is the solution of
 * a Poisson problem over one surface; deformers pose the vertices that were given.
 *
 * @param data  n vertices, m bones, S frames; positions of the rest pose are those of `sequence.rest`
 *
 * @example
 * {@includeCode ../../../examples/train-envelope.ts}
 */
export function trainEnvelope(
  data: RigExamples,
  options: Partial<EnvelopeOptions> | undefined,
  run: Run,
): TrainedEnvelope {
  const resolved = resolveOptions('trainEnvelope', ENVELOPE_DEFAULTS, options);
  const { method, frames, weights: slots, correction } = resolved;
  requireSlots('trainEnvelope', slots);
  for (const key of ['pull', 'tolerance', 'heldShare'] as const) {
    if (resolved[key] === 'auto' || resolved[key] >= 0) continue;
    throw new UsageError(`trainEnvelope: ${key} is ${resolved[key]}; give a number from 0 on, or 'auto'`);
  }
  const examples = examplesOf('trainEnvelope', data, frames);
  return interruptible(run, () => {
    const centres = jointCentres(examples.bones, examples.poses);
    const setup: TrainingSetup = { rig: data.rig, method, slots, centres, rivals: resolved.fallback };
    const { choice, crossValidation } = choose(examples, setup, resolved, stageOf(run, 0, 0.7));
    const needed = { ...setup, rivals: choice.skin === 'added-joints' };
    const envelope = new TrainingParts(examples, needed, stageOf(run, 0.7, 1)).envelope(choice, correction);
    const { map } = examples;
    return {
      envelope: map ? { ...envelope, unwelded: { mesh: data.sequence.rest, map } } : envelope,
      ...choice,
      fellBack: choice.skin !== 'regression' && (method === 'linear-maps' || method === 'wang'),
      ...(crossValidation && { crossValidation }),
    };
  });
}

function choose(
  examples: Examples,
  setup: TrainingSetup,
  options: EnvelopeOptions,
  run: Run,
): { choice: EnvelopeChoice; crossValidation?: TrainedEnvelope['crossValidation'] } {
  const candidates = (value: number | 'auto', tried: readonly number[]) => (value === 'auto' ? tried : [value]);
  const pulls = candidates(options.pull, PULLS);
  const tolerances = candidates(options.tolerance, TOLERANCES);
  const heldShares = candidates(options.heldShare, HELD_SHARES);
  const isOpen =
    options.fallback || options.correction || [pulls, tolerances, heldShares].some((tried) => tried.length > 1);
  const learns = setup.method === 'linear-maps' || setup.method === 'wang';
  if (!learns || !isOpen || examples.poses.length < LEAST_EXAMPLES_TO_CHOOSE) {
    const choice = {
      pull: pulls[0],
      tolerance: tolerances[0],
      heldShare: heldShares[0],
      displaced: options.correction,
    };
    return { choice: { ...choice, skin: learns ? 'regression' : 'psd' } };
  }
  const tried = { ...options, pulls, tolerances, heldShares };
  const { choice, errors } = chooseByCrossValidation(coarseExamples(examples, MOST_CHOOSING), setup, tried, run);
  const size = diagonalOf(boundsOf(examples.mesh.positions)) || 1;
  const rms = (meanSquare: number) => Math.sqrt(meanSquare) / size;
  if (!errors) return { choice };
  const { learnt, psd, addedJoints } = errors;
  return { choice, crossValidation: { learnt: rms(learnt), psd: rms(psd), addedJoints: rms(addedJoints) } };
}
