/** Alembic's plain old data types (PODs), and decoding of their little-endian arrays. */

/** Type codes in property headers. */
export const POD = {
  bool: 0,
  uint8: 1,
  int8: 2,
  uint16: 3,
  int16: 4,
  uint32: 5,
  int32: 6,
  uint64: 7,
  int64: 8,
  float16: 9,
  float32: 10,
  float64: 11,
  string: 12,
  wstring: 13,
} as const;

export type Pod = (typeof POD)[keyof typeof POD];

/** Type names in metadata. */
export const POD_NAMES: readonly string[] = [
  'bool_t',
  'uint8_t',
  'int8_t',
  'uint16_t',
  'int16_t',
  'uint32_t',
  'int32_t',
  'uint64_t',
  'int64_t',
  'float16_t',
  'float32_t',
  'float64_t',
  'string',
  'wstring',
];

/** Bytes per number; strings have no fixed size. */
const POD_BYTES = [1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8];

export function isNumeric(pod: Pod): boolean {
  return pod < POD.string;
}

export function podBytes(pod: Pod): number {
  return POD_BYTES[pod];
}

/** Bytes can be copied into typed arrays only if the host has the file's byte order. */
const HOST_IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Whether stored bytes can be copied into a Float32Array as they are. */
export function isNativeFloat32(pod: Pod): boolean {
  return pod === POD.float32 && HOST_IS_LITTLE_ENDIAN;
}

/**
 * Decodes numbers of any type to float32.
 *
 * @param out  one element per stored number; overwritten
 */
export function decodeFloat32(bytes: Uint8Array, pod: Pod, out: Float32Array): void {
  decode(bytes, pod, out);
}

/** Decodes numbers of any type to doubles; integers beyond 2⁵³ are rounded. */
export function decodeFloat64(bytes: Uint8Array, pod: Pod): Float64Array {
  const out = new Float64Array(bytes.byteLength / podBytes(pod));
  decode(bytes, pod, out);
  return out;
}

/** Decodes integers of any type to int32; larger ones wrap. */
export function decodeInt32(bytes: Uint8Array, pod: Pod): Int32Array {
  const out = new Int32Array(bytes.byteLength / podBytes(pod));
  if ((pod === POD.int32 || pod === POD.uint32) && HOST_IS_LITTLE_ENDIAN) new Uint8Array(out.buffer).set(bytes);
  else decode(bytes, pod, out);
  return out;
}

function decode(bytes: Uint8Array, pod: Pod, out: Float32Array | Float64Array | Int32Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = READERS[pod];
  const size = podBytes(pod);
  for (let k = 0; k < out.length; k++) out[k] = read(view, k * size);
}

type ReadNumber = (view: DataView, at: number) => number;

const READERS: readonly ReadNumber[] = [
  (view, at) => (view.getUint8(at) === 0 ? 0 : 1),
  (view, at) => view.getUint8(at),
  (view, at) => view.getInt8(at),
  (view, at) => view.getUint16(at, true),
  (view, at) => view.getInt16(at, true),
  (view, at) => view.getUint32(at, true),
  (view, at) => view.getInt32(at, true),
  (view, at) => Number(view.getBigUint64(at, true)),
  (view, at) => Number(view.getBigInt64(at, true)),
  (view, at) => halfToNumber(view.getUint16(at, true)),
  (view, at) => view.getFloat32(at, true),
  (view, at) => view.getFloat64(at, true),
];

/** IEEE 754 binary16. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The little-endian bytes of an array: a view on little-endian hosts. */
export function littleEndianBytes(numbers: Float32Array | Float64Array | Int32Array | Uint32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  if (HOST_IS_LITTLE_ENDIAN) return bytes;
  const size = numbers.BYTES_PER_ELEMENT;
  return bytes.map((_, k) => bytes[k - (k % size) + size - 1 - (k % size)]);
}
