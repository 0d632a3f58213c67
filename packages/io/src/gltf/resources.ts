import { InputError } from '@pelt/model';
import { refuseLfsPointer } from '../lfs-pointer.ts';
import { relativePath } from '../relative-path.ts';
import { countOf, type JsonObject, objectsOf, textOf } from './json-shape.ts';

/**
 * The bytes a glTF refers to: its GLB's binary chunk, data URIs, and files beside it. Files come through the caller,
 * who alone knows a file system or a network; what could leave the file's folder is never asked for.
 */
export type ResolveFile = (path: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** The bytes of every buffer; `undefined` for one without data, which only compressed views may refer to. */
export async function loadBuffers(
  json: JsonObject,
  binary: Uint8Array | undefined,
  resolve: ResolveFile | undefined,
): Promise<(Uint8Array | undefined)[]> {
  const buffers: (Uint8Array | undefined)[] = [];
  for (const [b, buffer] of objectsOf(json, 'buffers').entries()) {
    const where = `buffers[${b}]`;
    const declared = countOf(buffer, 'byteLength', where);
    const uri = textOf(buffer, 'uri');
    const bytes = uri ? await loadUri(uri, where, resolve) : b === 0 ? binary : undefined;
    if (bytes && bytes.length < declared) {
      throw new InputError(`${where} needs ${declared} bytes, but only ${bytes.length} are there: it was cut off`);
    }
    buffers.push(bytes);
  }
  return buffers;
}

/** The bytes behind a URI: a data URI's own, or a file's from inside the folder. */
export async function loadUri(uri: string, where: string, resolve: ResolveFile | undefined): Promise<Uint8Array> {
  if (uri.startsWith('data:')) return decodeDataUri(uri, where);
  const path = relativePath(decodePercent(uri, where));
  if (path === undefined) {
    throw new InputError(`${where} refers to '${shorten(uri)}'; only files inside the folder of the glTF are read`);
  }
  const bytes = await resolve?.(path);
  if (!bytes) throw new InputError(`${where} refers to '${shorten(path)}', which was not found beside the glTF`);
  refuseLfsPointer(shorten(path), bytes);
  return bytes;
}

function decodeDataUri(uri: string, where: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0 || !uri.slice(0, comma).endsWith(';base64')) {
    throw new InputError(`${where} has a data URI that is not base64`);
  }
  let text: string;
  try {
    text = atob(uri.slice(comma + 1));
  } catch {
    throw new InputError(`${where} has a data URI with characters that are not base64`);
  }
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

function decodePercent(uri: string, where: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    throw new InputError(`${where} has a URI with a malformed percent sign: '${shorten(uri)}'`);
  }
}

const SHOWN_CHARACTERS = 80;

function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
