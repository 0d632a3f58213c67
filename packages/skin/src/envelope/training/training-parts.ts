/** What training computes once for a set of examples: blend weights, predictors and displacements. */
import { type Envelope, type Rig, type Run, stageOf } from '@pelt/model';
import type { EnvelopeMethod } from '../options.ts';
import { AddedJoints } from '../runtime/added-joints.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { PoseCoordinates } from '../runtime/pose-coordinates.ts';
import { fitBlendWeights } from './blend-weights.ts';
import { fitDisplacements } from './displacements.ts';
import type { Examples } from './examples.ts';
import { fitPredictors } from './fit-predictors.ts';
import { fitThesisPredictors } from './fit-thesis-predictors.ts';
import { NearRigid } from './near-rigid.ts';
import { dominantBones, RotationTargets, triangleSequences } from './rotation-targets.ts';
import { fitAddedBlend } from './train-added-joints.ts';

/** Parameters that depend on the data. */
export interface EnvelopeChoice {
  /** κ, weight of the regulariser towards pose space deformation. */
  readonly pull: number;
  /** RMS error of linear blending, relative to the model's size, below which a vertex keeps to it. */
  readonly tolerance: number;
  /** Fraction of every bone's vertices that keeps to linear blending in any case. */
  readonly heldShare: number;
  /** What is learnt: rotational regression, or a rival that did better on examples left out. */
  readonly skin: LearntForm;
  /** Displacements are added on top. */
  readonly displaced: boolean;
}

/** `psd` and `added-joints` are linear blending, over the skeleton and over one with added joints. */
export type LearntForm = 'regression' | 'psd' | 'added-joints';

/** What is the same for all folds of cross-validation. */
export interface TrainingSetup {
  readonly rig: Rig;
  readonly method: EnvelopeMethod;
  /** K, most bones per vertex of the linear blend. */
  readonly slots: number;
  /** m × 3 centres of the joints' ranges, as rotation vectors */
  readonly centres: Float64Array;
  /** Whether linear blending over added joints may take over. */
  readonly rivals: boolean;
}

export class TrainingParts {
  /** Linear blending, with its displacements except for the method `ssd`. */
  readonly base: Envelope;
  /** Linear blending over added joints, with displacements. */
  readonly added: Envelope | undefined;
  readonly predictors: Envelope['predictors'];
  readonly #run: Run;
  readonly #examples: Examples;
  readonly #nearRigid: NearRigid;

  constructor(examples: Examples, { rig, method, slots, centres, rivals }: TrainingSetup, run: Run) {
    const { mesh, bones } = examples;
    this.#run = run;
    this.#examples = examples;
    const weights = fitBlendWeights(examples, slots, stageOf(run, 0, 0.2));
    const fixed = new Uint8Array(mesh.positions.length / 3);
    const blend: Envelope = { rig: { ...rig, mesh, weights }, centres, fixed, pull: 0 };
    this.#nearRigid = new NearRigid(examples, weights);
    this.base = method === 'ssd' ? blend : { ...blend, blendDisplacements: displacementsOf(blend, examples, run) };
    if (method === 'ssd' || method === 'psd') return;
    if (rivals) this.added = addedBlendOf(blend, examples, slots, stageOf(run, 0.2, 0.5));
    const targets = new RotationTargets(triangleSequences(examples, run), new PoseCoordinates(bones, centres), run);
    const fit = method === 'wang' ? fitThesisPredictors : fitPredictors;
    this.predictors = fit(
      targets,
      { bones, dominant: dominantBones(mesh.triangles, weights, bones.length) },
      stageOf(run, rivals ? 0.5 : 0.2, 1),
    );
  }

  fixed({ tolerance, heldShare }: EnvelopeChoice): Uint8Array {
    return this.#nearRigid.fixed(tolerance, heldShare);
  }

  envelope(choice: EnvelopeChoice, correction: boolean): Envelope {
    const { base, added, predictors } = this;
    const { pull, skin, displaced } = choice;
    if (!predictors || skin !== 'regression') {
      const { blendDisplacements, ...plain } = (skin === 'added-joints' && added) || base;
      return correction && displaced && blendDisplacements ? { ...plain, blendDisplacements } : plain;
    }
    const { blendDisplacements, ...plain } = base;
    const fixed = this.fixed(choice);
    const envelope: Envelope = { ...plain, predictors, fixed, pull, ...(pull > 0 ? { blendDisplacements } : {}) };
    if (!correction || !displaced) return envelope;
    return { ...envelope, displacements: displacementsOf(envelope, this.#examples, this.#run) };
  }
}

/** Linear blending over the skeleton and its added joints, with its displacements. */
function addedBlendOf(blend: Envelope, examples: Examples, slots: number, run: Run): Envelope {
  const addedBlend = fitAddedBlend(examples, new AddedJoints(examples.bones, blend.centres), slots, run);
  const added: Envelope = { ...blend, addedBlend };
  return { ...added, blendDisplacements: displacementsOf(added, examples, run) };
}

function displacementsOf(envelope: Envelope, { poses, shapes, bones }: Examples, run: Run) {
  const deformer = new EnvelopeDeformer(envelope, run);
  try {
    return fitDisplacements(
      shapes,
      bones.length,
      (t) => {
        const positions = deformer.deformUncorrected(poses[t]);
        return { joints: deformer.joints, positions, frames: deformer.frames };
      },
      run,
    );
  } finally {
    deformer.dispose();
  }
}
