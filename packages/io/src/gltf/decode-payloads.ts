/** Compressed views that hold arrays of extensions, decoded; views of accessors are decoded with these. */
import { type CheckedViews, MESHOPT } from './check-accessors.ts';
import { childOf, countOf, isObject, type JsonObject, objectsOf, optionalIndexOf, textOf } from './json-shape.ts';

/** @returns the views, with the bytes of those that extensions at the root name */
export async function decodePayloads(
  json: JsonObject,
  buffers: readonly (Uint8Array | undefined)[],
  views: CheckedViews,
): Promise<CheckedViews> {
  const needed = [...namedViews(json, views.lengths.length)].filter((view) => !views.bytes[view]);
  if (needed.length === 0) return views;
  const { MeshoptDecoder } = await import('meshoptimizer/decoder');
  await MeshoptDecoder.ready;
  const stored = objectsOf(json, 'bufferViews');
  const bytes = [...views.bytes];
  for (const view of needed) {
    const where = `bufferViews[${view}].extensions.${MESHOPT}`;
    const meshopt = childOf(childOf(stored[view], 'extensions', `bufferViews[${view}]`), MESHOPT, where);
    const from = countOf(meshopt, 'byteOffset', where, 0);
    const data = buffers[countOf(meshopt, 'buffer', where)] as Uint8Array;
    const source = data.subarray(from, from + countOf(meshopt, 'byteLength', where));
    const out = new Uint8Array(views.lengths[view]);
    const [count, stride] = [countOf(meshopt, 'count', where), countOf(meshopt, 'byteStride', where)];
    const filter = meshopt.filter === undefined ? undefined : textOf(meshopt, 'filter');
    MeshoptDecoder.decodeGltfBuffer(out, count, stride, source, textOf(meshopt, 'mode'), filter);
    bytes[view] = out;
  }
  return { ...views, bytes };
}

function namedViews(json: JsonObject, count: number): Set<number> {
  const found = new Set<number>();
  const extensions = isObject(json.extensions) ? json.extensions : {};
  for (const [name, extension] of Object.entries(extensions)) {
    if (!isObject(extension) || !isObject(extension.buffers)) continue;
    for (const [key, entry] of Object.entries(extension.buffers)) {
      const view = isObject(entry)
        ? optionalIndexOf(entry, 'bufferView', `extensions.${name}.buffers.${key}`, count)
        : -1;
      if (view !== undefined && view >= 0) found.add(view);
    }
  }
  return found;
}
