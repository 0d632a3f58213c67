/** The constant data of a model in textures: made once for a surface, shared by clones, freed with its geometries. */
import type { SkinWeights } from '@pelt/model';
import { InterleavedBuffer } from 'three';
import { displacementCount, type PeltModel } from '../model/pelt-model.ts';
import type { SkinSurface } from '../model/skin-surface.ts';
import { type Rings, ringsOf } from './ring-table.ts';
import { TexelTable } from './texel-table.ts';

/** Neighbours in two texels: a vertex of valence six and its first neighbour again, with one to spare. */
const SHORT_RING = 8;

export class SkinTables {
  /** n texels: rest position, key gradient that gives the axes of the displacements */
  readonly rest: TexelTable;
  /** Slots up to the last that any vertex uses. */
  readonly slotCount: number;
  readonly #surface: SkinSurface;
  readonly #model: PeltModel;
  /** By the first vertex of the part that each is for. */
  readonly #rows = new Map<number, InterleavedBuffer>();
  readonly #made = new Map<string, TexelTable>();
  #fans: Rings | undefined;

  constructor(surface: SkinSurface) {
    this.#surface = surface;
    this.#model = surface.model;
    this.slotCount = usedSlots(surface.model.skin);
    this.rest = this.#table('rest', () => this.#restTexels());
  }

  /** Two texels per set of slots and vertex: bones, weights. */
  get slots(): TexelTable {
    return this.#table('slots', () => slotTexels(this.#model.skin, this.slotCount));
  }

  /** The same over the joints, for displacements. */
  get jointSlots(): TexelTable {
    return this.#table('jointSlots', () => slotTexels(this.#jointSkin, this.jointSlotCount));
  }

  get jointSlotCount(): number {
    return usedSlots(this.#jointSkin);
  }

  get #jointSkin(): SkinWeights {
    return this.#model.jointSkin ?? this.#model.skin;
  }

  /** Three texels for every four examples and vertex. */
  get displacements(): TexelTable {
    return this.#table('displacements', () => this.#displacementTexels());
  }

  /**
   * The same of one part as a buffer for the vertex stage, with the slots over the joints and the key gradient.
   *
   * @param first  of the part's vertices
   * @param count  of these
   */
  displacementBuffer(stride: number, first: number, count: number): InterleavedBuffer {
    const found = this.#rows.get(first);
    if (found) return found;
    const rows = displacementRows(
      [first, first + count],
      stride,
      slotTexels(this.#jointSkin, this.jointSlotCount),
      this.#displacementTexels(),
      this.#model.envelope?.displacements?.axes ?? new Uint16Array(0),
    );
    this.#rows.set(first, rows);
    return rows;
  }

  /** The same of the morph targets. */
  get morphs(): TexelTable {
    return this.#table('morphs', () => {
      const targets = Array.from({ length: this.#surface.morphCount }, (_, target) => this.#surface.morph(target));
      return groupedTexels(targets.length, 3 * this.#surface.count, (e, k) => targets[e][k]);
    });
  }

  get morphGroups(): number {
    return Math.ceil(this.#surface.morphCount / 4);
  }

  get displacementGroups(): number {
    return Math.ceil(displacementCount(this.#model) / 4);
  }

  /** The neighbours of every vertex in turn. */
  get fans(): Rings {
    const surface = this.#surface;
    this.#fans ??= ringsOf(surface.positions(), surface.normals(), surface.triangles());
    return this.#fans;
  }

  /**
   * Two texels a vertex: its ring, padded with its last neighbour; or, for rings of more than eight, −1 − the first texel
   * of the ring in `longRings` and how many texels it has.
   */
  get rings(): TexelTable {
    this.#makeRings();
    return this.#made.get('rings') as TexelTable;
  }

  get longRings(): TexelTable {
    this.#makeRings();
    return this.#made.get('longRings') as TexelTable;
  }

  get textures(): readonly TexelTable[] {
    return [...this.#made.values()];
  }

  dispose(): void {
    for (const table of this.#made.values()) table.dispose();
    this.#made.clear();
  }

  #table(name: string, make: () => Float32Array): TexelTable {
    const found = this.#made.get(name) ?? new TexelTable(make());
    this.#made.set(name, found);
    return found;
  }

  #displacementTexels(): Float32Array {
    const E = displacementCount(this.#model);
    const given = this.#model.envelope?.displacements?.displacements ?? new Float32Array(0);
    return groupedTexels(E, given.length / Math.max(1, E), (e, k) => given[e * (given.length / E) + k]);
  }

  #restTexels(): Float32Array {
    const positions = this.#surface.positions();
    const axes = this.#model.envelope?.displacements?.axes;
    const out = new Float32Array(4 * this.#surface.count);
    for (let i = 0; i < this.#surface.count; i++) {
      for (let c = 0; c < 3; c++) out[4 * i + c] = positions[3 * i + c];
      out[4 * i + 3] = axes?.[i] ?? 0;
    }
    return out;
  }

  #makeRings(): void {
    if (this.#made.has('rings')) return;
    const { starts, entries } = this.fans;
    const n = this.#surface.count;
    const short = new Float32Array(2 * 4 * n);
    const long: number[] = [];
    for (let i = 0; i < n; i++) {
      const ring = entries.subarray(starts[i], starts[i + 1]);
      const last = ring.length > 0 ? ring[ring.length - 1] : i;
      if (ring.length <= SHORT_RING) {
        for (let k = 0; k < SHORT_RING; k++) short[SHORT_RING * i + k] = ring[k] ?? last;
        continue;
      }
      short[SHORT_RING * i] = -1 - long.length / 4;
      short[SHORT_RING * i + 1] = Math.ceil(ring.length / 4);
      for (let k = 0; k < 4 * Math.ceil(ring.length / 4); k++) long.push(ring[k] ?? last);
    }
    this.#table('rings', () => short);
    this.#table('longRings', () => Float32Array.from(long));
  }
}

/** Slots up to the last that any vertex uses: weights of other programs need not be sorted. */
function usedSlots({ slots, weights }: SkinWeights): number {
  let used = 1;
  for (let k = 0; k < weights.length; k++) if (weights[k] > 0 && k % slots >= used) used = (k % slots) + 1;
  return used;
}

function slotTexels({ slots, bones, weights }: SkinWeights, used: number): Float32Array {
  const sets = Math.ceil(used / 4);
  const n = bones.length / slots;
  const out = new Float32Array(8 * sets * n);
  for (let i = 0; i < n; i++) {
    for (let s = 0; s < used; s++) {
      const at = 8 * (i * sets + (s >> 2)) + (s & 3);
      out[at] = bones[i * slots + s];
      out[at + 4] = weights[i * slots + s];
    }
  }
  return out;
}

/** x, y and z of four examples at a time, vertex by vertex. */
function groupedTexels(E: number, size: number, value: (e: number, k: number) => number): Float32Array {
  const groups = Math.ceil(E / 4);
  const out = new Float32Array(4 * groups * size);
  for (let k = 0; k < size; k++) {
    const [i, c] = [Math.floor(k / 3), k % 3];
    for (let e = 0; e < E; e++) out[4 * (3 * (i * groups + (e >> 2)) + c) + (e & 3)] = value(e, k);
  }
  return out;
}

/** n rows of: four joints, their weights, x, y and z of the examples, the key. */
function displacementRows(
  [from, to]: readonly [number, number],
  stride: number,
  joints: Float32Array,
  examples: Float32Array,
  axes: Uint16Array,
): InterleavedBuffer {
  const rows = new Float32Array(stride * (to - from));
  const size = stride - 9;
  for (let i = from; i < to; i++) {
    const row = stride * (i - from);
    rows.set(joints.subarray(8 * i, 8 * i + 8), row);
    rows.set(examples.subarray(size * i, size * (i + 1)), row + 8);
    rows[row + stride - 1] = axes[i];
  }
  return new InterleavedBuffer(rows, stride);
}
