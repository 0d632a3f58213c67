/**
 * A job made portable: every file that it may read with the hash of its content, the request with paths of its own, and
 * a key that is the same wherever and whenever the same work is asked for.
 *
 * The key hashes the version of pelt, the command, the options that are not the defaults, and name and content of every file.
 * Threads are not among them, for results do not depend on them, nor are the folders in which files lie.
 */
import { createHash } from 'node:crypto';
import { COMMANDS, type CommandName, checkRequest, type Files, type JobRequest, requestFiles } from '@pelt/jobs';
import { InputError, UsageError } from '@pelt/model';
import { nameScanner } from './named-files.ts';

export interface PackedFile {
  /** In the portable request: `in/0/rest.obj`. */
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha: string;
  readonly bytes: number;
}

/** Plain JSON: what a queue carries and a worker is sent. */
export interface PackedJob {
  readonly key: string;
  readonly request: JobRequest;
  readonly files: readonly PackedFile[];
}

/** A packed job, and where its files lie on this machine. */
export interface PackedHere {
  readonly job: PackedJob;
  /** Path in the request → path on this machine. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Results are in this folder of the portable request. */
export const OUTPUT_FOLDER = 'out';
/** Bytes that are read at a time; between two of them others get a turn. */
const CHUNK = 1 << 20;

/**
 * Makes a job portable.
 *
 * @param request  as `runJob` takes it, with paths of this machine
 * @param version  of pelt: another version may give other bytes
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export async function packJob(request: unknown, files: Files, version: string): Promise<PackedHere> {
  const { command, checked } = await checkRequest(request);
  const { reads, writes } = await requestFiles(request);
  for (const path of writes) refuseToReplace(files, path, reads);
  const layout = new Layout(files);
  const renamed = new Map<string, string>();
  for (const path of reads) renamed.set(path, await layout.add(path));
  for (const path of writes) renamed.set(path, outputName(files, path, writes));
  const portable = {
    command,
    inputs: checked.inputs.map((path) => renamed.get(path) ?? path),
    ...(checked.output !== undefined && { output: renamed.get(checked.output) }),
    options: withPaths(await chosen(request, command, checked.options), renamed),
  } as JobRequest;
  const packed = layout.files();
  return {
    job: { key: keyOf(version, portable, packed), request: portable, files: packed },
    sources: layout.sources,
  };
}

/** The key of a portable job. */
export function keyOf(version: string, request: JobRequest, files: readonly PackedFile[]): string {
  const work = { version, request, files: files.map(({ path, sha }) => [path, sha]) };
  return createHash('sha256').update(canonical(work)).digest('hex');
}

function refuseToReplace(files: Files, output: string, reads: readonly string[]): void {
  const input = reads.find((path) => files.key(path) === files.key(output));
  if (input) throw new UsageError(`the output '${output}' is the input '${input}'; give it another name`);
}

/** Real folders as numbered ones, so that files keep their names and their neighbours, and nothing of where they lie. */
class Layout {
  readonly sources = new Map<string, string>();
  readonly #files: Files;
  readonly #folders = new Map<string, string>();
  readonly #packed = new Map<string, PackedFile>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** @returns the path in the portable request */
  async add(path: string): Promise<string> {
    const { kind } = this.#files.stat(path);
    if (kind === 'other')
      throw new InputError(`cannot read '${path}': it is not a regular file; copy it into one first`);
    if (kind === 'file') return this.#addFile(path);
    const folder = this.#folder(path, true);
    for (const name of this.#files.list(path)) {
      const file = this.#files.paths.join(path, name);
      if (this.#files.stat(file).kind === 'file') await this.#addFile(file);
    }
    return folder;
  }

  files(): PackedFile[] {
    return [...this.#packed.values()].sort(byPath);
  }

  async #addFile(path: string): Promise<string> {
    const { dirname, basename, join } = this.#files.paths;
    const place = `${this.#folder(dirname(path))}/${basename(path)}`;
    for (const name of await this.#read(place, path)) await this.#addNamed(dirname(path), name, join);
    return place;
  }

  /** A file that is named by another: only where it lies in the same folder or below, as readers take it. */
  async #addNamed(folder: string, name: string, join: (folder: string, name: string) => string): Promise<void> {
    const inside = this.#files.identify(folder);
    const found = this.#files.identify(join(folder, name));
    if (!inside || !found?.startsWith(`${inside}/`) || this.#files.stat(found).kind !== 'file') return;
    const relative = name
      .replaceAll('\\', '/')
      .split('/')
      .filter((part) => part !== '' && part !== '.');
    if (relative.includes('..')) return;
    const below = relative.slice(0, -1).join('/');
    for (const next of await this.#read(`${this.#folder(folder)}/${relative.join('/')}`, join(folder, name))) {
      // A material library names its textures from the folder of the OBJ, or from its own.
      await this.#addNamed(folder, next, join);
      if (below) await this.#addNamed(folder, `${below}/${next}`, join);
    }
  }

  /** Reads a file once: its hash and the names in it are of the same bytes. */
  async #read(place: string, path: string): Promise<readonly string[]> {
    if (this.sources.has(place)) return [];
    this.sources.set(place, path);
    const { sha, bytes, names } = await contentOf(this.#files, path);
    this.#packed.set(place, { path: place, sha, bytes });
    return names;
  }

  /** @param named  whether the folder itself was asked for, so that its name is a part of the work */
  #folder(path: string, named = false): string {
    const identity = this.#files.identify(path) ?? path;
    const known = this.#folders.get(identity);
    if (known) return known;
    const place = `in/${this.#folders.size}${named ? `/${identity.slice(identity.lastIndexOf('/') + 1) || 'root'}` : ''}`;
    this.#folders.set(identity, place);
    return place;
  }
}

async function contentOf(
  files: Files,
  path: string,
): Promise<{ sha: string; bytes: number; names: readonly string[] }> {
  const { bytes } = files.stat(path);
  const hash = createHash('sha256');
  const scanner = nameScanner(path);
  for (let at = 0; at < bytes; at += CHUNK) {
    const part = files.readRange(path, at, Math.min(bytes, at + CHUNK));
    hash.update(part);
    scanner?.push(part);
    if (at + CHUNK < bytes) await new Promise((turn) => setImmediate(turn));
  }
  return { sha: hash.digest('hex'), bytes, names: scanner?.end() ?? [] };
}

function outputName(files: Files, path: string, writes: readonly string[]): string {
  const name = files.paths.basename(path);
  if (writes.filter((other) => files.paths.basename(other) === name).length > 1) {
    throw new UsageError(`two outputs are called '${name}'; give them names that differ`);
  }
  return `${OUTPUT_FOLDER}/${name}`;
}

/** Options with every path replaced, wherever it stands in a value. */
function withPaths(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renamed.get(value) ?? value;
  if (Array.isArray(value)) return value.map((entry) => withPaths(entry, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withPaths(entry, renamed)]));
}

/**
 * Options that were given and are not the defaults: two requests that mean the same have the same ones. Defaults are not
 * added, for a command refuses what its method would ignore.
 */
async function chosen(request: unknown, command: CommandName, values: object): Promise<object> {
  const { options } = await COMMANDS[command].table();
  const given = (request as { options?: Readonly<Record<string, unknown>> }).options ?? {};
  const defaults = options as Readonly<Record<string, { readonly default?: unknown }>>;
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => given[name] !== undefined && canonical(value) !== canonical(defaults[name]?.default),
    ),
  );
}

function byPath(a: PackedFile, b: PackedFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** JSON with the keys of every object in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}
