import { InputError } from '../errors.ts';

/**
 * Data of pelt's own that travels in a glTF: an extension at the root of the file, with any JSON and named arrays. In
 * the file it is `extensions.NAME = { …json, buffers: { key: { bufferView, type, length } } }`, where `type` is the
 * name of the typed array, with `stored`, `steps` and `columns` where it is written as whole numbers of steps; programs that do not know it leave it alone.
 */
export interface GltfExtension {
  /** An upper-case prefix, an underscore, a name: `PELT_envelope`. */
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly buffers: Readonly<Record<string, PayloadArray>>;
  /** Arrays that are written in fewer bytes; readers see them in `buffers` alone. */
  readonly stored?: Readonly<Record<string, StoredArray>>;
}

/** How an array is written: as whole numbers of steps, packed by the Meshopt codec, or both. */
export interface StoredArray {
  /** Of whole numbers, or the array itself. */
  readonly numbers: PayloadArray;
  /** Row r of the array is its numbers times step r modulo the number of steps; absent: the numbers themselves. */
  readonly steps?: readonly number[];
  /** Numbers per row. */
  readonly columns?: number;
  /** The numbers as the codec writes them, in elements of `stride` bytes. */
  readonly meshopt?: { readonly bytes: Uint8Array; readonly stride: number; readonly count: number };
}

export const PAYLOAD_TYPES = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
};

export type PayloadArray = InstanceType<(typeof PAYLOAD_TYPES)[keyof typeof PAYLOAD_TYPES]>;

/** Version of each extension that is written, unless it has a later one of its own; docs/extensions describes them. */
export const EXTENSION_VERSION = 1;

/**
 * An array of an extension from an entry of its `buffers`.
 *
 * @param where  place in the file, for errors
 * @param bytes  of the entry's buffer view; undefined where there is none
 */
export function decodePayloadArray(
  entry: Readonly<Record<string, unknown>>,
  where: string,
  bytes: Uint8Array | undefined,
): PayloadArray {
  const { type, length, stored } = entry;
  const Type = typeOf(type, `${where}.type`);
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
    throw new InputError(`${where}.length is ${String(length)}, expected a whole number from 0`);
  }
  if (length === 0) return new Type(0);
  const Stored = stored === undefined ? Type : typeOf(stored, `${where}.stored`);
  const byteLength = length * Stored.BYTES_PER_ELEMENT;
  if (!bytes || bytes.length < byteLength) {
    throw new InputError(`${where} needs ${byteLength} bytes, but its buffer view has ${bytes?.length ?? 0}`);
  }
  const numbers = new Stored(bytes.slice(0, byteLength).buffer);
  return stored === undefined ? numbers : multiplied(entry, where, numbers, new Type(length));
}

function typeOf(name: unknown, where: string): (typeof PAYLOAD_TYPES)[keyof typeof PAYLOAD_TYPES] {
  if (Object.hasOwn(PAYLOAD_TYPES, String(name))) return PAYLOAD_TYPES[name as keyof typeof PAYLOAD_TYPES];
  throw new InputError(`${where} is not the name of a typed array`);
}

/** Whole numbers times the steps of their rows. */
function multiplied<T extends PayloadArray>(
  { steps, columns = 1 }: Readonly<Record<string, unknown>>,
  where: string,
  numbers: PayloadArray,
  out: T,
): T {
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every((step) => Number.isFinite(step))) {
    throw new InputError(`${where}.steps must be a list of numbers`);
  }
  if (!Number.isSafeInteger(columns) || Number(columns) < 1) {
    throw new InputError(`${where}.columns is ${String(columns)}, expected a whole number from 1`);
  }
  for (let k = 0; k < out.length; k++) {
    out[k] = numbers[k] * steps[Math.floor(k / Number(columns)) % steps.length];
  }
  return out;
}

/** What a decoder takes out of an extension: values of the types that the format promises, or an `InputError`. */
export class ExtensionFields {
  readonly json: GltfExtension['json'];
  readonly #name: string;
  readonly #buffers: GltfExtension['buffers'];

  /** @param latest  the latest version that is read; earlier ones are read as well */
  constructor(extension: GltfExtension, latest: number = EXTENSION_VERSION) {
    requireVersion(extension, latest);
    this.json = extension.json;
    this.#name = extension.name;
    this.#buffers = extension.buffers;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#buffers, key);
  }

  array<T extends PayloadArray>(key: string, Type: new (length: number) => T): T {
    const found = this.has(key) ? this.#buffers[key] : undefined;
    if (!(found instanceof Type)) throw new InputError(`${this.#name}: buffers.${key} must be a ${Type.name}`);
    return found;
  }

  /** A whole number of at least `least`. */
  count(key: string, least = 0): number {
    const value = this.json[key];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least) {
      throw new InputError(`${this.#name}: ${key} is ${String(value)}; it must be a whole number from ${least}`);
    }
    return value;
  }

  number(key: string): number {
    const value = this.json[key];
    if (typeof value !== 'number') throw new InputError(`${this.#name}: ${key} must be a number`);
    return value;
  }

  names(key: string): readonly string[] {
    const value = this.json[key];
    if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
      throw new InputError(`${this.#name}: ${key} must be a list of names`);
    }
    return value;
  }
}

/**
 * Throws `InputError` where an extension has another version than this reads.
 *
 * @param latest  the latest version; earlier ones are read as well
 */
export function requireVersion({ name, json }: GltfExtension, latest: number = EXTENSION_VERSION): void {
  const { version } = json;
  if (Number.isInteger(version) && Number(version) >= EXTENSION_VERSION && Number(version) <= latest) return;
  const found = version === undefined ? 'has no version' : `has version ${String(version)}`;
  const read = latest === EXTENSION_VERSION ? `version ${latest}` : `versions ${EXTENSION_VERSION} to ${latest}`;
  throw new InputError(`${name} ${found}; this reads ${read}, so write the file again or update pelt`);
}
