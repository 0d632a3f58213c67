import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
import { solveAffineBones } from './affine-bones.ts';
import { copyBones } from './copy-bones.ts';
import { priceFields, type SupportPrices } from './support-prices.ts';
import type { Trajectories } from './trajectories.ts';
import { type TrajectoryBlocks, trajectoryBlocks } from './trajectory-blocks.ts';
import { WeightMoments } from './weight-moments.ts';

/** Vertices in one chunk of a parallel pass. */
const VERTEX_GRAIN = 128;
/** Frames in one chunk of a bone step, which are expanded together. */
const FRAME_GRAIN = 2;

/**
 * Bones, weights and example trajectories in wasm memory, and the alternating steps over them:
 * minimise Σ_t Σ_i ‖v_ti − Σ_j w_ij M_tj p̂_i‖² over the weights, over the bones, over the rest pose.
 *
 * The steps may be taken in any order: what a step needs of the bones (their products in the basis) or of the weights
 * (their moments) is gathered when it is asked for and has changed. `transforms`, `boneIndices`, `weights` and `rest` are
 * read through their blocks and written through `editTransforms`, `editWeights` and `editRest`.
 *
 * @example
 * {@includeCode ../../examples/decomposition.ts}
 */
export class SkinningSystem extends ScopeOwner {
  readonly n: number;
  readonly S: number;
  readonly m: number;
  readonly K: number;
  /** n × 3 */
  readonly rest: Block<Float64Array>;
  /** S × m × 12, row-major 3 × 4, rest → frame */
  readonly transforms: Block<Float64Array>;
  /** n × K; a slot of weight 0 is unused */
  readonly boneIndices: Block<Int32Array>;
  readonly weights: Block<Float64Array>;
  /** n squared errors over all frames, after the last weight step */
  readonly error: Block<Float64Array>;
  /** m flags: 1 keeps a bone's transforms in `solveRigidBones` */
  readonly locked: Block<Int32Array>;

  readonly #numerics: Numerics;
  readonly #trajectories: Trajectories;
  readonly #blocks: TrajectoryBlocks;
  /** The bones in the basis, and their products with each other; stale where the transforms have changed. */
  readonly #projected: Block<Float64Array>;
  readonly #gram: Block<Float64Array>;
  #bonesStale = true;
  readonly #moments: WeightMoments;

  constructor(numerics: Numerics, trajectories: Trajectories, bones: number, slots: number) {
    super(numerics);
    this.#numerics = numerics;
    this.#trajectories = trajectories;
    const { scope } = this;
    this.#blocks = trajectoryBlocks(scope, trajectories);
    const { n, S, R, rest, coefficients } = this.#blocks;
    this.n = n;
    this.S = S;
    this.m = bones;
    this.K = slots;
    this.rest = rest;
    this.transforms = scope.f64(S * bones * 12);
    this.boneIndices = scope.i32(n * slots);
    this.weights = scope.f64(n * slots);
    this.error = scope.f64(n);
    this.locked = scope.i32(bones);
    this.#projected = scope.f64(bones * 4 * R);
    this.#gram = scope.f64(bones * bones * 10);
    const weights = { rest, coefficients, m: bones, R, K: slots, bones: this.boneIndices, weights: this.weights };
    this.#moments = new WeightMoments(numerics, scope, n, weights);
  }

  /** The transforms, to be written before the next step. */
  editTransforms(): Float64Array {
    this.#bonesStale = true;
    return this.transforms.view;
  }

  /** The bones and weights of the vertices, n × K, to be written before the next step. */
  editWeights(): { readonly bones: Int32Array; readonly weights: Float64Array } {
    this.#moments.invalidate();
    return { bones: this.boneIndices.view, weights: this.weights.view };
  }

  /** The rest positions, to be written before the next step. */
  editRest(): Float64Array {
    this.#moments.invalidate();
    return this.rest.view;
  }

  /** n × 3 rest positions of the trajectories, from which `correctRest` departs. */
  get originalRest(): Float64Array {
    return this.#blocks.originalRest.view;
  }

  /** Σ_i ‖p_i − p⁰_i‖², how far the rest pose has moved. */
  restDisplacement(): number {
    const [rest, original] = [this.rest.view, this.originalRest];
    let sum = 0;
    for (let k = 0; k < rest.length; k++) sum += (rest[k] - original[k]) ** 2;
    return sum;
  }

  /** Σ_i w_ij w_ik: how many vertices two bones move together, or a bone alone. */
  mass(j: number, k: number): number {
    return this.moments[(j * this.m + k) * 10 + 9];
  }

  /** Σ_i w_ij w_ik p_i / Σ_i w_ij w_ik, where two bones blend, or what a bone moves; undefined where there is nothing. */
  centre(j: number, k: number): [number, number, number] | undefined {
    const { moments } = this;
    const at = (j * this.m + k) * 10;
    const mass = moments[at + 9];
    return mass > 0 ? [moments[at + 3] / mass, moments[at + 6] / mass, moments[at + 8] / mass] : undefined;
  }

  /**
   * The best single bone for every vertex.
   *
   * @param best   n bone indices, out
   * @param error  n squared errors, out
   * @param bones  among the first of them
   */
  assign(best: Block<Int32Array>, error: Block<Float64Array>, bones = this.m): void {
    kernels.assignVertices(this.#numerics, this.n, VERTEX_GRAIN, { ...this.vertexFields(), best, error, count: bones });
  }

  /**
   * Weights among given candidates, at most K of them in the end.
   *
   * @param candidates  n × count bone indices, −1 behind the last
   * @param prior       pull towards the neighbours' mean weights (n × count, from `diffuse`): λ‖w − mean‖²
   * @param prices      of bones at vertices; none if absent
   */
  solveWeightsAmong(
    candidates: Block<Int32Array>,
    count: number,
    prior?: { readonly means: Block<Float64Array>; readonly lambda: number },
    prices?: SupportPrices,
  ): void {
    const fields = { ...this.#weightFields(), ...priceFields(prices), candidates, count };
    const { means, lambda = 0 } = prior ?? {};
    this.#moments.invalidate();
    kernels.weightsAmongCandidates(this.#numerics, this.n, VERTEX_GRAIN, { ...fields, means, lambda });
  }

  /**
   * Weights by a search over all bones from the support at hand; without prices, the error of no vertex rises. Where every
   * vertex may use every bone there is nothing to search for: the best weights at once.
   *
   * @param idle  n flags, 1 where the last search of the vertex found nothing, in and out: a quick search, which leaves out
   *              every other round of such a vertex; a thorough one without
   */
  solveWeightsBySwaps(mostSwaps: number, leastGain: number, prices?: SupportPrices, idle?: Block<Uint8Array>): void {
    if (this.K >= this.m) {
      this.solveWeightsOverAll();
      return;
    }
    const fields = { ...this.#weightFields(), ...priceFields(prices), mostSwaps, leastGain, idle };
    this.#moments.invalidate();
    kernels.weightsBySwaps(this.#numerics, this.n, VERTEX_GRAIN, fields);
  }

  /**
   * The same search by the best of all pairs of a bone that enters and one that leaves, whose gains are known in closed
   * form: lower errors than by the steepest bone alone, in about the same time.
   *
   * @param idle  n flags, 1 where the last search of the vertex found nothing, in and out: such a vertex rests for a round
   */
  solveWeightsByBestSwaps(mostSwaps: number, leastGain: number, idle: Block<Uint8Array>, prices?: SupportPrices): void {
    if (this.K >= this.m) {
      this.solveWeightsOverAll();
      return;
    }
    const fields = { ...this.#weightFields(), ...priceFields(prices), mostSwaps, leastGain, idle };
    this.#moments.invalidate();
    kernels.weightsByBestSwaps(this.#numerics, this.n, VERTEX_GRAIN, fields);
  }

  /** Weights where every vertex may use every bone (K ≥ m): the best there are; the error of no vertex rises. */
  solveWeightsOverAll(): void {
    this.#moments.invalidate();
    kernels.weightsOverAll(this.#numerics, this.n, VERTEX_GRAIN, this.#weightFields());
  }

  /** n × m products Σ_t (M_tj p̂_i)·v_ti, the right-hand sides Aᵀb of all weight problems. */
  boneProducts(): Float64Array {
    const scope = this.#numerics.scope();
    const out = scope.f64(this.n * this.m);
    kernels.boneProducts(this.#numerics, this.n, VERTEX_GRAIN, { ...this.vertexFields(), out });
    const products = out.view.slice();
    scope.dispose();
    return products;
  }

  /**
   * The bones that explain each vertex best when each moves it alone, least error first.
   *
   * @param candidates  n × count, out; −1 behind the last where there are fewer bones
   */
  nearestBones(candidates: Block<Int32Array>, count: number): void {
    kernels.nearestBones(this.#numerics, this.n, VERTEX_GRAIN, { ...this.vertexFields(), candidates, count });
  }

  /** The weights at hand in whole steps of 1/levels that sum to 1, with as little error as such steps can have. */
  roundWeights(levels: number): void {
    this.#moments.invalidate();
    kernels.roundWeights(this.#numerics, this.n, VERTEX_GRAIN, { ...this.#weightFields(), levels });
  }

  /** Fills `error` for the weights at hand. */
  measureError(): void {
    kernels.measureWeights(this.#numerics, this.n, VERTEX_GRAIN, this.#weightFields());
  }

  /**
   * Candidates from the weights of a vertex and its neighbours.
   *
   * @param graph       starts (n + 1) and neighbours of the edge graph
   * @param own         weight of the vertex itself beside the mean of its neighbours
   * @param candidates  n × count, out
   * @param means       n × count, out: the neighbours' mean weights of the candidates
   */
  diffuse(
    graph: { starts: Block<Int32Array>; neighbours: Block<Int32Array> },
    own: number,
    candidates: Block<Int32Array>,
    count: number,
    means?: Block<Float64Array>,
  ): void {
    const { boneIndices: bones, weights, m, K } = this;
    const { starts, neighbours } = graph;
    const fields = { starts, neighbours, m, K, bones, weights, count, candidates, own, means };
    kernels.diffuseCandidates(this.#numerics, this.n, VERTEX_GRAIN, fields);
  }

  /**
   * Rigid bones for the weights at hand, in place.
   *
   * @param steadiness  ε of a proximal term that keeps what few vertices leave undetermined of a rotation, in squared units
   *                    of the positions; 0 leaves it to rounding
   */
  solveRigidBones(sweeps: number, steadiness = 0): void {
    const { moments, trajectoryMoments } = this.#moments.gather();
    this.#bonesStale = true;
    kernels.rigidBones(this.#numerics, this.S, FRAME_GRAIN, {
      ...this.#boneFields(),
      moments,
      trajectoryMoments,
      sweeps,
      locked: this.locked,
      steadiness,
    });
  }

  /** Affine bones for the weights at hand, in place. */
  solveAffineBones(): void {
    const { moments, trajectoryMoments } = this.#moments.gather();
    this.#gatherBones();
    this.#bonesStale = true;
    solveAffineBones(this.#numerics, {
      ...this.#boneFields(),
      moments,
      trajectoryMoments,
      projected: this.#projected,
    });
  }

  /**
   * Moves rest positions to where the bones and weights fit best; `stiffness` counts frames that say "stay", Infinity of
   * which keep them.
   */
  correctRest(stiffness: number): void {
    if (stiffness === Number.POSITIVE_INFINITY) return;
    const fields = { ...this.#weightFields(), original: this.#blocks.originalRest, stiffness };
    this.#moments.invalidate();
    kernels.correctRest(this.#numerics, this.n, VERTEX_GRAIN, fields);
  }

  /** m costs: how much Σ of squared errors would rise without each bone, its place taken by the next best. */
  removalCosts(): Float64Array {
    return this.#costsPerBone(kernels.removalCosts);
  }

  /** The same in closed form, in a fraction of the time: weights that would change sign count for nothing. */
  removalEstimates(): Float64Array {
    return this.#costsPerBone(kernels.removalEstimates);
  }

  #costsPerBone(sum: typeof kernels.removalCosts): Float64Array {
    const { m, n } = this;
    const scope = this.#numerics.scope();
    const parts = scope.f64(Math.ceil(n / VERTEX_GRAIN) * m);
    sum(this.#numerics, n, VERTEX_GRAIN, { ...this.#weightFields(), costs: parts, grain: VERTEX_GRAIN });
    const costs = new Float64Array(m);
    parts.view.forEach((cost, k) => {
      costs[k % m] += cost;
    });
    scope.dispose();
    return costs;
  }

  /**
   * A system over the same trajectories with other bones: those in `kept`, in that order, then `added` bones that stand
   * far away and have no vertices yet. Weights of bones that go are given to the others of the vertex; a vertex that had
   * no other is left without weights.
   */
  withBones(kept: readonly number[], added: number, slots: number): SkinningSystem {
    const other = new SkinningSystem(this.#numerics, this.#trajectories, kept.length + added, slots);
    copyBones(this, other, kept);
    return other;
  }

  /** Σ of the vertices' squared errors after the last weight step. */
  totalError(): number {
    return this.error.view.reduce((sum, value) => sum + value, 0);
  }

  /** m × m × 10 weight moments, Σ_i w_ij w_ik p̂_i p̂_iᵀ; a view until the next step. */
  get moments(): Float64Array {
    return this.#moments.gather().moments.view;
  }

  /** m × 4 × R moments of weights and trajectories, for bone solvers beside this one. */
  get trajectoryMoments(): Block<Float64Array> {
    return this.#moments.gather().trajectoryMoments;
  }

  /** Another number whenever the moments are others. */
  get momentsRevision(): number {
    this.#moments.gather();
    return this.#moments.revision;
  }

  /** The basis of the trajectories, r × 3S; R is r, made even. */
  get trajectoryBasis(): { readonly basis: Block<Float64Array>; readonly r: number; readonly R: number } {
    return this.#blocks;
  }

  /** What the weight steps need of the bones. */
  #gatherBones(): void {
    if (!this.#bonesStale) return;
    const fields = { ...this.#boneFields(), projected: this.#projected, gram: this.#gram };
    kernels.projectBones(this.#numerics, this.m, 1, fields);
    kernels.gramOfBones(this.#numerics, this.m, 1, fields);
    this.#bonesStale = false;
  }

  /** What kernels over vertices and bones begin with; brings the products of the bones up to date. */
  vertexFields(): kernels.Vertices {
    this.#gatherBones();
    const { rest, coefficients, squaredNorms, R } = this.#blocks;
    return { rest, coefficients, squaredNorms, projected: this.#projected, gram: this.#gram, m: this.m, R };
  }

  #weightFields(): kernels.Weights {
    return {
      ...this.vertexFields(),
      K: this.K,
      bones: this.boneIndices,
      weights: this.weights,
      error: this.error,
    };
  }

  #boneFields() {
    const { transforms, m, S } = this;
    const { basis, r, R } = this.#blocks;
    return { transforms, basis, m, S, r, R };
  }
}
