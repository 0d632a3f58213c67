/** The constant data of a model in textures: made once for a geometry, shared by clones, freed with the geometry. */
import type { SkinWeights } from '@pelt/model';
import type { BufferGeometry } from 'three';
import { trianglesOf } from '../model/geometry-rig.ts';
import { displacementCount, type PeltModel } from '../model/pelt-model.ts';
import { ringsOf } from './ring-table.ts';
import { TexelTable } from './texel-table.ts';

export class SkinTables {
  /** n texels: rest position, key gradient that gives the axes of the displacements */
  readonly rest: TexelTable;
  /** Sets of four slots. */
  readonly sets: number;
  readonly #geometry: BufferGeometry;
  readonly #model: PeltModel;
  readonly #made = new Map<string, TexelTable>();

  constructor(geometry: BufferGeometry, model: PeltModel) {
    this.#geometry = geometry;
    this.#model = model;
    this.sets = Math.ceil(model.skin.slots / 4);
    this.rest = this.#table('rest', () => this.#restTexels());
  }

  /** Two texels per set of slots and vertex: bones, weights. */
  get slots(): TexelTable {
    return this.#table('slots', () => slotTexels(this.#model.skin));
  }

  /** The same over the joints, for displacements. */
  get jointSlots(): TexelTable {
    return this.#table('jointSlots', () => slotTexels(this.#model.jointSkin ?? this.#model.skin));
  }

  get jointSets(): number {
    return Math.ceil((this.#model.jointSkin ?? this.#model.skin).slots / 4);
  }

  /** Three texels for every four examples and vertex. */
  get displacements(): TexelTable {
    const E = displacementCount(this.#model);
    const given = this.#model.envelope?.displacements?.displacements ?? new Float32Array(0);
    return this.#table('displacements', () =>
      groupedTexels(E, given.length / Math.max(1, E), (e, k) => given[e * (given.length / E) + k]),
    );
  }

  /** The same of the geometry's morph targets. */
  get morphs(): TexelTable {
    const targets = this.#geometry.morphAttributes.position ?? [];
    const size = 3 * (targets[0]?.count ?? 0);
    return this.#table('morphs', () =>
      groupedTexels(targets.length, size, (e, k) => targets[e].getComponent(Math.floor(k / 3), k % 3)),
    );
  }

  get morphGroups(): number {
    return Math.ceil((this.#geometry.morphAttributes.position?.length ?? 0) / 4);
  }

  get displacementGroups(): number {
    return Math.ceil(displacementCount(this.#model) / 4);
  }

  /** A texel a vertex: where its ring begins among the texels of `ringEntries`, and how many entries it has. */
  get ringHeads(): TexelTable {
    this.#makeRings();
    return this.#made.get('ringHeads') as TexelTable;
  }

  /** Four entries a texel. */
  get ringEntries(): TexelTable {
    this.#makeRings();
    return this.#made.get('ringEntries') as TexelTable;
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

  #restTexels(): Float32Array {
    const position = this.#geometry.getAttribute('position');
    const axes = this.#model.envelope?.displacements?.axes;
    const out = new Float32Array(4 * position.count);
    for (let i = 0; i < position.count; i++) {
      for (let c = 0; c < 3; c++) out[4 * i + c] = position.getComponent(i, c);
      out[4 * i + 3] = axes?.[i] ?? 0;
    }
    return out;
  }

  #makeRings(): void {
    if (this.#made.has('ringHeads')) return;
    const position = this.#geometry.getAttribute('position');
    const normal = this.#geometry.getAttribute('normal');
    const flat = (attribute: typeof position) =>
      Float32Array.from({ length: 3 * attribute.count }, (_, k) => attribute.getComponent(Math.floor(k / 3), k % 3));
    const { heads, entries } = ringsOf(flat(position), normal && flat(normal), trianglesOf(this.#geometry));
    const n = position.count;
    const firsts = new Map<number, number>();
    const texels: number[] = [];
    const out = new Float32Array(4 * n);
    for (let i = 0; i < n; i++) {
      const [start, count] = [heads[2 * i], heads[2 * i + 1]];
      // Rings begin at whole texels; vertices of one seam share theirs.
      let first = firsts.get(start);
      if (first === undefined || count === 0) {
        first = texels.length / 4;
        firsts.set(start, first);
        for (let k = 0; k < count; k++) texels.push(entries[start + k]);
        while (texels.length % 4 !== 0) texels.push(0);
      }
      out[4 * i] = first;
      out[4 * i + 1] = count;
    }
    this.#table('ringHeads', () => out);
    this.#table('ringEntries', () => Float32Array.from(texels));
  }
}

function slotTexels({ slots, bones, weights }: SkinWeights): Float32Array {
  const sets = Math.ceil(slots / 4);
  const n = bones.length / slots;
  const out = new Float32Array(8 * sets * n);
  for (let i = 0; i < n; i++) {
    for (let s = 0; s < slots; s++) {
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
