import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
import type { SkinningSystem } from '../skinning/skinning-system.ts';

/** Neighbours over edges as compressed rows. */
export interface AtomGraph {
  /** n + 1 */
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
}

const VERTEX_GRAIN = 128;

/**
 * Two layers of blending in wasm memory, and the alternating steps over them: q atoms (virtual bones), each a convex
 * blend of at most c bones of a skinning system, and for every vertex two atoms with their shares; minimise
 * Σ_i ‖X_i (a d_r + (1 − a) d_s) − v_i‖² in the basis of the system's trajectories.
 *
 * The bones and trajectories are those that the system has when this is made; they must stay as they are.
 * @example
 * {@includeCode ../../examples/decomposition.ts}
 */
export class TwoLayerSystem extends ScopeOwner {
  readonly n: number;
  /** c, most bones an atom */
  readonly slots: number;
  /** room for so many atoms */
  readonly capacity: number;
  /** capacity × c */
  readonly atomBones: Block<Int32Array>;
  /** capacity × c; an unused slot is 0 */
  readonly atomWeights: Block<Float64Array>;
  /** n × 2 atoms of each vertex; the same twice where there is one */
  readonly pairs: Block<Int32Array>;
  /** n, the share of the first */
  readonly shares: Block<Float64Array>;
  /** n squared errors in the basis */
  readonly error: Block<Float64Array>;
  readonly #numerics: Numerics;
  readonly #vertices: kernels.Vertices;
  readonly #gram: Block<Float64Array>;
  readonly #atoms: Block<Float64Array>;
  readonly #nextPairs: Block<Int32Array>;
  readonly #starts: Block<Int32Array>;
  readonly #neighbours: Block<Int32Array>;
  readonly #queue: Block<Int32Array>;
  readonly #visited: Block<Int32Array>;
  #mark = 0;
  #count = 0;

  constructor(numerics: Numerics, system: SkinningSystem, graph: AtomGraph, capacity: number, slots: number) {
    super(numerics);
    this.#numerics = numerics;
    this.#vertices = system.vertexFields();
    const { projected, m, R } = this.#vertices;
    this.n = system.n;
    this.slots = slots;
    this.capacity = capacity;
    const { scope } = this;
    this.atomBones = scope.i32(capacity * slots);
    this.atomWeights = scope.f64(capacity * slots);
    this.pairs = scope.i32(2 * this.n);
    this.shares = scope.f64(this.n);
    this.error = scope.f64(this.n);
    this.#gram = scope.f64(m * m * 10);
    this.#atoms = scope.f64(capacity * 4 * R);
    this.#nextPairs = scope.i32(2 * this.n);
    this.#starts = scope.i32From(graph.starts);
    this.#neighbours = scope.i32From(graph.neighbours);
    this.#queue = scope.i32(this.n);
    this.#visited = scope.i32(this.n);
    kernels.gramOfRows(numerics, m, 1, { projected, R, gram: this.#gram, m });
  }

  /** Atoms so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Appends an atom, or replaces one. The vertices do not know of it yet.
   *
   * @param weights  convex, at most c of them
   */
  setAtom(bones: readonly number[], weights: readonly number[], atom = this.#count): number {
    const c = this.slots;
    for (let s = 0; s < c; s++) {
      this.atomBones.view[atom * c + s] = bones[s] ?? 0;
      this.atomWeights.view[atom * c + s] = weights[s] ?? 0;
    }
    this.#count = Math.max(this.#count, atom + 1);
    const shift = atom * c;
    const { projected, R } = this.#vertices;
    kernels.blendAtoms(this.#numerics, 1, 1, {
      projected,
      R,
      atoms: this.#atoms.pointer + 8 * (4 * R * atom),
      bones: this.atomBones.pointer + 4 * shift,
      weights: this.atomWeights.pointer + 8 * shift,
      c,
    });
    return atom;
  }

  /** Offers an atom to a vertex, its neighbours, theirs, as far as it helps. */
  spread(atom: number, vertex: number): void {
    const work = { queue: this.#queue, visited: this.#visited, mark: ++this.#mark };
    kernels.spreadAtom(this.#numerics, 1, 1, { ...this.#pairFields(), vertex, atom, ...work });
  }

  /** Shares and errors of the pairs at hand. */
  refresh(): void {
    kernels.refreshAtomPairs(this.#numerics, this.n, VERTEX_GRAIN, this.#pairFields());
  }

  /** For every vertex the best pair among its own atoms and its neighbours'; no error rises. */
  choosePairs(): void {
    const fields = { ...this.#pairFields(), nextPairs: this.#nextPairs };
    kernels.chooseAtomPairs(this.#numerics, this.n, VERTEX_GRAIN, fields);
    this.pairs.view.set(this.#nextPairs.view);
  }

  /**
   * The best weights for every atom, one after the other; call `refresh` or `choosePairs` after.
   *
   * @param candidates  count × width bones that an atom may use beside its own, −1 behind the last; width ≥ c
   */
  stepAtoms(candidates: Int32Array, width: number): void {
    const { starts, uses } = this.#uses();
    const scope = this.#numerics.scope();
    const count = this.#count;
    kernels.stepAtoms(this.#numerics, count, count, {
      ...this.#vertices,
      gram: this.#gram,
      atoms: this.#atoms,
      bones: this.atomBones,
      weights: this.atomWeights,
      c: this.slots,
      starts: scope.i32From(starts),
      uses: scope.i32From(uses),
      pairs: this.pairs,
      shares: this.shares,
      candidates: scope.i32From(candidates),
      width,
    });
    scope.dispose();
  }

  /** Σ of the squared errors. */
  totalError(): number {
    return this.error.view.reduce((sum, value) => sum + value, 0);
  }

  /** How many vertices each atom serves. */
  useCounts(): Int32Array {
    const { starts } = this.#uses();
    return Int32Array.from({ length: this.#count }, (_, r) => starts[r + 1] - starts[r]);
  }

  /** Who blends each atom: 2i + slot, atom by atom; a share of 0 is no use. */
  #uses(): { starts: Int32Array; uses: Int32Array } {
    const [pairs, shares] = [this.pairs.view, this.shares.view];
    const starts = new Int32Array(this.#count + 1);
    const share = (k: number) => (k % 2 === 0 ? shares[k >> 1] : 1 - shares[k >> 1]);
    for (let k = 0; k < pairs.length; k++) if (share(k) > 0) starts[pairs[k] + 1]++;
    for (let r = 0; r < this.#count; r++) starts[r + 1] += starts[r];
    const uses = new Int32Array(Math.max(starts[this.#count], 1));
    const next = starts.slice();
    for (let k = 0; k < pairs.length; k++) if (share(k) > 0) uses[next[pairs[k]]++] = k;
    return { starts, uses };
  }

  #pairFields(): kernels.AtomPairs {
    const { rest, coefficients, R } = this.#vertices;
    return {
      rest,
      coefficients,
      atoms: this.#atoms,
      R,
      starts: this.#starts,
      neighbours: this.#neighbours,
      pairs: this.pairs,
      shares: this.shares,
      error: this.error,
    };
  }
}
