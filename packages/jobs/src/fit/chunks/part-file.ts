/**
 * What the stages of a fit in chunks hand to each other, as a file: `PELTPART`, the length of a JSON header (u32, little
 * endian), the header with what is small and the list of arrays, then the arrays, each from a multiple of eight bytes on.
 * All numbers are kept to the bit, so that a fit on many machines gives the bytes of one on a single machine.
 */
import {
  type Bone,
  type Clip,
  InputError,
  type Rig,
  type SequenceErrors,
  validateClip,
  validateRig,
  validateSkinWeights,
} from '@pelt/model';
import type { ChunkWeights, FoundBones, RestDisplacement, RestPose } from '@pelt/skin/decompose';

const MAGIC = 'PELTPART';
const VERSION = 2;
const HEAD = 12;
const TYPES = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array } as const;
type TypeName = keyof typeof TYPES;
type Values = Float64Array | Float32Array | Uint32Array | Uint16Array;

interface Header {
  readonly version: number;
  readonly kind: 'bones' | 'weights';
  readonly meta: unknown;
  readonly arrays: readonly { readonly name: string; readonly type: TypeName; readonly length: number }[];
}

interface BonesMeta {
  readonly bones: readonly { readonly name: string; readonly parent: number; readonly rest: readonly number[] }[];
  readonly clip: string;
  readonly mesh: string;
  readonly radius: number;
  readonly centre: readonly [number, number, number];
  readonly slots: number;
  readonly restPose: RestPose;
  /** null for Infinity, which JSON has not */
  readonly restStiffness: number | null;
  readonly error: SequenceErrors;
  readonly restMoved: RestDisplacement;
  /** Of the sample. */
  readonly shift: number;
  readonly iterations: number;
}

interface WeightsMeta {
  /** Fingerprint of the bones that the weights are for. */
  readonly bones: string;
  readonly slots: number;
}

export function encodeBones(found: FoundBones): Uint8Array<ArrayBuffer> {
  const { bones, clip, transforms, space, basis, slots, restPose, restStiffness, sample, iterations } = found;
  const { rig, vertices, error, restMoved, shift } = sample;
  const meta: BonesMeta = {
    bones: bones.map(({ name, parent, rest }) => ({ name, parent, rest: [...rest] })),
    clip: clip.name,
    mesh: rig.mesh.name,
    radius: space.radius,
    centre: space.centre,
    slots,
    restPose,
    restStiffness: Number.isFinite(restStiffness) ? restStiffness : null,
    error,
    restMoved,
    shift,
    iterations,
  };
  return encode('bones', meta, {
    times: clip.times,
    motion: clip.transforms,
    transforms,
    centres: Float64Array.from(space.centres.flat()),
    basis,
    vertices,
    positions: rig.mesh.positions,
    indices: rig.weights.bones,
    weights: rig.weights.weights,
  });
}

export function decodeBones(bytes: Uint8Array<ArrayBuffer>, name: string): FoundBones {
  return decoded(name, () => {
    const { meta, array } = decode(bytes, 'bones', name);
    const {
      bones: rows,
      clip,
      mesh,
      radius,
      centre,
      slots,
      restPose,
      restStiffness,
      error,
      restMoved,
      shift,
      iterations,
    } = meta as BonesMeta;
    const bones: Bone[] = rows.map(({ name: own, parent, rest }) => ({
      name: own,
      parent,
      rest: Float64Array.from(rest),
    }));
    const times = array('times', Float64Array);
    const vertices = array('vertices', Uint32Array);
    const [S, m, count] = [times.length, bones.length, vertices.length];
    const centres = array('centres', Float64Array, 3 * S);
    const rig: Rig = {
      name: mesh,
      mesh: { name: mesh, positions: array('positions', Float32Array, 3 * count), triangles: new Uint32Array(0) },
      bones,
      weights: {
        slots,
        bones: array('indices', Uint16Array, slots * count),
        weights: array('weights', Float32Array, slots * count),
      },
    };
    const motion: Clip = { name: clip, times, transforms: array('motion', Float64Array, 12 * S * m) };
    validateRig(rig);
    validateClip(motion, m);
    const basis = array('basis', Float64Array);
    const size = [radius, ...centre, shift, iterations].every(Number.isFinite) && centre.length === 3 && radius > 0;
    if (!size || basis.length === 0 || basis.length % (3 * S) !== 0) throw new RangeError('header');
    return {
      bones,
      clip: motion,
      transforms: array('transforms', Float64Array, 12 * S * m),
      space: { radius, centre, centres: Array.from(times, (_, t) => pointAt(centres, t)) },
      basis,
      slots,
      restPose,
      restStiffness: restStiffness ?? Number.POSITIVE_INFINITY,
      sample: { rig, shift, vertices, error, restMoved },
      iterations,
    };
  });
}

function pointAt(values: Float64Array, t: number): [number, number, number] {
  return [values[3 * t], values[3 * t + 1], values[3 * t + 2]];
}

/** @param chunks  of one part, in any order */
export function encodeWeights(found: FoundBones, chunks: readonly ChunkWeights[]): Uint8Array<ArrayBuffer> {
  const meta: WeightsMeta = { bones: fingerprint(found), slots: found.slots };
  return encode('weights', meta, {
    vertices: joined(
      Uint32Array,
      chunks.map(({ vertices }) => vertices),
    ),
    positions: joined(
      Float32Array,
      chunks.map(({ positions }) => positions),
    ),
    indices: joined(
      Uint16Array,
      chunks.map(({ weights }) => weights.bones),
    ),
    weights: joined(
      Float32Array,
      chunks.map(({ weights }) => weights.weights),
    ),
  });
}

export function decodeWeights(bytes: Uint8Array<ArrayBuffer>, found: FoundBones, name: string): ChunkWeights {
  return decoded(name, () => {
    const { meta, array } = decode(bytes, 'weights', name);
    const { bones, slots } = meta as WeightsMeta;
    if (bones !== fingerprint(found)) {
      throw new InputError(`'${name}' has the weights of other bones; run its stage again`);
    }
    const vertices = array('vertices', Uint32Array);
    const count = vertices.length;
    const weights = {
      slots,
      bones: array('indices', Uint16Array, slots * count),
      weights: array('weights', Float32Array, slots * count),
    };
    if (slots !== found.slots) throw new RangeError('slots');
    validateSkinWeights(weights, count, found.bones.length);
    return { vertices, positions: array('positions', Float32Array, 3 * count), weights };
  });
}

/** Whatever is wrong with the content of a file is said in one line. */
function decoded<T>(name: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof InputError && error.message.startsWith(`'${name}'`)) throw error;
    throw new InputError(`'${name}' is damaged; run its stage again`, { cause: error });
  }
}

/** A hash of the bones' motion (FNV-1a over its words). */
function fingerprint({ transforms }: FoundBones): string {
  let hash = 0x811c9dc5;
  for (const word of new Uint32Array(transforms.buffer, transforms.byteOffset, 2 * transforms.length)) {
    hash = Math.imul(hash ^ word, 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

function joined<T extends Values>(type: new (length: number) => T, parts: readonly T[]): T {
  const out = new type(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const padded = (bytes: number) => 8 * Math.ceil(bytes / 8);

function encode(kind: Header['kind'], meta: unknown, given: Readonly<Record<string, Values>>): Uint8Array<ArrayBuffer> {
  const arrays = Object.entries(given).map(([name, values]) => ({ name, type: typeOf(values), length: values.length }));
  const header: Header = { version: VERSION, kind, meta, arrays };
  const json = asciiBytes(JSON.stringify(header));
  const start = padded(HEAD + json.length);
  const size = Object.values(given).reduce((sum, values) => sum + padded(values.byteLength), start);
  const bytes = new Uint8Array(size);
  for (let k = 0; k < MAGIC.length; k++) bytes[k] = MAGIC.charCodeAt(k);
  new DataView(bytes.buffer).setUint32(8, json.length, true);
  bytes.set(json, HEAD);
  let at = start;
  for (const values of Object.values(given)) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += padded(values.byteLength);
  }
  return bytes;
}

/** JSON as bytes, other characters than those of ASCII escaped. */
function asciiBytes(json: string): Uint8Array {
  const escaped = json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Uint8Array.from(escaped, (c) => c.charCodeAt(0));
}

function typeOf(values: Values): TypeName {
  const names = Object.keys(TYPES) as TypeName[];
  return names.find((name) => values instanceof TYPES[name]) ?? 'f64';
}

/** Throws anything where the bytes are not such a file; `decoded` says it. */
function decode(bytes: Uint8Array<ArrayBuffer>, kind: Header['kind'], name: string) {
  if (new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new InputError(
      `'${name}' is not a part of a fit; give what --stage ${kind === 'bones' ? kind : '1/8'} wrote`,
    );
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(HEAD, HEAD + length))) as Header;
  if (header.version !== VERSION) throw new InputError(`'${name}' is of another version of pelt; run its stage again`);
  if (header.kind !== kind) throw new InputError(`'${name}' has ${header.kind}, not ${kind}; the bones come first`);
  const views = new Map<string, Values>();
  let at = padded(HEAD + length);
  for (const { name: own, type, length: count } of header.arrays) {
    const size = count * TYPES[type].BYTES_PER_ELEMENT;
    if (!(Number.isInteger(count) && count >= 0 && at + size <= bytes.length)) throw new RangeError(own);
    // A copy, for alignment; `slice` would be a view where the bytes are a Buffer of Node.
    views.set(own, new TYPES[type](Uint8Array.from(bytes.subarray(at, at + size)).buffer));
    at += padded(size);
  }
  const array = <T extends Values>(own: string, type: new (length: number) => T, expected?: number): T => {
    const values = views.get(own);
    if (!(values instanceof type) || !values.every(Number.isFinite)) throw new RangeError(own);
    if (expected !== undefined && values.length !== expected) throw new RangeError(own);
    return values;
  };
  return { meta: header.meta, array };
}
