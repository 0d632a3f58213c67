/** Weight steps shared by the descents of decompositions and skeletons, with their memory. */
import type { SkinningSystem, SupportPrices } from '@pelt/kernels';
import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import type { EdgeGraph } from '../mesh/edge-graph.ts';
import { copyOf } from './moves.ts';
import type { PaintedWeights } from './painted-weights.ts';

/** Weight of a vertex itself relative to the mean of its neighbours when candidates are diffused. */
const OWN_WEIGHT = 1;
/** Relative gain that makes a swap worthwhile. */
const LEAST_GAIN = 1e-4;

/**
 * How swaps over all bones are found. `best`: of all pairs of a bone that enters and one that leaves; a vertex whose search
 * found nothing rests for a round. `quick`: by the steepest bone, resting too, for many rounds. `thorough`: by the steepest
 * bone, without rest.
 */
export type Swapping = 'best' | 'quick' | 'thorough';

/** Weights on supports found by thorough swaps over all bones. */
export function swapThoroughly(system: SkinningSystem, most: number, prices?: SupportPrices): void {
  system.solveWeightsBySwaps(most, LEAST_GAIN, prices);
}

export class WeightSteps extends ScopeOwner {
  readonly graph: EdgeGraph;
  readonly #blocks: { readonly starts: Block<Int32Array>; readonly neighbours: Block<Int32Array> };
  readonly #candidates: Block<Int32Array>;
  /** n flags: 1 where the last search by swaps found nothing */
  readonly #idle: Block<Uint8Array>;
  readonly #most: number;
  /** Regulariser towards the neighbours' mean weights, λ‖w − mean‖². */
  readonly #prior: { readonly means: Block<Float64Array>; readonly lambda: number } | undefined;
  readonly #painted: PaintedWeights | undefined;

  /**
   * @param mostSlots  maximum weights per vertex of the systems this is used with
   * @param lambda     λ of the regulariser for diffused weights, which doubles the number of candidates; 0 for none
   * @param painted    vertices whose weights obey a mask, in every step
   */
  constructor(numerics: Numerics, graph: EdgeGraph, mostSlots: number, lambda = 0, painted?: PaintedWeights) {
    super(numerics);
    this.#painted = painted;
    const n = graph.starts.length - 1;
    const { scope } = this;
    this.graph = graph;
    this.#blocks = { starts: scope.i32From(graph.starts), neighbours: scope.i32From(graph.neighbours) };
    this.#most = lambda > 0 ? 2 * mostSlots : mostSlots;
    this.#candidates = scope.i32(n * this.#most);
    this.#idle = scope.u8(n);
    if (lambda > 0) this.#prior = { means: scope.f64(n * this.#most), lambda };
  }

  /** Whether diffused weights are regularised. */
  get smooth(): boolean {
    return this.#prior !== undefined;
  }

  /** Weights on supports that spread along the mesh by one ring. */
  diffuse(system: SkinningSystem, prices?: SupportPrices): void {
    const count = Math.min(this.smooth ? 2 * system.K : system.K, system.m);
    this.#idle.view.fill(0);
    system.diffuse(this.#blocks, OWN_WEIGHT, this.#candidates, count, this.#prior?.means);
    system.solveWeightsAmong(this.#candidates, count, this.#prior, prices);
    this.#painted?.apply(system);
  }

  /**
   * The same among twice as many candidates, of which the least useful are eliminated: bones spread along the mesh without
   * displacing those that swaps have found. Made for half as many slots as these steps.
   */
  widen(system: SkinningSystem): void {
    const count = Math.min(2 * system.K, system.m, this.#most);
    this.#idle.view.fill(0);
    system.diffuse(this.#blocks, OWN_WEIGHT, this.#candidates, count);
    system.solveWeightsAmong(this.#candidates, count);
  }

  /** Weights on supports found by swaps over all bones. */
  swap(system: SkinningSystem, swapping: Swapping, most: number, prices?: SupportPrices): void {
    if (swapping === 'best') system.solveWeightsByBestSwaps(most, LEAST_GAIN, this.#idle, prices);
    else if (swapping === 'quick') system.solveWeightsBySwaps(most, LEAST_GAIN, prices, this.#idle);
    else swapThoroughly(system, most, prices);
    this.#painted?.apply(system);
  }

  /** Weights on the current supports; over all bones where every vertex may use them. */
  settle(system: SkinningSystem, prices?: SupportPrices): void {
    if (system.K >= system.m) system.solveWeightsOverAll();
    else {
      this.#listSupports(system);
      system.solveWeightsAmong(this.#candidates, system.K, undefined, prices);
    }
    this.#painted?.apply(system);
  }

  /** The same bones with fewer weights per vertex, dropping those whose removal costs least. The caller disposes both. */
  withFewerSlots(system: SkinningSystem, slots: number): SkinningSystem {
    const other = copyOf(system, slots);
    this.#listSupports(system);
    other.solveWeightsAmong(this.#candidates, system.K);
    return other;
  }

  /** n × K candidates: the bones in use, then −1. */
  #listSupports({ n, K, boneIndices, weights }: SkinningSystem): void {
    if (K > this.#most) throw new RangeError(`weight steps for ${this.#most} slots, not ${K}`);
    const [bones, w, candidates] = [boneIndices.view, weights.view, this.#candidates.view];
    for (let i = 0; i < n; i++) {
      let used = 0;
      for (let s = i * K; s < (i + 1) * K; s++) if (w[s] > 0) candidates[i * K + used++] = bones[s];
      candidates.fill(-1, i * K + used, (i + 1) * K);
    }
  }
}
