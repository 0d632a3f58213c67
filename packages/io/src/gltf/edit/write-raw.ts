/** A raw document as the bytes of a GLB: views that something uses, behind each other. */
import { writeGlbContainer } from '../glb-container.ts';
import { type JsonObject, objectsOf } from '../json-shape.ts';
import { compressionOf, type MutableJson, type RawDocument, type RawView } from './raw-document.ts';
import { accessorReferences, knowsAccessors, viewReferences } from './references.ts';

/** Enough for every type of number. */
const ALIGNMENT = 8;

export function writeRaw({ json, views }: RawDocument): Uint8Array<ArrayBuffer> {
  // Accessors that nobody uses any more go, where it is known who uses them.
  if (knowsAccessors(json)) dropAccessors(json);
  const place = dropViews(json, views);
  const used = views.filter((_, k) => place[k] >= 0);
  const layout = layOut(used);
  const kept = Object.entries(json).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const text = JSON.stringify({
    ...Object.fromEntries(kept),
    ...(used.length > 0 && { bufferViews: layout.views, buffers: layout.buffers }),
  });
  return writeGlbContainer(new TextEncoder().encode(text), used.length > 0 ? layout.binary : undefined);
}

function dropAccessors(json: MutableJson): void {
  const accessors = objectsOf(json, 'accessors');
  const references = accessorReferences(json);
  const used = new Set(references.map(({ holder, key }) => holder[key] as number));
  const place = placesOf(accessors.length, used);
  for (const { holder, key } of references) holder[key] = place[holder[key] as number];
  json.accessors = accessors.filter((_, k) => used.has(k));
}

/** @returns the new number of each view; −1 for one that is not used */
function dropViews(json: MutableJson, views: readonly RawView[]): Int32Array {
  const references = viewReferences(json);
  const place = placesOf(views.length, new Set(references.map(({ holder, key }) => holder[key] as number)));
  for (const { holder, key } of references) holder[key] = place[holder[key] as number];
  return place;
}

function placesOf(count: number, used: ReadonlySet<number>): Int32Array {
  let next = 0;
  return Int32Array.from({ length: count }, (_, k) => (used.has(k) ? next++ : -1));
}

interface Layout {
  readonly views: JsonObject[];
  readonly buffers: JsonObject[];
  readonly binary: Uint8Array;
}

/** All bytes in one buffer. What a compressed view is decoded into has a second one, which has a length and no bytes. */
function layOut(views: readonly RawView[]): Layout {
  let [length, decoded] = [0, 0];
  const offsets = new Map<string, number>();
  const chunks: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  const put = (bytes: Uint8Array): number => {
    // Views of the same bytes stay views of the same bytes.
    const key = `${bytes.byteOffset} ${bytes.length} ${chunkId(bytes.buffer)}`;
    const known = offsets.get(key);
    if (known !== undefined) return known;
    const at = Math.ceil(length / ALIGNMENT) * ALIGNMENT;
    offsets.set(key, at);
    chunks.push({ at, bytes });
    length = at + bytes.length;
    return at;
  };
  const ids = new Map<ArrayBufferLike, number>();
  const chunkId = (buffer: ArrayBufferLike): number => {
    const id = ids.get(buffer) ?? ids.size;
    ids.set(buffer, id);
    return id;
  };
  const laid = views.map(({ json, bytes }): JsonObject => {
    const packed = compressionOf(json);
    const { buffer: _, byteOffset: __, byteLength, ...rest } = json;
    if (!packed && bytes) return { ...rest, buffer: 0, byteOffset: put(bytes), byteLength: bytes.length };
    const from = Math.ceil(decoded / ALIGNMENT) * ALIGNMENT;
    decoded = from + Number(byteLength);
    const own = { ...rest, buffer: 1, byteOffset: from, byteLength };
    if (!packed || !bytes) return own;
    const stored = { ...packed, buffer: 0, byteOffset: put(bytes), byteLength: bytes.length };
    const extensions = Object.entries(json.extensions as JsonObject).map(([name, value]) => [
      name,
      value === packed ? stored : value,
    ]);
    return { ...own, extensions: Object.fromEntries(extensions) };
  });
  const binary = new Uint8Array(Math.ceil(length / 4) * 4);
  for (const { at, bytes } of chunks) binary.set(bytes, at);
  const name = views.map(({ json }) => compressionName(json)).find((found) => found !== undefined);
  const fallback = { byteLength: decoded, ...(name && { extensions: { [name]: { fallback: true } } }) };
  return { views: laid, buffers: [{ byteLength: binary.length }, ...(decoded > 0 ? [fallback] : [])], binary };
}

function compressionName(view: JsonObject): string | undefined {
  const packed = compressionOf(view);
  if (!packed) return undefined;
  return Object.entries(view.extensions as JsonObject).find(([, value]) => value === packed)?.[0];
}
