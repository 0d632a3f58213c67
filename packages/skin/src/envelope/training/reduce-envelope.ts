/**
 * A learnt skin reduced to P proxy bones and P key gradients, so that it runs at about the price of plain skinning.
 *
 * The skin is looked at in sample poses among its examples. Affine bones with sparse weights that replay these shapes
 * give the proxies' weights α; the triangles that explain all gradients best give the keys; the Poisson problem among
 * the proxies gives the two constant matrices.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5). The thesis joins
 * groups of vertices one by one, and then solves for weights among a group and its neighbours; here a decomposition into
 * affine bones takes that place. Compared once, with the same keys and system, on unseen poses: joins raise the error of
 * elbow and arm (30 proxies) by 11 and 34 %, of the shoulder (60) by 2 %, the decomposition by 1 % or less.
 */

import type { Numerics } from '@pelt/math';
import {
  checkCancelled,
  type Envelope,
  type GradientPredictors,
  NumericError,
  type ReducedEnvelope,
  type RunContext,
  resolveOptions,
  SequenceErrorMeter,
  type SkinWeights,
  stageOf,
  UsageError,
  uniformTimes,
  validateEnvelope,
} from '@pelt/model';
import { decompose } from '../../decompose/decompose.ts';
import { REDUCE_ENVELOPE_DEFAULTS, type ReduceEnvelopeOptions } from '../options.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { ReducedDeformer } from '../runtime/reduced-deformer.ts';
import { chooseKeys } from './key-gradients.ts';
import { meetExamples } from './meet-examples.ts';
import { reducedMatrices } from './reduced-system.ts';
import { samplePoses } from './sample-poses.ts';

/** Most proxies that a search for an error tries, and the first of them. */
const MOST_PROXIES = 256;
const FIRST_PROXIES = 3;
/** Poses at which a reduced skin is compared with the full one, none of them among those that made it. */
const CHECKED = 12;

/**
 * @param examples  poses that trained the skin, m × 12 each
 */
export function reduceEnvelope(
  envelope: Envelope,
  examples: readonly Float64Array[],
  numerics: Numerics,
  options?: Partial<ReduceEnvelopeOptions>,
  context?: RunContext,
): ReducedEnvelope {
  const resolved = resolveOptions('reduceEnvelope', REDUCE_ENVELOPE_DEFAULTS, options);
  const { proxies, keys, maxError, correction } = resolved;
  for (const [name, value] of Object.entries({ proxies, keys })) {
    if (!Number.isInteger(value) || value < 1) {
      throw new UsageError(`reduceEnvelope: ${value} ${name}, expected 1 or more`);
    }
  }
  validateEnvelope(envelope);
  if (!(maxError > 0)) throw new UsageError(`reduceEnvelope: maxError is ${maxError}; it must be above 0`);
  const reduced = withoutDisplacements(envelope, examples, numerics, resolved, options?.proxies, context);
  const displaced = envelope.predictors ? envelope.displacements : envelope.blendDisplacements;
  if (!correction || !displaced) return reduced;
  return { ...reduced, displacements: meetExamples(numerics, envelope, reduced, examples) };
}

function withoutDisplacements(
  envelope: Envelope,
  examples: readonly Float64Array[],
  numerics: Numerics,
  options: ReduceEnvelopeOptions,
  given: number | undefined,
  context: RunContext | undefined,
): ReducedEnvelope {
  const { rig, predictors, centres } = envelope;
  if (!predictors) return plainSkin(envelope);
  const { proxies, keys, samples, maxError } = options;
  const poses = samplePoses(rig.bones, centres, examples, samples + CHECKED);
  const checked = poses.splice(samples);
  const seen = look(numerics, envelope, poses);
  const chosen = chooseKeys(numerics, seen.gradients, rig.mesh.triangles.length / 3, keys);
  const reducer = { numerics, envelope, predictors, seen, ...chosen, weights: options.weights };
  if (maxError === Number.POSITIVE_INFINITY) return withProxies(reducer, proxies, stageOf(context, 0.1, 0.9));
  const most = given ?? MOST_PROXIES;
  for (let P = Math.min(FIRST_PROXIES, most); ; P = Math.min(most, Math.ceil(1.5 * P))) {
    checkCancelled(context);
    const reduced = withProxies(reducer, P, context);
    const error = distanceBetween(numerics, envelope, reduced, checked);
    if (error <= maxError) return reduced;
    if (P === most) {
      throw new NumericError(
        `reduceEnvelope: ${P} proxies differ from the full skin by an E_RMS of ${error.toPrecision(3)}, above ` +
          `${maxError}; allow a larger error or more proxies`,
      );
    }
  }
}

interface Reducer {
  readonly numerics: Numerics;
  readonly envelope: Envelope;
  readonly predictors: GradientPredictors;
  readonly seen: ReturnType<typeof look>;
  readonly keys: Int32Array;
  readonly shares: Float64Array;
  readonly weights: number;
}

function withProxies(reducer: Reducer, proxies: number, context: RunContext | undefined): ReducedEnvelope {
  const { numerics, envelope, predictors, seen, keys, shares, weights } = reducer;
  const { rig, centres, fixed } = envelope;
  const S = seen.shapes.length / rig.mesh.positions.length;
  // Rounds until they bring nothing more, as in any decomposition; transforms are solved anew below.
  const fitted = decompose(
    { name: rig.name, rest: rig.mesh, frames: seen.shapes, times: uniformTimes(S, 1) },
    { method: 'affine', bones: proxies, weights, restStiffness: Number.POSITIVE_INFINITY },
    { numerics, ...context },
  );
  const P = fitted.rig.bones.length;
  return {
    rig,
    centres,
    proxies: P,
    keys: predictorsAt(predictors, keys),
    ...reducedMatrices(numerics, envelope, fitted.rig.weights, P, shares),
    skin: withBones(fitted.rig.weights, P, rig.weights, fixed),
  };
}

/** Linear blending as a reduced skin: no proxies, and a key that turns with each bone for the displacements. */
function plainSkin({ rig, centres }: Envelope): ReducedEnvelope {
  const m = rig.bones.length;
  return {
    rig,
    centres,
    proxies: 0,
    keys: {
      form: 'improved',
      slots: 1,
      references: Uint16Array.from({ length: m }, (_, j) => j),
      blocks: new Int32Array(m).fill(-1),
      rotationMaps: new Float64Array(9 * m),
      stretchMaps: new Float64Array(36 * m),
    },
    fromKeys: new Float64Array(0),
    fromBones: new Float64Array(0),
    skin: rig.weights,
  };
}

/** E_RMS between the full skin and the reduced one, both without displacements. */
function distanceBetween(
  numerics: Numerics,
  envelope: Envelope,
  reduced: ReducedEnvelope,
  poses: readonly Float64Array[],
): number {
  const full = new EnvelopeDeformer(numerics, envelope);
  const small = new ReducedDeformer(numerics, reduced);
  const meter = new SequenceErrorMeter(envelope.rig.mesh, poses.length);
  const size = envelope.rig.mesh.positions.length;
  for (const pose of poses) {
    meter.addFrame(Float32Array.from(full.deformUncorrected(pose)), small.deform(pose, new Float32Array(size)));
  }
  full.dispose();
  small.dispose();
  return meter.result().eRms;
}

/** The uncorrected skin at the poses: S × n × 3 shapes, f × 9S gradients. */
function look(numerics: Numerics, envelope: Envelope, poses: readonly Float64Array[]) {
  const { mesh } = envelope.rig;
  const f = mesh.triangles.length / 3;
  const deformer = new EnvelopeDeformer(numerics, envelope);
  const shapes = new Float32Array(poses.length * mesh.positions.length);
  const gradients = new Float64Array(9 * f * poses.length);
  poses.forEach((pose, t) => {
    shapes.set(deformer.deformUncorrected(pose), t * mesh.positions.length);
    for (let k = 0; k < f; k++) {
      gradients.set(deformer.gradients.subarray(9 * k, 9 * k + 9), 9 * (k * poses.length + t));
    }
  });
  deformer.dispose();
  return { shapes, gradients };
}

function predictorsAt(all: GradientPredictors, keys: Int32Array): GradientPredictors {
  const { form, slots, references, blocks, rotationMaps, stretchMaps } = all;
  const P = keys.length;
  const chosen: GradientPredictors = {
    form,
    slots,
    references: Uint16Array.from(keys, (k) => references[k]),
    blocks: new Int32Array(P * slots),
    rotationMaps: new Float64Array(9 * P * slots),
    stretchMaps: new Float64Array(36 * P * slots),
  };
  keys.forEach((k, l) => {
    chosen.blocks.set(blocks.subarray(k * slots, (k + 1) * slots), l * slots);
    chosen.rotationMaps.set(rotationMaps.subarray(9 * k * slots, 9 * (k + 1) * slots), 9 * l * slots);
    chosen.stretchMaps.set(stretchMaps.subarray(36 * k * slots, 36 * (k + 1) * slots), 36 * l * slots);
  });
  return chosen;
}

/** The proxies' weights for free vertices, the skeleton's, P places on, for those that it holds. */
function withBones(proxies: SkinWeights, P: number, skeleton: SkinWeights, fixed: Uint8Array): SkinWeights {
  const slots = Math.max(proxies.slots, skeleton.slots);
  const skin = { slots, bones: new Uint16Array(fixed.length * slots), weights: new Float32Array(fixed.length * slots) };
  fixed.forEach((flag, i) => {
    const from = flag ? skeleton : proxies;
    for (let s = 0; s < from.slots; s++) {
      const weight = from.weights[i * from.slots + s];
      if (weight === 0) continue;
      skin.bones[i * slots + s] = from.bones[i * from.slots + s] + (flag ? P : 0);
      skin.weights[i * slots + s] = weight;
    }
  });
  return skin;
}
