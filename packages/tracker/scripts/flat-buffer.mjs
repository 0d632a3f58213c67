// @ts-check
/**
 * Writes FlatBuffers: tables, vectors and strings, every one before what it refers to, since offsets only point forwards.
 * As much of the format as model files need; see https://flatbuffers.dev/internals.
 */

/**
 * @typedef {{ readonly table: readonly (Field | undefined)[] }} Table  fields by their place in the schema
 * @typedef {{ readonly byte: number } | { readonly word: number } | Node} Field
 * @typedef {{ readonly refs: readonly Node[] }} References  a vector of tables or strings
 * @typedef {{ readonly floats: readonly number[] }} Floats
 * @typedef {{ readonly bytes: Uint8Array }} Bytes  a vector of bytes, aligned to 16
 * @typedef {{ readonly text: string }} Text
 * @typedef {{ readonly at: number }} Written  what is in the file already, by its position
 * @typedef {Table | References | Floats | Bytes | Text | Written} Node
 */

const HEADER = 8;
const WORD = 4;
/** Of a vector of bytes: models are mapped into memory and read in place. */
const BYTES_ALIGNMENT = 16;

/**
 * @param {Table} root
 * @param {string} identifier  four letters
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function writeFlatBuffer(root, identifier) {
  const writer = new FlatWriter();
  writer.reserve(HEADER);
  for (const [k, letter] of [...identifier].entries()) writer.setByte(WORD + k, letter.charCodeAt(0));
  writer.refer(0, root);
  return writer.finish();
}

class FlatWriter {
  #bytes = new Uint8Array(1 << 12);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** @param {number} size @param {number} [alignment] */
  reserve(size, alignment = WORD) {
    const at = Math.ceil(this.#length / alignment) * alignment;
    this.#length = at + size;
    while (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#bytes.length);
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  /** @param {number} at @param {number} value */
  setByte(at, value) {
    this.#bytes[at] = value;
  }

  /** Writes a node and the offset that leads to it. @param {number} at @param {Node} node */
  refer(at, node) {
    const to = 'at' in node ? node.at : this.#write(node);
    this.#view.setUint32(at, to - at, true);
  }

  finish() {
    this.reserve(0, BYTES_ALIGNMENT);
    return this.#bytes.slice(0, this.#length);
  }

  /** @param {Exclude<Node, Written>} node @returns {number} where it is */
  #write(node) {
    if ('table' in node) return this.#writeTable(node.table);
    if ('text' in node) {
      // With a zero behind it, as C reads it.
      const letters = new TextEncoder().encode(node.text);
      return this.#writeVector(letters.length, 1, (at) => this.#bytes.set(letters, at), WORD, 1);
    }
    if ('bytes' in node) {
      return this.#writeVector(node.bytes.length, 1, (at) => this.#bytes.set(node.bytes, at), BYTES_ALIGNMENT);
    }
    if ('floats' in node) {
      return this.#writeVector(node.floats.length, WORD, (at) => {
        for (const [k, value] of node.floats.entries()) this.#view.setFloat32(at + WORD * k, value, true);
      });
    }
    let first = 0;
    const vector = this.#writeVector(node.refs.length, WORD, (at) => {
      first = at;
    });
    for (const [k, ref] of node.refs.entries()) this.refer(first + WORD * k, ref);
    return vector;
  }

  /**
   * @param {number} count @param {number} size  of an element
   * @param {(at: number) => void} fill @param {number} [alignment]  of the elements @param {number} [extra]  bytes behind
   */
  #writeVector(count, size, fill, alignment = WORD, extra = 0) {
    // The count stands before the elements, which are what is aligned.
    const at = this.reserve(alignment + size * count + extra, alignment) + alignment;
    this.#view.setUint32(at - WORD, count, true);
    fill(at);
    return at - WORD;
  }

  /** @param {Table['table']} fields */
  #writeTable(fields) {
    const vtable = this.reserve(2 * WORD + 2 * (fields.length % 2) + 2 * fields.length);
    const table = this.reserve(WORD * (1 + fields.length));
    this.#view.setUint16(vtable, 2 * (2 + fields.length), true);
    this.#view.setUint16(vtable + 2, WORD * (1 + fields.length), true);
    this.#view.setInt32(table, table - vtable, true);
    const at = (/** @type {number} */ k) => table + WORD * (1 + k);
    fields.forEach((field, k) => {
      if (!field) return;
      this.#view.setUint16(vtable + 2 * (2 + k), at(k) - table, true);
      if ('byte' in field) this.#bytes[at(k)] = field.byte;
      else if ('word' in field) this.#view.setUint32(at(k), field.word, true);
    });
    fields.forEach((field, k) => {
      if (field && !('byte' in field) && !('word' in field)) this.refer(at(k), field);
    });
    return table;
  }
}
