/**
 * Plain data as bytes and back: JSON in which every typed array is a reference into one block of raw numbers that
 * follows, so that a mesh of any size goes to a page without being printed and parsed.
 *
 *   u32 bytes of JSON, JSON (padded with spaces so that the block starts at a multiple of 8), block
 */
const KINDS = { Float32Array, Float64Array, Uint32Array, Int32Array, Uint16Array, Uint8Array };

type Kind = keyof typeof KINDS;

interface Reference {
  readonly $array: Kind;
  readonly at: number;
  readonly length: number;
}

/**
 * Writes plain data with typed arrays in it as bytes.
 * @example
 * {@includeCode ../../examples/scene-bytes.ts}
 */
export function encodeScene(value: unknown): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let at = 0;
  const text = JSON.stringify(value, (_, entry) => {
    if (!ArrayBuffer.isView(entry)) return entry;
    const kind = entry.constructor.name as Kind;
    if (!(kind in KINDS)) throw new TypeError(`a ${kind} cannot be sent to a page`);
    const reference: Reference = { $array: kind, at, length: entry.byteLength / KINDS[kind].BYTES_PER_ELEMENT };
    const padded = new Uint8Array(Math.ceil(entry.byteLength / 8) * 8);
    padded.set(new Uint8Array(entry.buffer, entry.byteOffset, entry.byteLength));
    parts.push(padded);
    at += padded.length;
    return reference;
  });
  const json = new TextEncoder().encode(text);
  const start = Math.ceil((4 + json.length) / 8) * 8;
  const bytes = new Uint8Array(start + at).fill(0x20, 0, start);
  new DataView(bytes.buffer).setUint32(0, start - 4, true);
  bytes.set(json, 4);
  let offset = start;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/**
 * Reads what `encodeScene` wrote; the arrays are views into the buffer.
 *
 * @param buffer  all bytes
 *
 * @example
 * {@includeCode ../../examples/scene-bytes.ts}
 */
export function decodeScene<T>(buffer: ArrayBuffer): T {
  const size = new DataView(buffer).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, size));
  return JSON.parse(text, (_, entry) => {
    if (entry === null || typeof entry !== 'object' || !('$array' in entry)) return entry;
    const { $array, at, length } = entry as Reference;
    return new KINDS[$array](buffer, 4 + size + at, length);
  });
}
