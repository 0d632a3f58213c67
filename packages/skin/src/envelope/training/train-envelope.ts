/**
 * A skin learnt from examples, as pairs of skeletal pose and shape: linear blend weights, predictors of every triangle's
 * gradient, the vertices that hold the surface, and displacements that make the examples exact.
 *
 * What the data must decide is decided by leaving examples out (leave-poses-out.ts).
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007.
 */

import type { Numerics } from '@pelt/math';
import {
  boundsOf,
  type Clip,
  diagonalOf,
  type Envelope,
  type MeshSequence,
  type Rig,
  type RunContext,
  resolveOptions,
  stageOf,
  UsageError,
} from '@pelt/model';
import { ENVELOPE_DEFAULTS, type EnvelopeOptions } from '../options.ts';
import { jointCentres } from '../runtime/pose-coordinates.ts';
import { type Examples, examplesOf } from './examples.ts';
import { chooseByLeavingOut } from './leave-poses-out.ts';
import { type EnvelopeChoice, TrainingParts } from './training-parts.ts';

/** What was used, chosen or given. */
export interface TrainedEnvelope extends EnvelopeChoice {
  readonly envelope: Envelope;
  /** Root mean square distances on examples left out, relative to the model's size; absent where none were. */
  readonly leftOut?: { readonly learnt: number; readonly psd: number };
}

/** What is tried where the caller leaves the choice; the first of each is used where there are too few examples. */
const PULLS = [0, 0.005, 0.05, 0.2];
const TOLERANCES = [1e-3, 3e-4, 1e-4, 3e-3];
const HELD_SHARES = [0, 0.1, 0.25];
/** Rest, one more, and one that can be left out. */
const LEAST_EXAMPLES_TO_CHOOSE = 3;

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
  const { method, weights, correction } = resolved;
  if (!Number.isInteger(weights) || weights < 1) {
    throw new UsageError(`trainEnvelope: ${weights} weights a vertex, expected 1 or more`);
  }
  const examples = examplesOf(rig, clip, sequence, frames);
  const centres = jointCentres(examples.bones, examples.poses);
  const { choice, leftOut } = choose(numerics, rig, examples, resolved, centres, stageOf(context, 0, 0.8));
  const parts = new TrainingParts(numerics, rig, examples, method, weights, centres, stageOf(context, 0.8, 1));
  return { envelope: parts.envelope(choice, correction), ...choice, ...(leftOut && { leftOut }) };
}

function choose(
  numerics: Numerics,
  rig: Rig,
  examples: Examples,
  { method, weights, ...options }: EnvelopeOptions,
  centres: Float64Array,
  context: RunContext,
): { choice: EnvelopeChoice; leftOut?: TrainedEnvelope['leftOut'] } {
  const given = (value: number, tried: readonly number[]) => (value >= 0 ? [value] : tried);
  const pulls = given(options.pull, PULLS);
  const tolerances = given(options.tolerance, TOLERANCES);
  const heldShares = given(options.heldShare, HELD_SHARES);
  const open = options.fallback || [pulls, tolerances, heldShares].some((tried) => tried.length > 1);
  const learns = method === 'improved' || method === 'thesis';
  const S = examples.poses.length;
  if (!learns || !open || S < LEAST_EXAMPLES_TO_CHOOSE) {
    return { choice: { pull: pulls[0], tolerance: tolerances[0], heldShare: heldShares[0], fellBack: false } };
  }
  const tried = { ...options, pulls, tolerances, heldShares };
  const { choice, errors } = chooseByLeavingOut(numerics, rig, examples, method, weights, centres, tried, context);
  const size = diagonalOf(boundsOf(examples.mesh.positions)) || 1;
  const rms = (meanSquare: number) => Math.sqrt(meanSquare) / size;
  return { choice, ...(errors && { leftOut: { learnt: rms(errors.learnt), psd: rms(errors.psd) } }) };
}
