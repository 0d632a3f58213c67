/** Skins that `pelt envelope` learns, each to be measured and written. */
import type { Numerics } from '@pelt/math';
import { poseAt, stageOf } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import {
  type EnvelopeMethod,
  ReducedDeformer,
  reduceEnvelope,
  trainAddedJoints,
  trainEnvelope,
} from '@pelt/skin/envelope';
import type { Job } from '../job.ts';
import type { Values } from '../request/table.ts';
import { bakedBones, type Examples, encodeBaked, encodeLearnt } from './encode-envelope.ts';
import type { ENVELOPE } from './table.ts';

export interface LearntSkin {
  readonly report: {
    readonly proxies: number;
    readonly keys: number;
    readonly weightsPerVertex: number;
    readonly choice: LearntChoice | undefined;
  };
  readonly deform: (pose: Float64Array, out: Float32Array) => void;
  readonly encode: (warn: (message: string) => void) => Promise<Uint8Array>;
  readonly dispose: () => void;
}

/** What the examples chose by being left out. */
export interface LearntChoice {
  readonly pull: number;
  readonly tolerance: number;
  readonly heldShare: number;
  /** Pose space deformation did better on examples left out, and took over. */
  readonly fellBack: boolean;
  /** Root mean square distances on examples left out, in per cent of the size. */
  readonly leftOut: { readonly learnt: number; readonly psd: number } | undefined;
}

export function learnSkin(
  { weights, proxies, maxError, bake }: Values<typeof ENVELOPE>,
  predictor: EnvelopeMethod,
  examples: Examples,
  numerics: Numerics,
  train: readonly number[],
  job: Job,
): LearntSkin {
  const { rig, clip, weld } = examples;
  // Pose space deformation has displacements, which joints cannot carry: what is baked keeps its predictors.
  const options = { method: predictor, weights, fallback: !bake, correction: !bake };
  const context = stageOf(job.context, 0.05, 0.7);
  const { envelope, ...chosen } = trainEnvelope(rig, clip, weld.sequence, numerics, train, options, context);
  if (chosen.fellBack) {
    job.warn('pose space deformation did better on examples left out, and takes the place of the learnt gradients');
  }
  const poses = train.map((t) => poseAt(clip, t, rig.bones.length).transforms);
  const reduction = { proxies, maxError, weights, correction: !bake };
  const reduced = reduceEnvelope(envelope, poses, numerics, reduction, stageOf(job.context, 0.7, 0.95));
  const deformer = new ReducedDeformer(numerics, reduced);
  const { leftOut, ...choice } = chosen;
  const percent = leftOut && { learnt: 100 * leftOut.learnt, psd: 100 * leftOut.psd };
  return {
    report: {
      proxies: reduced.proxies,
      keys: reduced.keys.references.length,
      weightsPerVertex: reduced.skin.slots,
      choice: predictor === 'psd' || predictor === 'ssd' ? undefined : { ...choice, leftOut: percent },
    },
    deform: (pose, out) => deformer.deform(pose, out),
    encode: (warn) =>
      bake
        ? encodeBaked(reduced.skin, bakedBones(reduced), (pose) => deformer.proxies(pose), examples, warn)
        : encodeLearnt(reduced, examples, warn),
    dispose: () => deformer.dispose(),
  };
}

/** Plain skinning over joints that are added to the skeleton (Mohr and Gleicher). */
export function addJoints(
  { weights: slots }: Values<typeof ENVELOPE>,
  examples: Examples,
  numerics: Numerics,
  train: readonly number[],
): LearntSkin {
  const { rig, clip, weld } = examples;
  const { rig: extended, joints } = trainAddedJoints(rig, clip, weld.sequence, numerics, train, slots);
  const { weights, mesh, bones } = extended;
  return {
    report: { proxies: 0, keys: 0, weightsPerVertex: weights.slots, choice: undefined },
    deform: (pose, out) => deformLinear(mesh.positions, weights, joints.extend(pose), out),
    encode: (warn) => encodeBaked(weights, bones, (pose) => joints.extend(pose), examples, warn),
    dispose: () => undefined,
  };
}
