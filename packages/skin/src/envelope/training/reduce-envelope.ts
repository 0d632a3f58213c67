/**
 * Reduces a learnt skin to P proxy bones and L key gradients, so that it costs about as much as linear blend skinning.
 *
 * The full skin is sampled at poses among its examples. A decomposition of these shapes into affine bones with sparse
 * weights gives the proxies' weights α; the triangles that explain all gradients best give the keys; the Poisson problem
 * restricted to the proxies gives two constant matrices.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5). The paper merges
 * groups of vertices one by one and then solves for weights over a group and its neighbours; a decomposition into affine
 * bones takes that place here. Compared with the same keys and system, on unseen poses: merging raises the error of
 * elbow and arm (30 proxies) by 11 and 34 %, of the shoulder (60) by 2 %, the decomposition by 1 % or less.
 */
import {
  addedJointCount,
  type Bone,
  checkCancelled,
  type Envelope,
  type GradientPredictors,
  interruptible,
  NumericError,
  type ReducedEnvelope,
  type Run,
  resolveOptions,
  SequenceErrorMeter,
  type SkinWeights,
  stageOf,
  TRANSFORM_SIZE,
  UsageError,
  uniformTimes,
  unweldReducedEnvelope,
  validateEnvelope,
} from '@pelt/model';
import { decompose } from '../../decompose/decompose.ts';
import { REDUCE_ENVELOPE_DEFAULTS, type ReduceEnvelopeOptions } from '../options.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { ReducedDeformer } from '../runtime/reduced-deformer.ts';
import { chooseKeys } from './key-gradients.ts';
import { reducedDisplacements } from './reduced-displacements.ts';
import { reducedMatrices } from './reduced-system.ts';
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
/** Most samples that are decomposed into proxies; the keys are fitted to all. */
const MOST_DECOMPOSED = 48;
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
    const displacements =
      correction && displaced
        ? reducedDisplacements(envelope, reduced, poses, resolved.displacementTolerance, run)
        : undefined;
    const result = displacements ? { ...reduced, displacements } : reduced;
    return unwelded ? unweldReducedEnvelope(result, unwelded.map, unwelded.mesh) : result;
  });
}

function withoutDisplacements(
  envelope: Envelope,
  examples: readonly Float64Array[],
  options: ResolvedOptions,
  run: Run,
): ReducedEnvelope {
  const { rig, predictors, centres } = envelope;
  if (!predictors) return plainSkin(envelope);
  const { proxies, mostProxies: most, keys, samples, weights, maxError } = options;
  const poses = samplePoses(rig.bones, centres, examples, samples + CHECKED);
  const checked = poses.splice(samples);
  const sampled = sample(envelope, poses, run);
  const chosen = chooseKeys(sampled.gradients, rig.mesh.triangles.length / 3, keys, stageOf(run, 0, 0.1));
  const reducer = { envelope, predictors, sampled, ...chosen, weights };
  if (maxError === undefined) return withProxies(reducer, proxies, stageOf(run, 0.1, 0.9));
  for (let k = 0, P = Math.min(FIRST_PROXIES, most); ; k++, P = Math.min(most, Math.ceil(GROWTH * P))) {
    const reduced = withProxies(reducer, P, stageOf(run, 0.9 - 0.8 * 0.5 ** k, 0.9 - 0.4 * 0.5 ** k));
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

interface Reducer {
  readonly envelope: Envelope;
  readonly predictors: GradientPredictors;
  readonly sampled: ReturnType<typeof sample>;
  readonly keys: Int32Array;
  readonly shares: Float64Array;
  readonly weights: number;
}

function withProxies(reducer: Reducer, proxies: number, run: Run): ReducedEnvelope {
  const { envelope, predictors, sampled, keys, shares, weights } = reducer;
  const { rig, centres, fixed } = envelope;
  const S = Math.min(MOST_DECOMPOSED, sampled.shapes.length / rig.mesh.positions.length);
  const frames = sampled.shapes.subarray(0, S * rig.mesh.positions.length);
  const fitted = decompose(
    { name: rig.name, rest: rig.mesh, frames, times: uniformTimes(S, 1) },
    { method: 'affine', bones: proxies, weights, restPose: 'keep' },
    run,
  );
  const P = fitted.rig.bones.length;
  return {
    rig,
    centres,
    proxies: P,
    keys: predictorsAt(predictors, keys),
    ...reducedMatrices(envelope, fitted.rig.weights, P, shares, run),
    skin: withBones(fitted.rig.weights, P, rig.weights, fixed),
  };
}

/** Linear blending as a reduced skin: no proxies, and for the displacements one key that rotates with each bone. */
function plainSkin({ rig, centres, addedBlend }: Envelope): ReducedEnvelope {
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
    ...(addedBlend
      ? { addedJoints: addedJointCount(rig.bones), skin: addedFirst(addedBlend, rig.bones) }
      : { skin: rig.weights }),
  };
}

/** Weights over the bones and then the added joints, as those over the added joints and then the bones. */
function addedFirst({ slots, bones, weights }: SkinWeights, skeleton: readonly Bone[]): SkinWeights {
  const [m, added] = [skeleton.length, addedJointCount(skeleton)];
  return { slots, bones: bones.map((bone) => (bone < m ? added + bone : bone - m)), weights };
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

/** The uncorrected skin at the poses: S × n × 3 shapes, f × 9S gradients. */
function sample(envelope: Envelope, poses: readonly Float64Array[], run: Run) {
  const { mesh } = envelope.rig;
  const f = mesh.triangles.length / 3;
  const deformer = new EnvelopeDeformer(envelope, run);
  const shapes = new Float32Array(poses.length * mesh.positions.length);
  const gradients = new Float64Array(9 * f * poses.length);
  try {
    poses.forEach((pose, t) => {
      checkCancelled(run);
      shapes.set(deformer.deformUncorrected(pose), t * mesh.positions.length);
      for (let k = 0; k < f; k++) {
        gradients.set(deformer.gradients.subarray(9 * k, 9 * k + 9), 9 * (k * poses.length + t));
      }
    });
  } finally {
    deformer.dispose();
  }
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

/** The proxies' weights for free vertices, and the skeleton's, at an offset of P, for fixed ones. */
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
