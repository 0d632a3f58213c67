/**
 * Reduces a learnt skin to P proxy bones and L key gradients, so that it costs about as much as linear blend skinning.
 *
 * The full skin is sampled at poses among its examples; proxy-reduction.ts finds proxies and keys from these samples.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5).
 */
import {
  checkCancelled,
  type Envelope,
  interruptible,
  NumericError,
  type ReducedEnvelope,
  type Run,
  resolveOptions,
  SequenceErrorMeter,
  stageOf,
  TRANSFORM_SIZE,
  UsageError,
  unweldReducedEnvelope,
  validateEnvelope,
} from '@pelt/model';
import { REDUCE_ENVELOPE_DEFAULTS, type ReduceEnvelopeOptions } from '../options.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { ReducedDeformer } from '../runtime/reduced-deformer.ts';
import { fitCorrections } from './fit-corrections.ts';
import { withoutIdleProxies } from './idle-proxies.ts';
import { plainSkin } from './plain-reduction.ts';
import { decomposedReduction, type ProxyReduction, publishedReduction } from './proxy-reduction.ts';
import { reducedDisplacements } from './reduced-displacements.ts';
import { samplePoses } from './sample-poses.ts';

type ResolvedOptions = Omit<ReduceEnvelopeOptions, 'proxies' | 'keys'> & {
  readonly proxies: number;
  readonly keys: number;
};

/** What `auto` stands for. A galloping horse of 30 bones is 7 % worse than in full with 4 keys per bone, 1 % with 8. */
const LEAST_PROXIES = 30;
const PROXIES_PER_BONE = 3;
const LEAST_KEYS = 120;
const KEYS_PER_BONE = 8;
/** The first number of proxies that the search for an error tries, and the factor to the next. */
const FIRST_PROXIES = 3;
const GROWTH = 1.5;
/** Poses at which a reduced skin is compared with the full one; none of them is a sample. */
const CHECKED = 12;

/**
 * Reduces a learnt skin to proxy bones.
 *
 * @param data  the full skin, and the poses of its training examples, m × 12 each
 * @throws NumericError where `maxError` is not reached with `mostProxies`
 *
 * @example
 * {@includeCode ../../../examples/reduce-envelope.ts}
 */
export function reduceEnvelope(
  data: { readonly envelope: Envelope; readonly poses: readonly Float64Array[] },
  options: Partial<ReduceEnvelopeOptions> | undefined,
  run: Run,
): ReducedEnvelope {
  const given = resolveOptions('reduceEnvelope', REDUCE_ENVELOPE_DEFAULTS, options);
  const m = data.envelope.rig.bones.length;
  const resolved: ResolvedOptions = {
    ...given,
    proxies: given.proxies === 'auto' ? Math.max(LEAST_PROXIES, PROXIES_PER_BONE * m) : given.proxies,
    keys: given.keys === 'auto' ? Math.max(LEAST_KEYS, KEYS_PER_BONE * m) : given.keys,
  };
  for (const key of ['proxies', 'mostProxies', 'keys', 'weights', 'samples'] as const) {
    if (Number.isInteger(resolved[key]) && resolved[key] >= 1) continue;
    throw new UsageError(`reduceEnvelope: ${key} is ${resolved[key]}; give a whole number from 1 on`);
  }
  const { maxError, correction } = resolved;
  if (maxError !== undefined && !(maxError > 0)) {
    throw new UsageError(`reduceEnvelope: maxError is ${maxError}; give a number above 0`);
  }
  const { poses } = data;
  const { unwelded, ...envelope } = data.envelope;
  validateEnvelope(data.envelope);
  const size = TRANSFORM_SIZE * m;
  const wrong = poses.findIndex(({ length }) => length !== size);
  if (wrong >= 0) {
    throw new UsageError(`reduceEnvelope: pose ${wrong} has ${poses[wrong].length} numbers; give 12 for each bone`);
  }
  return interruptible(run, () => {
    const reduced = withoutDisplacements(envelope, poses, resolved, run);
    // A pull towards displaced vertices has to be made up for, too.
    const displaced = envelope.displacements ?? envelope.blendDisplacements;
    const result =
      correction && displaced ? corrected(envelope, reduced, poses, resolved.displacementTolerance, run) : reduced;
    return unwelded ? unweldReducedEnvelope(result, unwelded.map, unwelded.mesh) : result;
  });
}

/** Takes a reduced skin to the full one at the examples: by its palette, or where it has no proxies by displacements. */
function corrected(
  envelope: Envelope,
  reduced: ReducedEnvelope,
  poses: readonly Float64Array[],
  tolerance: number,
  run: Run,
): ReducedEnvelope {
  if (reduced.proxies > 0) {
    const corrections = fitCorrections(envelope, reduced, poses, tolerance, run);
    return corrections ? { ...reduced, corrections } : reduced;
  }
  const displacements = reducedDisplacements(envelope, reduced, poses, tolerance, run);
  return displacements ? { ...reduced, displacements } : reduced;
}

function withoutDisplacements(
  envelope: Envelope,
  examples: readonly Float64Array[],
  options: ResolvedOptions,
  run: Run,
): ReducedEnvelope {
  const { rig, predictors, centres, fixed } = envelope;
  if (!predictors || fixed.every((flag) => flag === 1)) return plainSkin(envelope);
  const { proxies, mostProxies: most, keys, samples, weights, maxError } = options;
  const poses = samplePoses(rig.bones, centres, examples, samples + CHECKED);
  const checked = poses.splice(samples);
  const learnt = { ...envelope, predictors };
  const reduction =
    options.method === 'wang'
      ? publishedReduction(learnt, poses, weights, run)
      : decomposedReduction(learnt, poses, { keys, weights, sparse: maxError === undefined }, stageOf(run, 0, 0.1));
  // An error that was asked for may be smaller than what proxies that read a few keys miss.
  const withProxies: ProxyReduction = (P, inner) => withoutIdleProxies(reduction(P, inner));
  if (maxError === undefined) return withProxies(proxies, stageOf(run, 0.1, 0.9));
  for (let k = 0, P = Math.min(FIRST_PROXIES, most); ; k++, P = Math.min(most, Math.ceil(GROWTH * P))) {
    const reduced = withProxies(P, stageOf(run, 0.9 - 0.8 * 0.5 ** k, 0.9 - 0.4 * 0.5 ** k));
    const error = distanceBetween(envelope, reduced, checked, run);
    if (error <= maxError) return reduced;
    if (P === most) {
      throw new NumericError(
        `reduceEnvelope: ${P} proxies differ from the full skin by an E_RMS of ${error.toPrecision(3)}, above ` +
          `${maxError}; allow a larger error or more proxies`,
      );
    }
  }
}

/** E_RMS between the full skin and the reduced one, both without displacements. */
function distanceBetween(
  envelope: Envelope,
  reduced: ReducedEnvelope,
  poses: readonly Float64Array[],
  run: Run,
): number {
  const full = new EnvelopeDeformer(envelope, run);
  const small = new ReducedDeformer(reduced, run);
  const meter = new SequenceErrorMeter(envelope.rig.mesh, poses.length);
  const size = envelope.rig.mesh.positions.length;
  try {
    for (const pose of poses) {
      checkCancelled(run);
      meter.addFrame(Float32Array.from(full.deformUncorrected(pose)), small.deform(pose, new Float32Array(size)));
    }
  } finally {
    full.dispose();
    small.dispose();
  }
  return meter.result().eRms;
}
