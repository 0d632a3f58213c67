/** Everything about a set of examples that does not depend on the choices: blend weights, predictors, displacements. */

import type { Numerics } from '@pelt/math';
import type { Envelope, Rig, RunContext } from '@pelt/model';
import type { EnvelopeMethod } from '../options.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { PoseCoordinates } from '../runtime/pose-coordinates.ts';
import { fitBlendWeights } from './blend-weights.ts';
import { fitDisplacements } from './displacements.ts';
import type { Examples } from './examples.ts';
import { fitPredictors } from './fit-predictors.ts';
import { fitThesisPredictors } from './fit-thesis-predictors.ts';
import { NearRigid } from './near-rigid.ts';
import { RotationTargets } from './rotation-targets.ts';

/** What the data must decide. */
export interface EnvelopeChoice {
  /** κ, pull of the free vertices towards pose space deformation. */
  readonly pull: number;
  /** Error of the linear blend, relative to the model's diagonal, below which a vertex stays with it. */
  readonly tolerance: number;
  /** Share of every bone's vertices that stays with the linear blend in any case. */
  readonly heldShare: number;
  /** Pose space deformation in place of the predictors. */
  readonly fellBack: boolean;
}

export class TrainingParts {
  /** Linear blending, with its displacements except for the method `ssd`. */
  readonly base: Envelope;
  readonly predictors: Envelope['predictors'];
  readonly #numerics: Numerics;
  readonly #examples: Examples;
  readonly #nearRigid: NearRigid;

  /**
   * @param slots    bones a vertex of the linear blend
   * @param centres  m × 3 middles of the joints' ranges
   */
  constructor(
    numerics: Numerics,
    rig: Rig,
    examples: Examples,
    method: EnvelopeMethod,
    slots: number,
    centres: Float64Array,
    context: RunContext | undefined,
  ) {
    const { mesh, bones } = examples;
    this.#numerics = numerics;
    this.#examples = examples;
    const weights = fitBlendWeights(numerics, examples, slots);
    const fixed = new Uint8Array(mesh.positions.length / 3);
    const blend: Envelope = { rig: { ...rig, mesh, weights }, centres, fixed, pull: 0 };
    this.#nearRigid = new NearRigid(examples, weights);
    this.base = method === 'ssd' ? blend : { ...blend, blendDisplacements: displacementsOf(numerics, blend, examples) };
    if (method === 'ssd' || method === 'psd') return;
    const targets = new RotationTargets(examples, new PoseCoordinates(bones, centres));
    this.predictors =
      method === 'thesis'
        ? fitThesisPredictors(targets, mesh.triangles, bones, weights, context)
        : fitPredictors(numerics, targets, mesh.triangles, bones, weights, context);
  }

  fixed({ tolerance, heldShare }: EnvelopeChoice): Uint8Array {
    return this.#nearRigid.fixed(tolerance, heldShare);
  }

  envelope(choice: EnvelopeChoice, correction: boolean): Envelope {
    const { base, predictors } = this;
    const { pull, fellBack } = choice;
    if (!predictors || fellBack) return base;
    const { blendDisplacements, ...plain } = base;
    const fixed = this.fixed(choice);
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
