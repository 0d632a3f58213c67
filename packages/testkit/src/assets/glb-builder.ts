/** A GLB from JSON and arrays, without any library: what tests read must not be written by what they test. */
type Values = Float32Array | Uint16Array | Uint8Array;

const COMPONENT_TYPES = new Map<string, number>([
  ['Float32Array', 5126],
  ['Uint16Array', 5123],
  ['Uint8Array', 5121],
]);
const TYPES: Readonly<Record<number, string>> = { 1: 'SCALAR', 2: 'VEC2', 3: 'VEC3', 4: 'VEC4', 16: 'MAT4' };
const TARGETS = { vertices: 34962, indices: 34963, data: undefined } as const;

export class GlbBuilder {
  readonly #accessors: object[] = [];
  readonly #views: object[] = [];
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** @returns the index of the accessor */
  add(values: Values, size: number, purpose: keyof typeof TARGETS, bounds = false): number {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    const target = TARGETS[purpose];
    this.#views.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length, ...(target && { target }) });
    this.#chunks.push(padded);
    this.#length += padded.length;
    const columns = Array.from({ length: size }, (_, c) => Array.from(values).filter((_, k) => k % size === c));
    this.#accessors.push({
      bufferView: this.#views.length - 1,
      componentType: COMPONENT_TYPES.get(values.constructor.name),
      count: values.length / size,
      type: TYPES[size],
      ...(bounds && { min: columns.map((own) => Math.min(...own)), max: columns.map((own) => Math.max(...own)) }),
    });
    return this.#accessors.length - 1;
  }

  /** @param json  everything but accessors, views and buffers */
  build(json: object): Uint8Array {
    const text = JSON.stringify({
      asset: { version: '2.0' },
      ...json,
      accessors: this.#accessors,
      bufferViews: this.#views,
      buffers: [{ byteLength: this.#length }],
    });
    // All of it is ASCII.
    const jsonBytes = Uint8Array.from(text.padEnd(Math.ceil(text.length / 4) * 4), (letter) => letter.charCodeAt(0));
    const out = new Uint8Array(28 + jsonBytes.length + this.#length);
    const view = new DataView(out.buffer);
    const words = [0x46546c67, 2, out.length, jsonBytes.length, 0x4e4f534a];
    words.forEach((word, k) => {
      view.setUint32(4 * k, word, true);
    });
    out.set(jsonBytes, 20);
    view.setUint32(20 + jsonBytes.length, this.#length, true);
    view.setUint32(24 + jsonBytes.length, 0x004e4942, true);
    let at = 28 + jsonBytes.length;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }
}
