/**
 * A learnt skin reduced to P proxy bones and P key gradients, so that it runs at about the price of plain skinning.
 *
 * The skin is looked at in sample poses among its examples. Affine bones with sparse weights that replay these shapes
 * give the proxies' weights α; the triangles that explain all gradients best give the keys; the Poisson problem among
 * the proxies gives the two constant matrices.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5). The thesis joins
 * groups of vertices one by one; here a decomposition into affine bones takes that place. The two have not been compared.
 */
import type { Numerics } from '@pelt/math';
import {
  type Envelope,
  type GradientPredictors,
  type ReducedEnvelope,
  type RunContext,
  resolveOptions,
  type SkinWeights,
  stageOf,
  UsageError,
  uniformTimes,
} from '@pelt/model';
import { EnvelopeDeformer } from '../../deform/envelope/envelope-deformer.ts';
import { ReducedDeformer } from '../../deform/envelope/reduced-deformer.ts';
import { decompose } from '../decompose.ts';
import { fitDisplacements } from './displacements.ts';
import { chooseKeys } from './key-gradients.ts';
import { reducedMatrices } from './reduced-system.ts';
import { samplePoses } from './sample-poses.ts';

export interface ReduceEnvelopeOptions {
  /** P, proxy bones. */
  readonly proxies: number;
  /** L, key gradients at most. They cost nothing a vertex, and are what a small model runs out of first. */
  readonly keys: number;
  /** Proxy bones a vertex. */
  readonly weights: number;
  /** Poses at which the skin is looked at. */
  readonly samples: number;
  /** Displacements on top where the full skin has them, so that its examples are met. */
  readonly correction: boolean;
}

export const REDUCE_ENVELOPE_DEFAULTS: ReduceEnvelopeOptions = {
  proxies: 30,
  keys: 120,
  weights: 4,
  samples: 40,
  correction: true,
};

/** Rounds of the decomposition: weights settle early, and transforms are solved anew. */
const ROUNDS = 40;

/** @param examples  poses that trained the skin, m × 12 each */
export function reduceEnvelope(
  envelope: Envelope,
  examples: readonly Float64Array[],
  numerics: Numerics,
  options?: Partial<ReduceEnvelopeOptions>,
  context?: RunContext,
): ReducedEnvelope {
  const {
    proxies,
    keys: most,
    weights,
    samples,
    correction,
  } = resolveOptions('reduceEnvelope', REDUCE_ENVELOPE_DEFAULTS, options);
  const { rig, predictors, fixed, centres } = envelope;
  if (!predictors) throw new UsageError('reduceEnvelope: the skin has no predictors; plain skinning needs no proxies');
  if (!Number.isInteger(proxies) || proxies < 1)
    throw new UsageError(`reduceEnvelope: ${proxies} proxies, expected 1 or more`);
  if (!Number.isInteger(most) || most < 1) throw new UsageError(`reduceEnvelope: ${most} keys, expected 1 or more`);
  const poses = samplePoses(rig.bones, centres, examples, samples);
  const { shapes, gradients } = look(numerics, envelope, poses);
  const { mesh } = rig;
  const f = mesh.triangles.length / 3;
  const { keys, shares } = chooseKeys(numerics, gradients, f, most);
  const fitted = decompose(
    { name: rig.name, rest: mesh, frames: shapes, times: uniformTimes(poses.length, 1) },
    { method: 'affine', bones: proxies, weights, rounds: ROUNDS, restStiffness: Number.POSITIVE_INFINITY },
    numerics,
    stageOf(context, 0.1, 0.9),
  );
  const P = fitted.rig.bones.length;
  const reduced: ReducedEnvelope = {
    rig,
    centres,
    proxies: P,
    keys: predictorsAt(predictors, keys),
    ...reducedMatrices(numerics, envelope, fitted.rig.weights, P, shares),
    skin: withBones(fitted.rig.weights, P, rig.weights, fixed),
  };
  if (!correction || !envelope.displacements) return reduced;
  return { ...reduced, displacements: meetExamples(numerics, envelope, reduced, examples) };
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

/** Displacements that take the reduced skin to the full one at its examples. */
function meetExamples(
  numerics: Numerics,
  envelope: Envelope,
  reduced: ReducedEnvelope,
  examples: readonly Float64Array[],
): ReducedEnvelope['displacements'] {
  const full = new EnvelopeDeformer(numerics, envelope);
  const small = new ReducedDeformer(numerics, reduced);
  const size = envelope.rig.mesh.positions.length;
  try {
    const axes = nearestKeys(full, small, examples);
    const shapes = examples.map((pose) => full.deform(pose, new Float32Array(size)));
    const positions = new Float32Array(size);
    const fitted = fitDisplacements(shapes, envelope.rig.bones.length, (t) => {
      small.deform(examples[t], positions);
      return { joints: small.joints(), positions, frames: small.keyRotations(), axes };
    });
    return { ...fitted, axes };
  } finally {
    full.dispose();
    small.dispose();
  }
}

/** For every vertex the key gradient that turns most as its surroundings do over the examples. */
function nearestKeys(full: EnvelopeDeformer, small: ReducedDeformer, examples: readonly Float64Array[]): Uint16Array {
  const n = full.frames.length / 9;
  const L = small.envelope.keys.references.length;
  const likeness = new Float64Array(n * L);
  for (const pose of examples) {
    full.deformUncorrected(pose);
    small.proxies(pose);
    const rotations = small.keyRotations();
    for (let i = 0; i < n; i++) {
      for (let l = 0; l < L; l++) {
        for (let k = 0; k < 9; k++) likeness[i * L + l] += full.frames[9 * i + k] * rotations[9 * l + k];
      }
    }
  }
  return Uint16Array.from({ length: n }, (_, i) => {
    let best = 0;
    for (let l = 1; l < L; l++) if (likeness[i * L + l] > likeness[i * L + best]) best = l;
    return best;
  });
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
