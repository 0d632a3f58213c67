/** Nodes as a binary FBX of version 7.4, which every reader knows; large lists are deflated. */
import { OutputError } from '@pelt/model';
import { zlibSync } from 'fflate';

export const VERSION = 7400;
const MAX_BYTES = 0xffffffff;
/** Shorter lists are not worth their zlib header. */
const LEAST_DEFLATED = 128;
const DEFLATE_LEVEL = 6;
const RECORD_BYTES = 13;

/** Numbers carry the type that readers expect. */
export type OutValue =
  | { readonly type: 'C' | 'I' | 'L' | 'D' | 'F'; readonly value: number }
  | string
  | Uint8Array
  | Float64Array
  | Float32Array
  | Int32Array
  | BigInt64Array;

export interface OutNode {
  readonly name: string;
  readonly values: readonly OutValue[];
  readonly children: readonly OutNode[];
}

export const int = (value: number): OutValue => ({ type: 'I', value });
export const long = (value: number): OutValue => ({ type: 'L', value });
export const double = (value: number): OutValue => ({ type: 'D', value });
export const flag = (value: boolean): OutValue => ({ type: 'C', value: value ? 1 : 0 });

export function node(name: string, values: readonly OutValue[] = [], children: readonly OutNode[] = []): OutNode {
  return { name, values, children };
}

/** Readers of the SDK check these two against the time of creation, so all three are the same in every file. */
export const FILE_ID = Uint8Array.of(
  0x28,
  0xb3,
  0x2a,
  0xeb,
  0xb6,
  0x24,
  0xcc,
  0xc2,
  0xbf,
  0xc8,
  0xb0,
  0x2a,
  0xa9,
  0x2b,
  0xfc,
  0xf1,
);
export const CREATION_TIME = '1970-01-01 10:00:00:000';
const FOOTER_ID = Uint8Array.of(
  0xfa,
  0xbc,
  0xab,
  0x09,
  0xd0,
  0xc8,
  0xd4,
  0x66,
  0xb1,
  0x76,
  0xfb,
  0x83,
  0x1c,
  0xf7,
  0x26,
  0x7e,
);
const FOOTER_END = Uint8Array.of(
  0xf8,
  0x5a,
  0x8c,
  0x6a,
  0xde,
  0xf5,
  0xd9,
  0x7e,
  0xec,
  0xe9,
  0x0c,
  0xe3,
  0x75,
  0x8f,
  0x29,
  0x0b,
);

const encoder = new TextEncoder();

export function writeBinaryFbx(nodes: readonly OutNode[]): Uint8Array<ArrayBuffer> {
  const out = new Chunks();
  out.bytes(encoder.encode('Kaydara FBX Binary  \0\x1a\0'));
  out.u32(VERSION);
  for (const top of nodes) writeNode(top, out);
  out.bytes(new Uint8Array(RECORD_BYTES));
  out.bytes(FOOTER_ID);
  out.bytes(new Uint8Array(4));
  out.bytes(new Uint8Array(16 - (out.length % 16)));
  out.u32(VERSION);
  out.bytes(new Uint8Array(120));
  out.bytes(FOOTER_END);
  return out.joined();
}

function writeNode({ name, values, children }: OutNode, out: Chunks): void {
  const label = encoder.encode(name);
  const head = out.hole(RECORD_BYTES);
  out.bytes(label);
  const first = out.length;
  for (const value of values) writeValue(value, out);
  const valueBytes = out.length - first;
  for (const child of children) writeNode(child, out);
  if (children.length > 0 || values.length === 0) out.bytes(new Uint8Array(RECORD_BYTES));
  const view = new DataView(head.buffer);
  view.setUint32(0, out.length, true);
  view.setUint32(4, values.length, true);
  view.setUint32(8, valueBytes, true);
  head[12] = label.length;
}

const SCALAR_BYTES = { C: 1, I: 4, L: 8, D: 8, F: 4 } as const;

function writeValue(value: OutValue, out: Chunks): void {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const bytes = typeof value === 'string' ? encoder.encode(value) : value;
    out.letter(typeof value === 'string' ? 'S' : 'R');
    out.u32(bytes.length);
    out.bytes(bytes);
    return;
  }
  if ('type' in value) {
    out.letter(value.type);
    const bytes = new Uint8Array(SCALAR_BYTES[value.type]);
    const view = new DataView(bytes.buffer);
    if (value.type === 'C') bytes[0] = value.value;
    else if (value.type === 'I') view.setInt32(0, value.value, true);
    else if (value.type === 'L') view.setBigInt64(0, BigInt(Math.round(value.value)), true);
    else if (value.type === 'D') view.setFloat64(0, value.value, true);
    else view.setFloat32(0, value.value, true);
    out.bytes(bytes);
    return;
  }
  const type =
    value instanceof Float64Array ? 'd' : value instanceof Float32Array ? 'f' : value instanceof Int32Array ? 'i' : 'l';
  const plain = littleEndian(value);
  const packed = plain.length >= LEAST_DEFLATED ? zlibSync(plain, { level: DEFLATE_LEVEL }) : plain;
  const deflated = packed.length < plain.length;
  out.letter(type);
  out.u32(value.length);
  out.u32(deflated ? 1 : 0);
  out.u32(deflated ? packed.length : plain.length);
  out.bytes(deflated ? packed : plain);
}

function littleEndian(value: Float64Array | Float32Array | Int32Array | BigInt64Array): Uint8Array {
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1) return bytes;
  const size = value.BYTES_PER_ELEMENT;
  for (let k = 0; k < bytes.length; k += size) bytes.subarray(k, k + size).reverse();
  return bytes;
}

/** Bytes that follow each other, joined at the end; a hole is filled later. */
class Chunks {
  readonly #chunks: Uint8Array[] = [];
  length = 0;

  bytes(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.length += bytes.length;
    if (this.length > MAX_BYTES) throw new OutputError(`an FBX can hold ${MAX_BYTES} bytes; write a smaller scene`);
  }

  hole(size: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(size);
    this.bytes(bytes);
    return bytes;
  }

  letter(letter: string): void {
    this.bytes(Uint8Array.of(letter.charCodeAt(0)));
  }

  u32(value: number): void {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, true);
    this.bytes(bytes);
  }

  joined(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(this.length);
    let at = 0;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }
}
