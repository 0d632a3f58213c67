import { InputError, OutputError, UnsupportedError } from '@pelt/model';

/**
 * The GLB container: a 12-byte header (magic, version, length), then chunks of (length, type, bytes), the first one
 * JSON, the second, where there is one, the binary buffer; all little-endian, all padded to 4 bytes.
 *
 * Reference: glTF 2.0 specification, section 4, "GLB File Format Specification".
 */
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const MAX_BYTES = 0xffffffff;

export interface GlbChunks {
  /** The JSON's UTF-8 bytes. */
  readonly json: Uint8Array;
  readonly binary: Uint8Array | undefined;
}

export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0, true) === MAGIC;
}

export function readGlbContainer(bytes: Uint8Array): GlbChunks {
  const view = viewOf(bytes);
  if (bytes.length < HEADER_BYTES) throw new InputError(`its header is cut off after ${bytes.length} bytes`);
  const version = view.getUint32(4, true);
  if (version !== 2) throw new UnsupportedError(`it is a GLB of version ${version}; pelt reads version 2`);
  const length = view.getUint32(8, true);
  if (length > bytes.length) {
    throw new InputError(`it says it has ${length} bytes, but only ${bytes.length} are there: it was cut off`);
  }
  const json = chunkAt(view, HEADER_BYTES, length, JSON_CHUNK);
  if (!json) throw new InputError('its first chunk is not JSON');
  const binary = chunkAt(view, json.byteOffset - bytes.byteOffset + json.length, length, BINARY_CHUNK);
  return { json, binary };
}

/** The chunk at an offset where it is of the wanted type; `undefined` where it is of another or the file ends. */
function chunkAt(view: DataView, offset: number, end: number, type: number): Uint8Array | undefined {
  if (offset === end) return undefined;
  if (offset + CHUNK_HEADER_BYTES > end) throw new InputError(`a chunk's header at byte ${offset} is cut off`);
  const length = view.getUint32(offset, true);
  const start = offset + CHUNK_HEADER_BYTES;
  if (length > end - start) {
    throw new InputError(`the chunk at byte ${offset} has ${length} bytes, but only ${end - start} are left`);
  }
  if (view.getUint32(offset + 4, true) !== type) return undefined;
  return new Uint8Array(view.buffer, view.byteOffset + start, length);
}

export function writeGlbContainer(json: Uint8Array, binary: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  const jsonLength = paddedLength(json.length);
  const binaryLength = binary ? paddedLength(binary.length) : 0;
  const binaryStart = HEADER_BYTES + CHUNK_HEADER_BYTES + jsonLength;
  const length = binary ? binaryStart + CHUNK_HEADER_BYTES + binaryLength : binaryStart;
  if (length > MAX_BYTES) throw new OutputError(`a GLB can hold ${MAX_BYTES} bytes, this one would need ${length}`);
  const bytes = new Uint8Array(length);
  const view = viewOf(bytes);
  [MAGIC, 2, length, jsonLength, JSON_CHUNK].forEach((word, k) => {
    view.setUint32(4 * k, word, true);
  });
  // JSON is padded with spaces, binary data with zeros.
  bytes.fill(0x20, HEADER_BYTES + CHUNK_HEADER_BYTES, binaryStart);
  bytes.set(json, HEADER_BYTES + CHUNK_HEADER_BYTES);
  if (binary) {
    view.setUint32(binaryStart, binaryLength, true);
    view.setUint32(binaryStart + 4, BINARY_CHUNK, true);
    bytes.set(binary, binaryStart + CHUNK_HEADER_BYTES);
  }
  return bytes;
}

function paddedLength(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
