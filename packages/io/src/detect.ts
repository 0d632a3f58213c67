/**
 * What a file is: by its content where that says it, by its name's extension where it does not (an MDD cut short, an
 * OBJ of comments). Formats that are known but not read are named, so that the message can say what to do.
 */
import { InputError, UnsupportedError } from '@pelt/model';
import { HDF5, OGAWA_CURE } from './alembic/ogawa-file.ts';
import { refuseLfsPointer } from './lfs-pointer.ts';
import { refuseVideo } from './video-file.ts';

export type FileFormat = 'obj' | 'ply' | 'glb' | 'gltf' | 'fbx' | 'usd' | 'abc' | 'pc2' | 'mdd';

const READABLE = 'glTF, FBX, USD, Alembic, OBJ, PLY, PC2 or MDD';

/** What the first bytes are in formats that are read. */
const SIGNATURES: readonly (readonly [string, FileFormat])[] = [
  ['glTF', 'glb'],
  ['Kaydara FBX Binary', 'fbx'],
  ['; FBX', 'fbx'],
  ['PXR-USDC', 'usd'],
  ['#usda', 'usd'],
  ['Ogawa', 'abc'],
  ['POINTCACHE2\0', 'pc2'],
  ['ply\n', 'ply'],
  ['ply\r', 'ply'],
];

const ZIP = 'PK\x03\x04';

/** What the first bytes are in formats that are not. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['BLENDER', 'a Blender file'],
  ['HIERARCHY', 'a BVH motion, without a mesh'],
  ['solid ', 'an STL file, whose triangles share no vertices'],
  ['<?xml', 'an XML file'],
  [ZIP, 'a zip archive'],
  ['\x1f\x8b', 'a gzip archive'],
];

const EXTENSIONS: Readonly<Record<string, FileFormat>> = {
  obj: 'obj',
  ply: 'ply',
  glb: 'glb',
  gltf: 'gltf',
  fbx: 'fbx',
  usd: 'usd',
  usda: 'usd',
  usdc: 'usd',
  usdz: 'usd',
  abc: 'abc',
  pc2: 'pc2',
  mdd: 'mdd',
};

/** Words that begin the lines of an OBJ. */
const OBJ_WORDS = new Set(['v', 'vt', 'vn', 'vp', 'f', 'l', 'p', 'o', 'g', 's', 'mtllib', 'usemtl', 'usemap']);

/** How much of a file is looked at to tell what it is. */
export const HEAD_BYTES = 4096;

const decoder = new TextDecoder();

/**
 * Tells the format of a file by its first bytes, and by its name where they do not say.
 *
 * @param name  of the file, with its extension where it has one
 * @param head  its first bytes: `HEAD_BYTES` are enough, or all where it has fewer
 * @param size  bytes of the whole file
 * @throws InputError for an empty file, UnsupportedError for one that is none of those that are read
 * @example
 * {@includeCode ../examples/meshes.ts}
 */
export function detectFormat(name: string, head: Uint8Array, size = head.length): FileFormat {
  if (size === 0) throw new InputError(`'${name}' is empty; export it again`);
  refuseLfsPointer(name, head);
  refuseVideo(name, head);
  for (const [signature, format] of SIGNATURES) if (beginsWith(head, signature)) return format;
  // A package is a zip archive like any other, but for its name.
  if (beginsWith(head, ZIP) && formatOfName(name) === 'usd') return 'usd';
  if (beginsWith(head, HDF5)) {
    throw new UnsupportedError(`'${name}' is an HDF5 file, the form of Alembic before version 1.5; ${OGAWA_CURE}`);
  }
  for (const [signature, what] of FOREIGN) {
    if (beginsWith(head, signature)) {
      throw new UnsupportedError(`'${name}' is ${what}, which is not read; export it as ${READABLE}`);
    }
  }
  const format = formatOfText(head) ?? (sizesFitMdd(head, size) ? 'mdd' : undefined) ?? formatOfName(name);
  if (format) return format;
  throw new UnsupportedError(`'${name}' is of no known format; it should be ${READABLE}`);
}

function beginsWith(bytes: Uint8Array, signature: string): boolean {
  for (let k = 0; k < signature.length; k++) if (bytes[k] !== signature.charCodeAt(k)) return false;
  return true;
}

function formatOfText(bytes: Uint8Array): FileFormat | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head.includes(0)) return undefined;
  const text = decoder.decode(head);
  if (/^\s*\{/.test(text)) return 'gltf';
  for (const line of text.split(/[\r\n]+/)) {
    const [word] = line.trim().split(/\s/, 1);
    if (word !== '' && !word.startsWith('#')) return OBJ_WORDS.has(word) ? 'obj' : undefined;
  }
  return undefined;
}

/** An MDD has no signature, but its two counts say exactly how long it is. */
function sizesFitMdd(bytes: Uint8Array, size: number): boolean {
  if (bytes.length < 8) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames = view.getInt32(0);
  const points = view.getInt32(4);
  return frames > 0 && points > 0 && 8 + frames * (4 + points * 12) === size;
}

function formatOfName(name: string): FileFormat | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}
