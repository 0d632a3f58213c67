/** Writes an Ogawa container: data blocks and groups in order of the calls, the root group last. */
import { OutputError } from '@pelt/model';
import { OGAWA_COMPLETE, OGAWA_HEADER_BYTES, OGAWA_MAGIC, OGAWA_VERSION } from './ogawa-file.ts';

/** A child of a group: its position, plus `DATA` if it is a data block. */
export type OgawaChild = number;

/** Larger than any position, and exact in a double. */
const DATA = 2 ** 52;
const TWO_32 = 2 ** 32;
const DATA_BIT = 0x80000000;

export const EMPTY_GROUP: OgawaChild = 0;
export const EMPTY_DATA: OgawaChild = DATA;

export class OgawaWriter {
  readonly #chunks: Uint8Array[] = [];
  #size = OGAWA_HEADER_BYTES;

  /** @param parts  concatenated; referenced until `finish`, so they must not change */
  data(...parts: Uint8Array[]): OgawaChild {
    const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (size === 0) return EMPTY_DATA;
    const position = this.#size;
    const head = new DataView(new ArrayBuffer(8));
    setU64(head, 0, size);
    this.#push(new Uint8Array(head.buffer));
    for (const part of parts) this.#push(part);
    return DATA + position;
  }

  group(children: readonly OgawaChild[]): OgawaChild {
    if (children.length === 0) return EMPTY_GROUP;
    const position = this.#size;
    const view = new DataView(new ArrayBuffer(8 + 8 * children.length));
    setU64(view, 0, children.length);
    children.forEach((child, k) => {
      const isData = child >= DATA;
      setU64(view, 8 + 8 * k, isData ? child - DATA : child);
      if (isData) view.setUint32(12 + 8 * k, view.getUint32(12 + 8 * k, true) + DATA_BIT, true);
    });
    this.#push(new Uint8Array(view.buffer));
    return position;
  }

  /** @param root  the root group */
  finish(root: OgawaChild): Uint8Array<ArrayBuffer> {
    const bytes = allocate(this.#size);
    for (let k = 0; k < OGAWA_MAGIC.length; k++) bytes[k] = OGAWA_MAGIC.charCodeAt(k);
    const view = new DataView(bytes.buffer);
    view.setUint8(5, OGAWA_COMPLETE);
    view.setUint16(6, OGAWA_VERSION);
    setU64(view, 8, root);
    let position = OGAWA_HEADER_BYTES;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, position);
      position += chunk.byteLength;
    }
    return bytes;
  }

  #push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
  }
}

function allocate(size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    throw new OutputError(
      `Alembic: the archive would take ${(size / 1e9).toFixed(1)} GB, more than can be had; write fewer frames`,
      { cause },
    );
  }
}

function setU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % TWO_32, true);
  view.setUint32(at + 4, Math.floor(value / TWO_32), true);
}
