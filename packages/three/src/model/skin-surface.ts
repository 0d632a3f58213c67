/**
 * The vertices that belong to one surface: those of a mesh, or of all primitives that a glTF mesh was split into. Exact
 * normals need the triangles round a vertex whichever primitive they are in, so tables and passes run over all vertices
 * as one list; every part reads from its own place in that list.
 */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import { trianglesOf } from './geometry-rig.ts';
import { joinedModel } from './part-model.ts';
import type { PeltModel } from './pelt-model.ts';

/** A mesh, or one of the primitives that a mesh was split into. */
export interface SurfacePart {
  readonly geometry: BufferGeometry;
  readonly model: PeltModel;
}

type Attribute = BufferAttribute | InterleavedBufferAttribute;

export class SkinSurface {
  /** N, vertices of all parts; parts over the same vertices have them once */
  readonly count: number;
  /** Over the N vertices. */
  readonly model: PeltModel;
  readonly geometries: readonly BufferGeometry[];
  /** One geometry for each list of vertices. */
  readonly #sources: readonly BufferGeometry[];
  readonly #offsets = new Map<Attribute, number>();

  /** @param parts  meshes over one palette */
  constructor(parts: readonly SurfacePart[]) {
    const sources: BufferGeometry[] = [];
    const models: PeltModel[] = [];
    let count = 0;
    for (const { geometry, model } of parts) {
      const position = geometry.getAttribute('position');
      if (this.#offsets.has(position)) continue;
      this.#offsets.set(position, count);
      sources.push(geometry);
      models.push(model);
      count += position.count;
    }
    this.count = count;
    this.geometries = parts.map(({ geometry }) => geometry);
    this.#sources = sources;
    this.model = joinedModel(models);
  }

  /** Whether all parts are over the same vertices. */
  get isShared(): boolean {
    return this.#sources.length === 1;
  }

  /** Where the vertices of a part begin. */
  offsetOf(geometry: BufferGeometry): number {
    return this.#offsets.get(geometry.getAttribute('position')) ?? 0;
  }

  /** N × 3 at rest */
  positions(): Float32Array {
    return this.#joined(({ attributes }) => attributes.position);
  }

  /** N × 3 at rest; undefined where a part has none */
  normals(): Float32Array | undefined {
    if (this.#sources.some((source) => !source.hasAttribute('normal'))) return undefined;
    return this.#joined(({ attributes }) => attributes.normal);
  }

  /** f × 3 over all vertices, of all parts */
  triangles(): Uint32Array {
    const all = this.geometries.map((geometry) => {
      const offset = this.offsetOf(geometry);
      return trianglesOf(geometry).map((i) => offset + i);
    });
    const joined = new Uint32Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const triangles of all) {
      joined.set(triangles, at);
      at += triangles.length;
    }
    return joined;
  }

  get morphCount(): number {
    return this.#sources.reduce(
      (most, { morphAttributes }) => Math.max(most, morphAttributes.position?.length ?? 0),
      0,
    );
  }

  /** N × 3 of a morph target; 0 for parts without it */
  morph(target: number): Float32Array {
    return this.#joined(({ morphAttributes }) => morphAttributes.position?.[target]);
  }

  #joined(attributeOf: (source: BufferGeometry) => Attribute | undefined): Float32Array {
    const out = new Float32Array(3 * this.count);
    for (const source of this.#sources) {
      const attribute = attributeOf(source);
      if (!attribute) continue;
      const offset = this.offsetOf(source);
      for (let i = 0; i < attribute.count; i++) {
        for (let c = 0; c < 3; c++) out[3 * (offset + i) + c] = attribute.getComponent(i, c);
      }
    }
    return out;
  }
}
