/**
 * Two-layer factorisation of weights: W ≈ D·A, where columns of D are convex with at most c non-zeros and columns of A
 * convex with at most two; minimise the error on example poses Σ_i ‖X_i D a_i − v_i‖² (equation 58), or that of the weights
 * (equation 44).
 *
 * The dictionary D grows in batches by the weights of the vertices with the largest error; between batches and at the end,
 * atoms and pairs are solved alternately (algorithm 7). A new atom is propagated over the mesh as far as it helps
 * (algorithm 8, as a work list); afterwards each vertex considers its own atoms and its neighbours'. The update of an atom
 * is exact.
 *
 * Reference: Le, Deng. Two-layer sparse compression of dense-weight blend skinning. 2013.
 */
import { type SkinningSystem, TwoLayerSystem } from '@pelt/kernels';
import type { Numerics } from '@pelt/math';
import { checkCancelled, type RunContext, type TwoLayerSkin } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { packWeights } from '../../shared/pack-weights.ts';

/** Size of a batch relative to the dictionary, and its minimum. */
const GROWTH = 0.35;
const LEAST_BATCH = 8;
/** Alternations of atoms and pairs after each batch, and after the last. */
const TURNS = 2;
const LAST_TURNS = 8;
/** Candidate bones of an atom, in multiples of c; all bones if there are at most FEW_BONES. */
const CANDIDATES_PER_SLOT = 2;
const FEW_BONES = 48;
/** Squared error over all frames, in squared radii, below which a vertex needs no atom of its own. */
const NOTHING = 1e-18;

/**
 * @param system    contains the optimal weights of every vertex with at most c bones, and their errors
 * @param virtual   q, maximum number of atoms
 */
export function factorise(
  numerics: Numerics,
  system: SkinningSystem,
  graph: EdgeGraph,
  virtual: number,
  context?: RunContext,
): TwoLayerSkin {
  const layers = new TwoLayerSystem(numerics, system, graph, Math.max(virtual, 1), system.K);
  const dictionary = new Dictionary(system, layers);
  dictionary.start();
  while (layers.count < layers.capacity) {
    checkCancelled(context);
    context?.onProgress?.({
      stage: 'making virtual bones',
      fraction: layers.count / layers.capacity,
      detail: `${layers.count} of ${layers.capacity}`,
    });
    const batch = Math.max(LEAST_BATCH, Math.ceil(GROWTH * layers.count));
    if (!dictionary.grow(Math.min(batch, layers.capacity - layers.count))) break;
    for (let turn = 0; turn < TURNS; turn++) dictionary.alternate();
  }
  for (let turn = 0; turn < LAST_TURNS; turn++) {
    checkCancelled(context);
    dictionary.replaceIdle();
    dictionary.alternate();
  }
  const skin = dictionary.result();
  layers.dispose();
  return skin;
}

class Dictionary {
  readonly #system: SkinningSystem;
  readonly #layers: TwoLayerSystem;

  constructor(system: SkinningSystem, layers: TwoLayerSystem) {
    this.#system = system;
    this.#layers = layers;
  }

  /** Initial atoms: the most concentrated weights of any vertex, and those with the least overlap with them. */
  start(): void {
    const { n, K, m } = this.#system;
    const weights = this.#system.weights.view;
    const bones = this.#system.boneIndices.view;
    let first = 0;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      let squared = 0;
      for (let k = i * K; k < (i + 1) * K; k++) squared += weights[k] ** 2;
      if (squared > largest) [largest, first] = [squared, i];
    }
    const row = new Float64Array(m);
    for (let k = first * K; k < (first + 1) * K; k++) row[bones[k]] += weights[k];
    let second = first;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      let dot = 0;
      for (let k = i * K; k < (i + 1) * K; k++) dot += weights[k] * row[bones[k]];
      if (dot < least) [least, second] = [dot, i];
    }
    this.#addWeightsOf(first);
    if (this.#layers.capacity > 1 && second !== first) this.#addWeightsOf(second);
    const last = this.#layers.count - 1;
    for (let i = 0; i < n; i++) this.#layers.pairs.view[2 * i + 1] = last;
    this.#layers.refresh();
  }

  /** Adds up to `count` atoms where the error is largest. Returns false if no vertex needs one. */
  grow(count: number): boolean {
    const seeds = new Set<number>();
    for (let added = 0; added < count; added++) {
      const worst = this.#worst(seeds);
      if (worst < 0) return added > 0;
      seeds.add(worst);
      this.#layers.spread(this.#addWeightsOf(worst), worst);
    }
    return true;
  }

  /** Solves the atoms, then the pairs. */
  alternate(): void {
    const { candidates, width } = this.#candidates();
    this.#layers.stepAtoms(candidates, width);
    this.#layers.refresh();
    this.#layers.choosePairs();
  }

  /** Restarts atoms that no vertex uses where the error is largest. */
  replaceIdle(): void {
    const seeds = new Set<number>();
    this.#layers.useCounts().forEach((count, atom) => {
      if (count > 0) return;
      const worst = this.#worst(seeds);
      if (worst < 0) return;
      seeds.add(worst);
      this.#layers.spread(this.#addWeightsOf(worst, atom), worst);
    });
  }

  result(): TwoLayerSkin {
    const { count, slots, atomBones, atomWeights, pairs, shares, n } = this.#layers;
    const vertexWeights = new Float64Array(2 * n);
    const vertexBones = pairs.view.slice();
    shares.view.forEach((share, i) => {
      const single = vertexBones[2 * i] === vertexBones[2 * i + 1];
      vertexWeights[2 * i] = single ? 1 : share;
      vertexWeights[2 * i + 1] = single ? 0 : 1 - share;
    });
    const [bones, weights] = [atomBones.view, atomWeights.view].map((view) => view.slice(0, count * slots));
    return {
      masters: packWeights(bones as Int32Array, weights as Float64Array, slots),
      vertices: packWeights(vertexBones, vertexWeights, 2),
    };
  }

  /** The vertex whose error exceeds that of its own weights most; −1 if none does. */
  #worst(seeds: ReadonlySet<number>): number {
    const [error, lowest] = [this.#layers.error.view, this.#system.error.view];
    let worst = -1;
    let largest = NOTHING;
    for (let i = 0; i < error.length; i++) {
      const excess = error[i] - lowest[i];
      if (excess > largest && !seeds.has(i)) [largest, worst] = [excess, i];
    }
    return worst;
  }

  #addWeightsOf(i: number, atom?: number): number {
    const { K } = this.#system;
    const bones: number[] = [];
    const weights: number[] = [];
    for (let k = i * K; k < (i + 1) * K; k++) {
      if (this.#system.weights.view[k] === 0) continue;
      bones.push(this.#system.boneIndices.view[k]);
      weights.push(this.#system.weights.view[k]);
    }
    return this.#layers.setAtom(bones, weights, atom);
  }

  /** Candidate bones of every atom: those of largest weight among its vertices, or all if they are few. */
  #candidates(): { candidates: Int32Array; width: number } {
    const { m, K, n } = this.#system;
    const { count, pairs, shares } = this.#layers;
    if (m <= FEW_BONES) {
      return { candidates: Int32Array.from({ length: count * m }, (_, k) => k % m), width: m };
    }
    const width = Math.min(m, CANDIDATES_PER_SLOT * K);
    const [bones, weights] = [this.#system.boneIndices.view, this.#system.weights.view];
    const sums = new Map<number, number>();
    for (let k = 0; k < 2 * n; k++) {
      const i = k >> 1;
      const share = k % 2 === 0 ? shares.view[i] : 1 - shares.view[i];
      for (let s = i * K; s < (i + 1) * K; s++) {
        const key = pairs.view[k] * m + bones[s];
        if (share * weights[s] > 0) sums.set(key, (sums.get(key) ?? 0) + share * weights[s]);
      }
    }
    const ranked = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const candidates = new Int32Array(count * width).fill(-1);
    const used = new Int32Array(count);
    for (const [key] of ranked) {
      const atom = Math.floor(key / m);
      if (used[atom] < width) candidates[atom * width + used[atom]++] = key % m;
    }
    return { candidates, width };
  }
}
