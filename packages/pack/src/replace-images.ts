/** Other images in a GLB: everything else in it moves, but stays bit for bit. */
import { isObject, type JsonObject, MESHOPT, objectsOf, readGlbContainer, writeGlbContainer } from '@pelt/io/internal';

export interface GlbImage {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** JSON of this file alone, which is written in place. */
type Writable = Record<string, unknown>;

const WEBP = 'EXT_texture_webp';
const RATIFIED = 'KHR_meshopt_compression';

/**
 * The images that a GLB has inside it, by their number.
 *
 * @param bytes  of a GLB
 * @example
 * {@includeCode ../examples/images.ts}
 */
export function imagesOf(bytes: Uint8Array): Map<number, GlbImage> {
  const { json, binary } = opened(bytes);
  const views = objectsOf(json, 'bufferViews');
  return new Map(
    objectsOf(json, 'images').flatMap(({ bufferView, mimeType }, k): [number, GlbImage][] => {
      const view = typeof bufferView === 'number' ? views[bufferView] : undefined;
      if (!view || (view.buffer ?? 0) !== 0) return [];
      const { byteOffset = 0, byteLength } = view as { byteOffset?: number; byteLength: number };
      return [[k, { bytes: binary.subarray(byteOffset, byteOffset + byteLength), mimeType: String(mimeType ?? '') }]];
    }),
  );
}

/**
 * Puts other images into a GLB. Textures of images that are now WebP name them by EXT_texture_webp.
 *
 * @param bytes   of a GLB
 * @param images  by their number; those that are not among them stay
 * @example
 * {@includeCode ../examples/images.ts}
 */
export function replaceImages(bytes: Uint8Array, images: ReadonlyMap<number, GlbImage>): Uint8Array<ArrayBuffer> {
  const { json, binary } = opened(bytes);
  const views: Writable[] = objectsOf(json, 'bufferViews').map((view) => ({ ...view }));
  const own = new Map<Writable, Uint8Array>();
  objectsOf(json, 'images').forEach(({ bufferView }, k) => {
    const image = images.get(k);
    if (image && typeof bufferView === 'number') own.set(views[bufferView], image.bytes);
  });
  // What lies in the binary chunk: views, and what compressed views decode from.
  const stored = views.flatMap((view) => {
    const packed = isObject(view.extensions) ? (view.extensions[MESHOPT] ?? view.extensions[RATIFIED]) : undefined;
    return [isObject(packed) ? (packed as Writable) : view].filter(({ buffer }) => (buffer ?? 0) === 0);
  });
  const start = (view: Writable) => (view.byteOffset as number | undefined) ?? 0;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const view of stored.sort((a, b) => start(a) - start(b))) {
    const data = own.get(view) ?? binary.subarray(start(view), start(view) + (view.byteLength as number));
    chunks.push(new Uint8Array(-length & 3), data);
    length += -length & 3;
    view.byteOffset = length;
    view.byteLength = data.length;
    length += data.length;
  }
  const isWebp = (k: unknown) => images.get(k as number)?.mimeType === 'image/webp';
  const textures = objectsOf(json, 'textures').map(({ source, ...texture }) =>
    isWebp(source)
      ? { ...texture, extensions: { ...((texture.extensions as object) ?? {}), [WEBP]: { source } } }
      : { ...texture, ...(source !== undefined && { source }) },
  );
  const adds = objectsOf(json, 'textures').some(({ source }) => isWebp(source));
  const listed = (key: string) => [
    ...new Set([...((json[key] as string[] | undefined) ?? []), ...(adds ? [WEBP] : [])]),
  ];
  const [first, ...others] = objectsOf(json, 'buffers');
  const out = {
    ...json,
    bufferViews: views,
    buffers: [{ ...first, byteLength: length }, ...others],
    images: objectsOf(json, 'images').map((image, k) => {
      const replaced = images.get(k);
      return replaced ? { ...image, mimeType: replaced.mimeType } : image;
    }),
    ...(textures.length > 0 && { textures }),
    ...(adds && { extensionsUsed: listed('extensionsUsed'), extensionsRequired: listed('extensionsRequired') }),
  };
  return writeGlbContainer(new TextEncoder().encode(JSON.stringify(out)), joined(chunks, length));
}

function opened(bytes: Uint8Array): { readonly json: JsonObject; readonly binary: Uint8Array } {
  const { json, binary } = readGlbContainer(bytes);
  return { json: JSON.parse(new TextDecoder().decode(json)) as JsonObject, binary: binary ?? new Uint8Array(0) };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}
