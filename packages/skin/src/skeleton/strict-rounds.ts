/**
 * Refinement of a skeleton: minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij (R_tj p_i + T_tj)‖² over weights, rotations, joints, the
 * root's translations and the rest pose, where every bone but the root rotates about its joint and joints are exact: the
 * rounds of every search (shared/search/rounds.ts) over bones with joints (jointed-bones.ts).
 *
 * Tried and left out: docs/experiments/skeleton.md.
 *
 * Reference: Le, Deng. Mesh animation decomposition and compression. SIGGRAPH course 2014, section 2.3.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { DISPOSE, type Numerics } from '@pelt/math';
import { stiffRest } from '../shared/rest-pose.ts';
import { SearchRounds } from '../shared/search/rounds.ts';
import { slowPeriod } from '../shared/search/stop-rules.ts';
import type { WeightPlan } from '../shared/search/weight-plan.ts';
import type { WeightSteps } from '../shared/search/weight-steps.ts';
import type { JointedTree } from './joint-tree.ts';
import { type BodyShape, JointedBones, type JointOptions } from './jointed-bones.ts';

export interface StrictOptions extends JointOptions {
  /** Maximum number of rounds of weights and bones. */
  readonly rounds: number;
  /** Which search for supports each round uses. */
  readonly plan: WeightPlan;
  /** Stop when a period of rounds lowers the error by less than this fraction. */
  readonly tolerance: number;
  /** Weight of the input's rest pose, counted in frames; 0 lets it float, Infinity fixes it. */
  readonly restStiffness: number;
}

/** The rounds of a skeleton over a system with weights and transforms. */
export class StrictRounds extends SearchRounds implements Disposable {
  readonly #bones: JointedBones;

  /** @param shape  of the mesh, if joints should be inside or mirrored */
  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    hung: JointedTree,
    steps: WeightSteps,
    options: StrictOptions,
    shape: BodyShape = {},
  ) {
    const { rounds, plan, tolerance, restStiffness, search } = options;
    const bones = new JointedBones(numerics, system, steps.graph, hung, options, shape);
    super({
      system,
      steps,
      bones,
      rest: stiffRest(system, restStiffness),
      plan,
      stop: slowPeriod(tolerance),
      rounds,
      swaps: search.swaps,
      swapping: 'quick',
      settling: search.settling,
      settled: true,
    });
    this.#bones = bones;
  }

  /** m × 3, the joints of the best iterate. */
  get joints(): Float64Array {
    return this.#bones.joints;
  }

  /** Sum of squared errors of the best iterate with other joints and re-solved rotations; the best iterate is kept. */
  errorWith(joints: Float64Array): number {
    const { system } = this.settings;
    this.restore();
    this.#bones.place(joints);
    system.measureError();
    return system.totalError();
  }

  /** Refines the best iterate with the given joints, which stay fixed. */
  finishWith(joints: Float64Array): void {
    this.restore();
    this.#bones.place(joints);
    this.#bones.fix();
    this.startAgain();
    this.finish();
  }

  dispose(): void {
    this.#bones.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}
