/** Weight steps shared by the search for bones and the refinement of a skeleton, with their memory. */
import { type Block, type Numerics, ScopeOwner, type SkinningSystem } from '@pelt/math';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';

/** Weight of a vertex itself relative to the mean of its neighbours when candidates are diffused. */
const OWN_WEIGHT = 1;
/** Relative gain that makes a swap worthwhile. */
const LEAST_GAIN = 1e-4;

export class WeightSteps extends ScopeOwner {
  readonly graph: EdgeGraph;
  readonly #starts: Block<Int32Array>;
  readonly #neighbours: Block<Int32Array>;
  readonly #candidates: Block<Int32Array>;
  readonly #most: number;

  /** @param mostSlots  maximum weights per vertex of the systems this is used with */
  constructor(numerics: Numerics, graph: EdgeGraph, mostSlots: number) {
    super(numerics);
    const n = graph.starts.length - 1;
    this.graph = graph;
    this.#starts = this.scope.i32From(graph.starts);
    this.#neighbours = this.scope.i32From(graph.neighbours);
    this.#candidates = this.scope.i32(n * mostSlots);
    this.#most = mostSlots;
  }

  /** Weights on supports that spread along the mesh by one ring. */
  diffuse(system: SkinningSystem): void {
    const graph = { starts: this.#starts, neighbours: this.#neighbours };
    system.diffuse(graph, OWN_WEIGHT, this.#candidates, system.K);
    system.solveWeightsAmong(this.#candidates, system.K);
  }

  /** Weights on supports found by swaps over all bones. */
  swap(system: SkinningSystem, most: number): void {
    system.solveWeightsBySwaps(most, LEAST_GAIN);
  }

  /** Weights on the current supports. */
  settle(system: SkinningSystem): void {
    this.#listSupports(system);
    system.solveWeightsAmong(this.#candidates, system.K);
  }

  /** The same bones with fewer weights per vertex, dropping those whose removal costs least. The caller disposes both. */
  withFewerSlots(system: SkinningSystem, slots: number): SkinningSystem {
    const bones = Array.from({ length: system.m }, (_, j) => j);
    const other = system.withBones(bones, 0, Math.min(slots, system.m));
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
