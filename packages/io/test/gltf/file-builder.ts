import { glbOf, type Json } from './glb-json.ts';

const COMPONENT_TYPES = new Map<unknown, number>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);
const SIZES: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** glTF files by hand, so that readers meet what pelt's own writers never write. */
export class FileBuilder {
  readonly json: Json = {
    asset: { version: '2.0' },
    buffers: [{ byteLength: 0 }],
    bufferViews: [],
    accessors: [],
    meshes: [],
    nodes: [],
    scenes: [{ nodes: [] }],
  };
  #bytes: number[] = [];

  /** @returns the view's index */
  view(data: Uint8Array, extra: Json = {}): number {
    while (this.#bytes.length % 4 !== 0) this.#bytes.push(0);
    this.json.bufferViews.push({ buffer: 0, byteOffset: this.#bytes.length, byteLength: data.length, ...extra });
    for (const byte of data) this.#bytes.push(byte);
    this.json.buffers[0].byteLength = this.#bytes.length;
    return this.json.bufferViews.length - 1;
  }

  /** @returns the accessor's index */
  accessor(type: string, values: Numbers, extra: Json = {}): number {
    const bufferView = this.view(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return this.rawAccessor({
      bufferView,
      componentType: COMPONENT_TYPES.get(values.constructor),
      count: values.length / SIZES[type],
      type,
      ...extra,
    });
  }

  rawAccessor(accessor: Json): number {
    this.json.accessors.push(accessor);
    return this.json.accessors.length - 1;
  }

  floats(type: string, values: readonly number[], extra: Json = {}): number {
    return this.accessor(type, Float32Array.from(values), extra);
  }

  /** A mesh with one primitive. */
  mesh(primitive: Json, extra: Json = {}): number {
    this.json.meshes.push({ primitives: [primitive], ...extra });
    return this.json.meshes.length - 1;
  }

  /** A node at the scene's root, unless told otherwise. */
  node(node: Json, root = true): number {
    const k = this.json.nodes.push(node) - 1;
    if (root) this.json.scenes[0].nodes.push(k);
    return k;
  }

  list(key: string, item: Json): number {
    this.json[key] ??= [];
    return this.json[key].push(item) - 1;
  }

  get binary(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  glb(): Uint8Array {
    return glbOf(this.json, this.binary);
  }
}

/** A triangle with corners 0, x and y of the given length. */
export const TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0];
