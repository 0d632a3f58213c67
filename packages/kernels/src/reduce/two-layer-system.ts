import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
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
  readonly #m: number;
  readonly #R: number;
  readonly #rest: number;
  readonly #coefficients: number;
  readonly #projected: number;
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
    const [rest, coefficients, , projected, , m, R] = system.kernelArguments;
    this.#numerics = numerics;
    this.#m = m;
    this.#R = R;
    this.#rest = rest;
    this.#coefficients = coefficients;
    this.#projected = projected;
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
    numerics.run('gramOfRows', m, 1, [projected, R, this.#gram.pointer, m]);
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
    this.#numerics.run('blendAtoms', 1, 1, [
      this.#projected,
      this.#R,
      this.#atoms.pointer + 8 * (4 * this.#R * atom),
      this.atomBones.pointer + 4 * shift,
      this.atomWeights.pointer + 8 * shift,
      c,
    ]);
    return atom;
  }

  /** Offers an atom to a vertex, its neighbours, theirs, as far as it helps. */
  spread(atom: number, vertex: number): void {
    const args = [...this.#pairArguments(), vertex, atom, this.#queue.pointer, this.#visited.pointer, ++this.#mark];
    this.#numerics.run('spreadAtom', 1, 1, args, this.#pairScratch());
  }

  /** Shares and errors of the pairs at hand. */
  refresh(): void {
    this.#numerics.run('refreshAtomPairs', this.n, VERTEX_GRAIN, this.#pairArguments(), this.#pairScratch());
  }

  /** For every vertex the best pair among its own atoms and its neighbours'; no error rises. */
  choosePairs(): void {
    const args = [...this.#pairArguments(), this.#nextPairs.pointer];
    this.#numerics.run('chooseAtomPairs', this.n, VERTEX_GRAIN, args, this.#pairScratch());
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
    const blocks = [starts, uses].map((values) => scope.i32From(values).pointer);
    const args = [this.#rest, this.#coefficients, this.#projected, this.#gram.pointer, this.#m, this.#R];
    args.push(this.#atoms.pointer, this.atomBones.pointer, this.atomWeights.pointer, this.slots, ...blocks);
    args.push(this.pairs.pointer, this.shares.pointer, scope.i32From(candidates).pointer, width);
    const count = this.#count;
    this.#numerics.run('stepAtoms', count, count, args, this.#numerics.call('stepScratch', width, this.#R));
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

  #pairArguments(): number[] {
    return [
      this.#rest,
      this.#coefficients,
      this.#atoms.pointer,
      this.#R,
      this.#starts.pointer,
      this.#neighbours.pointer,
      this.pairs.pointer,
      this.shares.pointer,
      this.error.pointer,
    ];
  }

  #pairScratch(): number {
    return this.#numerics.call('atomPairScratch', this.#R);
  }
}
