/**
 * A price on islands of weights. The main region of a bone is the largest set of vertices, connected over edges, on which
 * its weight is visible; every connected part of the mesh has one of its own, as no path leads from one to the other. A
 * visible weight elsewhere is an island: a distant bone that corrects a small error there, around which an artist has to
 * paint. Each such (vertex, bone) pair costs the same,
 *
 *   minimise E + price · #{(i, j): w_ij visible, i not in the main region of bone j},
 *
 * and the bones adapt to that over the rounds. Vertices next to a main region are free, so that it can grow.
 *
 * Measured on meshes and bone counts that are not in the benchmark, where a fifth of the pairs are on islands without a
 * price: 0.11 at 0.5 % more error, 0.09 at 1.1 %, 0.075 to 0.08 at 1.5 to 1.8 % (the default). On frames that are left out
 * the default costs half as much (0.8 % over eleven fits of every other frame): an island often fits what is particular to
 * the frames at hand.
 *
 * Tried and left out: docs/experiments/ssdr.md.
 */
import type { SkinningSystem, SupportPrices } from '@pelt/kernels';
import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import type { EdgeGraph } from '../mesh/edge-graph.ts';

/** Weights from here on are visible. */
const VISIBLE = 0.01;
/** Label of a visible weight whose region is not known yet, and of an invisible one. */
const [UNKNOWN, INVISIBLE] = [-2, -1];

export class IslandPrices extends ScopeOwner implements SupportPrices {
  readonly priced: Block<Uint8Array>;
  readonly visible = VISIBLE;
  price = 0;
  readonly #system: SkinningSystem;
  readonly #graph: EdgeGraph;
  /** n: connected part of the mesh of each vertex */
  readonly #part: Int32Array;
  /** n × K: region of each weight */
  readonly #region: Int32Array;
  readonly #stack: Int32Array;

  constructor(numerics: Numerics, system: SkinningSystem, graph: EdgeGraph) {
    super(numerics);
    const { n, m, K } = system;
    this.priced = this.scope.u8(n * m);
    this.#system = system;
    this.#graph = graph;
    this.#part = connectedParts(graph);
    this.#region = new Int32Array(n * K);
    this.#stack = new Int32Array(n * K);
  }

  /** Says where bones have a price, from the weights at hand. */
  update(): void {
    const { m, K } = this.#system;
    const { starts, neighbours } = this.#graph;
    const bones = this.#system.boneIndices.view;
    const region = this.#region;
    const main = this.#mainRegions();
    const priced = this.priced.view;
    priced.fill(1);
    for (let slot = 0; slot < region.length; slot++) {
      if (region[slot] < 0 || main[region[slot]] === 0) continue;
      const [i, j] = [Math.floor(slot / K), bones[slot]];
      priced[i * m + j] = 0;
      for (let e = starts[i]; e < starts[i + 1]; e++) priced[neighbours[e] * m + j] = 0;
    }
  }

  /** Number of weights at hand that have to pay. */
  count(): number {
    const { n, m, K } = this.#system;
    const [bones, weights, priced] = [this.#system.boneIndices.view, this.#system.weights.view, this.priced.view];
    let count = 0;
    for (let i = 0; i < n; i++) {
      for (let slot = i * K; slot < (i + 1) * K; slot++) {
        if (weights[slot] >= VISIBLE) count += priced[i * m + bones[slot]];
      }
    }
    return count;
  }

  /** Labels the regions of all bones; 1 for each that is the largest of its bone in its part of the mesh. */
  #mainRegions(): Uint8Array {
    const { m, K } = this.#system;
    const [bones, weights] = [this.#system.boneIndices.view, this.#system.weights.view];
    const region = this.#region;
    for (let slot = 0; slot < region.length; slot++) region[slot] = weights[slot] >= VISIBLE ? UNKNOWN : INVISIBLE;
    const sizes: number[] = [];
    const largest = new Map<number, number>();
    for (let slot = 0; slot < region.length; slot++) {
      if (region[slot] !== UNKNOWN) continue;
      const id = sizes.length;
      sizes.push(this.#flood(slot, id, bones));
      const key = this.#part[Math.floor(slot / K)] * m + bones[slot];
      const other = largest.get(key);
      if (other === undefined || sizes[id] > sizes[other]) largest.set(key, id);
    }
    const main = new Uint8Array(sizes.length);
    for (const id of largest.values()) main[id] = 1;
    return main;
  }

  /** Labels the region of a weight; returns its size. */
  #flood(first: number, id: number, bones: Int32Array): number {
    const { K } = this.#system;
    const { starts, neighbours } = this.#graph;
    const [region, stack] = [this.#region, this.#stack];
    const j = bones[first];
    let [size, top] = [0, 1];
    stack[0] = first;
    region[first] = id;
    while (top > 0) {
      const i = Math.floor(stack[--top] / K);
      size++;
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        for (let slot = neighbours[e] * K; slot < (neighbours[e] + 1) * K; slot++) {
          if (bones[slot] !== j || region[slot] !== UNKNOWN) continue;
          region[slot] = id;
          stack[top++] = slot;
        }
      }
    }
    return size;
  }
}

/** n: index of the connected part of each vertex */
function connectedParts({ starts, neighbours }: EdgeGraph): Int32Array {
  const part = new Int32Array(starts.length - 1).fill(-1);
  const stack: number[] = [];
  let count = 0;
  for (let seed = 0; seed < part.length; seed++) {
    if (part[seed] >= 0) continue;
    part[seed] = count;
    stack.push(seed);
    for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
      for (let e = starts[i]; e < starts[i + 1]; e++) {
        if (part[neighbours[e]] >= 0) continue;
        part[neighbours[e]] = count;
        stack.push(neighbours[e]);
      }
    }
    count++;
  }
  return part;
}
