/** Skins that `pelt envelope` learns, each to be measured and written. */
import { type Dynamics, poseAt, type Run, stageOf, TRANSFORM_SIZE } from '@pelt/model';
import { deformLinear } from '@pelt/skin/blending';
import {
  createReducedDeformer,
  type EnvelopeMethod,
  reduceEnvelope,
  trainAddedJoints,
  trainEnvelope,
} from '@pelt/skin/envelope';
import type { OpenedCharacter } from '../input/open-character.ts';
import type { Values } from '../request/table.ts';
import { bakedRig, type Examples, encodeBaked, encodeLearnt } from './encode-envelope.ts';
import type { SwingReport } from './swing-report.ts';
import type { ENVELOPE } from './table.ts';

/** What a report says of a learnt skin. */
export interface LearntFigures {
  readonly proxies: number;
  readonly keys: number;
  /** Displacements that are stored and mixed, pose by pose. */
  readonly displacements: number;
  readonly weightsPerVertex: number;
  /** How the file is played: by pelt's own run times, or by any. */
  readonly playedBy: PlayedBy;
  /** What the examples chose by being left out, where they had to. */
  readonly choice: LearntChoice | undefined;
  /** What was learnt of the swing, where it was asked for. */
  readonly dynamics?: SwingReport;
}

export interface LearntSkin {
  readonly report: LearntFigures;
  /** How it swings, where it does. */
  readonly dynamics?: Dynamics;
  /** @param t  the frame of the examples whose pose it is */
  readonly deform: (pose: Float64Array, out: Float32Array, t: number) => void;
  /** @param opened  the character whose skin it becomes */
  readonly encode: (opened: OpenedCharacter, warn: (message: string) => void) => Promise<Uint8Array>;
  readonly dispose: () => void;
}

/**
 * `pelt`: @pelt/three and pelt's own commands; other programs play the linear blend skinning below it. `any`: any glTF
 * player, as joints of a baked clip, or because there is nothing but linear blend skinning.
 */
export type PlayedBy = 'pelt' | 'any';

/** What the examples chose by being left out. */
export interface LearntChoice {
  readonly pull: number;
  readonly tolerance: number;
  readonly heldShare: number;
  readonly skin: 'regression' | 'psd' | 'added-joints';
  /** Displacements helped on examples left out. */
  readonly displaced: boolean;
  /** A rival did better on examples left out than rotational regression, and took over. */
  readonly fellBack: boolean;
  /** Root mean square distances on examples left out, in per cent of the size. */
  readonly leftOut: { readonly learnt: number; readonly psd: number; readonly addedJoints: number } | undefined;
}

/** What training takes of the options of the command. */
type LearningOptions = Pick<Values<typeof ENVELOPE>, 'weights' | 'reduce' | 'proxies' | 'maxError' | 'bake'>;

/** Fraction of the error on examples left out that principal displacements may miss the examples by. */
const DISPLACEMENT_SHARE = 0.03;

export function learnSkin(
  { weights, reduce, proxies, maxError, bake }: LearningOptions,
  predictor: EnvelopeMethod,
  examples: Examples,
  frames: readonly number[],
  run: Run,
  warn: (message: string) => void,
): LearntSkin {
  const { rig, clip } = examples;
  // Joints cannot carry displacements: what is baked goes without.
  const options = { method: predictor, frames, weights, correction: !bake };
  const { envelope, ...chosen } = trainEnvelope(examples, options, stageOf(run, 0.05, 0.7));
  if (chosen.fellBack) {
    warn(`${RIVALS[chosen.skin]} did better on examples left out, and takes the place of the learnt gradients`);
  }
  const poses = frames.map((t) => poseAt(clip, t, rig.bones.length).transforms);
  const { crossValidation: leftOut, ...choice } = chosen;
  const leastError = leftOut && Math.min(...Object.values(leftOut));
  const displacementTolerance = leastError && DISPLACEMENT_SHARE * leastError;
  const reduction = {
    method: reduce,
    proxies,
    mostProxies: proxies,
    maxError,
    weights,
    correction: !bake,
    displacementTolerance,
  };
  const reduced = reduceEnvelope({ envelope, poses }, reduction, stageOf(run, 0.7, 0.95));
  const deformer = createReducedDeformer(reduced, {}, run);
  const percent = leftOut && {
    learnt: 100 * leftOut.learnt,
    psd: 100 * leftOut.psd,
    addedJoints: 100 * leftOut.addedJoints,
  };
  const { displacements, addedJoints } = reduced;
  const isPlain = reduced.proxies === 0 && !addedJoints && !displacements;
  return {
    report: {
      proxies: reduced.proxies,
      keys: reduced.keys.references.length,
      displacements: displacements ? displacements.displacements.length / rig.mesh.positions.length : 0,
      weightsPerVertex: reduced.skin.slots,
      playedBy: bake || isPlain ? 'any' : 'pelt',
      choice: predictor === 'psd' || predictor === 'ssd' ? undefined : { ...choice, leftOut: percent },
    },
    deform: (pose, out) => deformer.deform(pose, out),
    encode: (opened, warn) =>
      bake
        ? encodeBaked(bakedRig(reduced), (pose) => deformer.palette.update(pose), opened, warn)
        : encodeLearnt(reduced, opened, warn),
    dispose: () => deformer.dispose(),
  };
}

const RIVALS = { regression: '', psd: 'pose space deformation', 'added-joints': 'linear blending over added joints' };

/** Plain skinning over joints that are added to the skeleton (Mohr and Gleicher). */
export function addJoints(
  { weights }: Pick<LearningOptions, 'weights'>,
  examples: Examples,
  frames: readonly number[],
  run: Run,
): LearntSkin {
  const { rig: extended, joints } = trainAddedJoints(examples, { frames, weights }, stageOf(run, 0.05, 0.95));
  const bones = extended.bones.map((bone) => ({ ...bone, parent: -1 }));
  const rig = { ...extended, bones };
  const palette = new Float64Array(TRANSFORM_SIZE * bones.length);
  return {
    report: {
      proxies: 0,
      keys: 0,
      displacements: 0,
      weightsPerVertex: rig.weights.slots,
      playedBy: 'any',
      choice: undefined,
    },
    deform: (pose, out) => deformLinear(rig.mesh.positions, rig.weights, joints.extend(pose, palette), out),
    encode: (opened, warn) => encodeBaked(rig, (pose) => joints.extend(pose, palette), opened, warn),
    dispose: () => undefined,
  };
}
