/**
 * Files that a file names, as its readers will ask for them: buffers and images of a glTF, material libraries of an OBJ,
 * textures of a material library, recordings of a file of pairs. More may be listed than are read, never fewer: a job
 * that runs elsewhere finds everything, and its key depends on everything.
 */
import type { Files } from '@pelt/jobs';

/** Names that a file gives, relative to its folder. */
export function namedFiles(files: Files, path: string): readonly string[] {
  const extension = /\.([^.]+)$/.exec(path.toLowerCase())?.[1];
  switch (extension) {
    case 'gltf':
      return fromJson(text(files, path));
    case 'glb':
      return fromJson(glbJson(files, path));
    case 'json':
      return fromJson(text(files, path));
    case 'obj':
      return [...lines(files, path)].flatMap((line) => afterWord(line, /^\s*mtllib\s+(.*)$/));
    case 'mtl':
      return [...lines(files, path)].flatMap((line) =>
        afterWord(line, /^\s*(?:map_\w+|bump|disp|decal|refl|norm)\s+(.*)$/i),
      );
    default:
      return [];
  }
}

/** Longest line that is looked at; the names of files are far shorter. */
const LONGEST_LINE = 1 << 16;
const CHUNK = 8 << 20;
/** A JSON that is larger names no files worth having. */
const LARGEST_JSON = 256 << 20;

/** Both readings of what stands behind a word: one name with blanks, or several words of which the last is a name. */
function afterWord(line: string, form: RegExp): string[] {
  const rest = form.exec(line)?.[1].trim();
  return rest ? [...new Set([rest, ...rest.split(/\s+/)])] : [];
}

function text(files: Files, path: string): string {
  const { bytes } = files.stat(path);
  return bytes > LARGEST_JSON ? '' : new TextDecoder().decode(files.read(path));
}

function glbJson(files: Files, path: string): string {
  const head = files.readRange(path, 0, 20);
  if (head.length < 20 || new TextDecoder('latin1').decode(head.subarray(0, 4)) !== 'glTF') return '';
  const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(12, true);
  return length > LARGEST_JSON ? '' : new TextDecoder().decode(files.readRange(path, 20, 20 + length));
}

/** `uri` of buffers and images, and the values of `motions`. What is no JSON names nothing: its reader will say so. */
function fromJson(json: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const { buffers, images, motions } = value as Record<string, unknown>;
  const uris = [buffers, images].flatMap((list) => (Array.isArray(list) ? list : [])).map((entry) => entry?.uri);
  const recordings = typeof motions === 'object' && motions !== null ? Object.values(motions) : [];
  return [...uris, ...recordings].filter((name): name is string => typeof name === 'string').flatMap(spellings);
}

/** A URI as it stands and as it is meant; data URIs carry their bytes with them. */
function spellings(uri: string): string[] {
  if (uri.startsWith('data:')) return [];
  try {
    return [...new Set([uri, decodeURIComponent(uri)])];
  } catch {
    return [uri];
  }
}

/** Lines of a text that may be larger than memory. */
function* lines(files: Files, path: string): Generator<string> {
  const { bytes } = files.stat(path);
  let rest = '';
  for (let at = 0; at < bytes; at += CHUNK) {
    // Latin-1 keeps every byte; names are put back into UTF-8 by `utf8`.
    const parts = (rest + new TextDecoder('latin1').decode(files.readRange(path, at, at + CHUNK))).split('\n');
    rest = (parts.pop() ?? '').slice(-LONGEST_LINE);
    for (const line of parts) yield utf8(line.slice(0, LONGEST_LINE));
  }
  if (rest) yield utf8(rest);
}

function utf8(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}
