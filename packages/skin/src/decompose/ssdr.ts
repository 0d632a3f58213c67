/**
 * Smooth skinning decomposition with rigid bones (SSDR), and with affine ones: minimise
 * Σ_t Σ_i ‖v_ti − Σ_j w_ij (R_tj p_i + T_tj)‖² over weights, rotations, translations and the rest pose, subject to w ≥ 0,
 * Σw = 1, at most K non-zero weights per vertex, and R ∈ SO(3) for rigid bones.
 *
 * The rounds of every search (shared/search/rounds.ts) over bones without joints. The error is decided by which bones each
 * vertex may use, so the weight step alternates two searches: candidates diffused along the mesh find coherent supports but
 * move by one ring per round; gradient-based swaps over all bones find distant supports but stall alone. A short return to
 * diffusion every few rounds (a kick) raises the error temporarily and leads to a lower one. The rest pose is one more block,
 * see `RestPoseStep`; weights far from the rest of their bone have a price, see `IslandPrices`.
 *
 * Tried and left out: docs/experiments/ssdr.md.
 *
 * References: Le, Deng. Smooth skinning decomposition with rigid bones. 2012 (equations 2, 13–17). Le, Deng. Mesh
 * animation decomposition and compression. SIGGRAPH course 2014, section 1.
 */

import type { SkinningSystem } from '@pelt/kernels';
import { DISPOSE, type Numerics } from '@pelt/math';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { RestPoseStep } from '../shared/rest-pose.ts';
import { IslandPrices } from '../shared/search/island-prices.ts';
import { type BoneKind, LooseBones } from '../shared/search/loose-bones.ts';
import type { PaintedWeights } from '../shared/search/painted-weights.ts';
import { SearchRounds } from '../shared/search/rounds.ts';
import { slowPeriods } from '../shared/search/stop-rules.ts';
import type { WeightPlan } from '../shared/search/weight-plan.ts';
import { WeightSteps } from '../shared/search/weight-steps.ts';
import type { RoundOptions } from './options.ts';
import { type FitPlan, roundsOf } from './plan.ts';

/** Error, in radii, that corresponds to one unit of smoothness. */
const SMOOTH_ERROR = 0.1;

/** Unused bones that start again in one descent: with more, fits take longer. */
const MOST_RESTARTS = 8;

/** How the rounds begin and end. */
export interface Descent {
  /** Rounds that diffuse the initial weights along the mesh; 0 if they are spread already. */
  readonly opening: number;
  /** Whether the best iterate is refined on its supports; not worth it if more rounds follow. */
  readonly settle: boolean;
  /** Shares of the price of islands in the first and in the last rounds. */
  readonly prices: readonly [number, number];
  /** Weights that obey a mask; bones then stay what they are, and none restarts. */
  readonly painted?: PaintedWeights | undefined;
}

/** The rounds of a decomposition over an initialised system. */
export class DecompositionRounds extends SearchRounds implements Disposable {
  constructor(
    numerics: Numerics,
    system: SkinningSystem,
    graph: EdgeGraph,
    kind: BoneKind,
    options: RoundOptions,
    { opening, settle, prices, painted }: Descent,
    plan: FitPlan,
  ) {
    const { rounds, tolerance, islandPrice } = options;
    const steps = new WeightSteps(numerics, graph, system.K, options.smooth * system.S * SMOOTH_ERROR ** 2, painted);
    const dense = system.K >= system.m;
    // The regulariser for smooth weights has no islands to remove, and dense weights no supports to choose.
    const priced = islandPrice > 0 && prices[1] > 0 && !steps.smooth && !dense;
    const islands = priced ? new IslandPrices(numerics, system, graph) : undefined;
    super({
      system,
      steps,
      bones: new LooseBones(system, kind, plan.sweeps),
      rest: new RestPoseStep(system, options.restPose),
      plan: weightPlan(opening, plan, { dense, smooth: steps.smooth }),
      stop: slowPeriods(tolerance),
      rounds,
      swaps: plan.swaps,
      swapping: 'best',
      settling: settle ? roundsOf(plan).settling : 0,
      restFrom: opening,
      restarts: { support: plan.support, vertices: plan.seed, most: painted ? 0 : MOST_RESTARTS },
      ...(islands && { islands: { prices: islands, price: islandPrice, shares: prices, until: plan.priced } }),
    });
  }

  dispose(): void {
    this.settings.islands?.prices.dispose();
    this.settings.steps.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}

/**
 * Diffusion in the opening; then periods of swaps, each followed by a kick. Where every vertex may use every bone there are
 * no supports to search for, and kicks gain nothing; swaps ignore neighbours, so with a smoothness prior all is diffusion.
 */
function weightPlan(
  opening: number,
  { swapping, kick }: FitPlan,
  { dense, smooth }: { readonly dense: boolean; readonly smooth: boolean },
): WeightPlan {
  const [diffusion, swap] = [dense && !smooth ? 's' : 'd', smooth ? 'd' : 's'];
  return {
    opening: 'd'.repeat(opening) + swap.repeat(swapping),
    periods: [diffusion.repeat(kick) + swap.repeat(swapping)],
  };
}
