/**
 * A glTF file as it is stored, to be written again with a few changes: its JSON, and the bytes of every buffer view,
 * compressed or not. Nothing is decoded, so that whatever is not changed stays bit for bit, known or unknown.
 */
import { InputError } from '@pelt/model';
import { countOf, isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import { parseGltf } from '../open-document.ts';
import { loadBuffers, loadUri, type ResolveFile } from '../resources.ts';

/** JSON that may be changed. */
export interface MutableJson {
  [key: string]: unknown;
}

export interface RawView {
  /** What the file says about it, but for its buffer. */
  readonly json: MutableJson;
  /** Of a compressed view its compressed bytes; absent where it has none. */
  readonly bytes: Uint8Array | undefined;
}

export interface RawDocument {
  /** Without buffers and buffer views. */
  readonly json: MutableJson;
  readonly views: RawView[];
}

const COMPRESSIONS = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

export async function openRaw(bytes: Uint8Array, resolve: ResolveFile | undefined): Promise<RawDocument> {
  const { json: stored, binary } = parseGltf(bytes);
  const buffers = await loadBuffers(stored, binary, resolve);
  const { buffers: _, bufferViews: __, ...json } = stored;
  const views = objectsOf(stored, 'bufferViews').map((view, k): RawView => {
    const where = `bufferViews[${k}]`;
    const packed = compressionOf(view);
    // Where the decoded bytes are there as well, readers may count on them.
    const plain = packed && slice(view, where, buffers);
    if (plain) return { json: withoutCompression(view), bytes: plain };
    return { json: { ...view }, bytes: slice(packed ?? view, where, buffers) };
  });
  const document: RawDocument = { json: json as MutableJson, views };
  await embedImages(document, resolve);
  return document;
}

/** The compressed form of a view, which has a buffer, an offset and a length of its own. */
export function compressionOf(view: JsonObject): MutableJson | undefined {
  const { extensions } = view;
  if (!isObject(extensions)) return undefined;
  const found = COMPRESSIONS.map((name) => extensions[name]).find(isObject);
  return found as MutableJson | undefined;
}

function withoutCompression({ extensions, ...view }: JsonObject): MutableJson {
  const others = Object.entries(extensions as JsonObject).filter(([name]) => !COMPRESSIONS.includes(name));
  return { ...view, ...(others.length > 0 && { extensions: Object.fromEntries(others) }) };
}

function slice(place: JsonObject, where: string, buffers: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  const buffer = countOf(place, 'buffer', where);
  const from = countOf(place, 'byteOffset', where, 0);
  const to = from + countOf(place, 'byteLength', where);
  const bytes = buffers[buffer];
  if (!bytes) return undefined;
  if (to > bytes.length)
    throw new InputError(`${where} ends at byte ${to} of buffers[${buffer}], which has ${bytes.length}`);
  return bytes.subarray(from, to);
}

/** Images beside the file come into it where they are found; the others stay as they are named. */
async function embedImages({ json, views }: RawDocument, resolve: ResolveFile | undefined): Promise<void> {
  const images = objectsOf(json, 'images');
  if (images.length === 0) return;
  const own: JsonObject[] = [];
  for (const [k, image] of images.entries()) {
    const { uri, ...rest } = image;
    const beside = typeof uri === 'string' && !uri.startsWith('data:') && resolve;
    const bytes = beside ? await loadUri(uri, `images[${k}]`, resolve).catch(() => undefined) : undefined;
    if (!bytes) own.push(image);
    else {
      own.push({ ...rest, mimeType: rest.mimeType ?? mimeTypeOf(bytes), bufferView: views.length });
      views.push({ json: { byteLength: bytes.length }, bytes });
    }
  }
  json.images = own;
}

function mimeTypeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg';
  if (bytes[0] === 0x52 && bytes[8] === 0x57) return 'image/webp';
  return bytes[0] === 0xab ? 'image/ktx2' : 'image/png';
}
