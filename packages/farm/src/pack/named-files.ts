/**
 * Files that a file names, as its readers will ask for them: buffers and images of a glTF, material libraries of an OBJ,
 * textures of a material library or an FBX, recordings of a file of pairs. More may be listed than are read, never fewer:
 * a job that runs elsewhere finds everything, and its key depends on everything.
 *
 * Files come from anybody and may be anything: they are scanned as they stream by, in memory that does not depend on them.
 */
import { InputError } from '@pelt/model';
import { JsonNames } from './json-names.ts';

/** Takes a file in parts, and knows the names in it at the end, relative to its folder. */
export interface NameScanner {
  push(bytes: Uint8Array): void;
  end(): readonly string[];
}

/** Far more than any asset has; a file with more is made to exhaust memory. */
const MOST_NAMES = 20_000;
/** Longest line that is looked at; the names of files are far shorter. */
const LONGEST_LINE = 1 << 16;
const LONGEST_NAME = 255;

const LIBRARIES = /^[ \t\r]*mtllib[ \t]+(.*)$/gm;
const TEXTURES = /^[ \t\r]*(?:map_\w+|bump|disp|decal|refl|norm)[ \t]+(.*)$/gim;
/** Layers and pictures of USD as text; a crate has its names packed, and travels as a USDZ. */
const ASSETS = /@([^@\s][^@]*)@/g;
const PICTURES = /\.(?:png|jpe?g|tga|bmp|gif|tiff?|webp|psd|exr|hdr|dds)/gi;

/** @param path  of the file, whose extension tells what it is */
export function nameScanner(path: string): NameScanner | undefined {
  const names = new NameSet(path);
  switch (/\.([^.]+)$/.exec(path.toLowerCase())?.[1]) {
    case 'gltf':
    case 'json':
      return new JsonNames(names);
    case 'glb':
    case 'vrm':
      return new GlbNames(new JsonNames(names));
    case 'obj':
      return new LineNames(names, LIBRARIES, behindWord);
    case 'mtl':
      return new LineNames(names, TEXTURES, behindWord);
    case 'usd':
    case 'usda':
      return new LineNames(names, ASSETS, ({ 1: asset }) => asset);
    case 'fbx':
      return new LineNames(names, PICTURES, pictureName);
    default:
      return undefined;
  }
}

/** Names without doubles, up to a limit. */
export class NameSet {
  readonly #names = new Set<string>();
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  add(name: string): void {
    this.#names.add(name);
    if (this.#names.size > MOST_NAMES)
      throw new InputError(`'${this.#path}' names more than ${MOST_NAMES} files; it is damaged, or meant to do harm`);
  }

  get all(): readonly string[] {
    return [...this.#names];
  }
}

/** The JSON of a GLB: its first chunk, behind twenty bytes. */
class GlbNames implements NameScanner {
  readonly #json: JsonNames;
  readonly #head: number[] = [];
  #left = 0;

  constructor(json: JsonNames) {
    this.#json = json;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    for (; this.#head.length < 20 && at < bytes.length; at++) this.#head.push(bytes[at]);
    if (at > 0 && this.#head.length === 20) {
      const head = Buffer.from(this.#head);
      this.#left = head.toString('latin1', 0, 4) === 'glTF' ? head.readUInt32LE(12) : 0;
    }
    const part = bytes.subarray(at, at + this.#left);
    this.#left -= part.length;
    if (part.length > 0) this.#json.push(part);
  }

  end(): readonly string[] {
    return this.#json.end();
  }
}

/** Gives the text of names that a match stands for. */
type NameOf = (match: RegExpExecArray) => string;

const behindWord: NameOf = ([, names]) => names;

/** What stands before the extension of a picture in a binary file: as much of it as can be a path. */
const pictureName: NameOf = ({ 0: extension, index, input }) => {
  const before = input.slice(Math.max(0, index - LONGEST_NAME), index);
  let start = before.length;
  while (start > 0 && /[\w .,()~@#%&+=!'/\\:\u0080-\u00ff-]/.test(before[start - 1])) start--;
  return before.slice(start) + extension;
};

/** Names by a form, line by line. */
class LineNames implements NameScanner {
  readonly #names: NameSet;
  readonly #form: RegExp;
  readonly #nameOf: NameOf;
  #rest = Buffer.alloc(0);

  /** @param form  with the flag g; it may not look beyond a line */
  constructor(names: NameSet, form: RegExp, nameOf: NameOf) {
    this.#names = names;
    this.#form = form;
    this.#nameOf = nameOf;
  }

  push(bytes: Uint8Array): void {
    const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, own]) : own;
    const end = all.lastIndexOf(10) + 1;
    const rest = all.subarray(end);
    // A line that is too long is looked at in parts, of which the last may be the beginning of one that is not.
    this.#scan(rest.length > LONGEST_LINE ? all : all.subarray(0, end));
    this.#rest = Buffer.from(rest.subarray(-LONGEST_LINE));
  }

  end(): readonly string[] {
    this.#scan(this.#rest);
    return this.#names.all;
  }

  #scan(bytes: Buffer): void {
    // Latin-1 keeps every byte; names are put back into UTF-8.
    for (const match of bytes.toString('latin1').matchAll(this.#form)) {
      const found = this.#nameOf(match as RegExpExecArray).slice(0, LONGEST_LINE);
      const text = Buffer.from(found, 'latin1').toString('utf8').trim();
      const alone = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
      // All readings: one name with blanks, or several words of which some are names; with and without folders.
      for (const name of [text, ...text.split(/\s+/), alone]) if (name !== '') this.#names.add(name);
    }
  }
}
