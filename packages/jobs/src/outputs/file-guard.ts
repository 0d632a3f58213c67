/**
 * Nothing that a user gave is destroyed: no output may be a file that the job reads, nor another output. This is the
 * only place that implements the rule.
 *
 * The files that a request names are compared before any work is done. What a job finds out as it goes (frames of a folder,
 * material libraries, textures) is compared whenever a file is read or written. Files are told apart by `Files.key`, so
 * that links and other spellings of a path make no difference.
 */
import { UsageError } from '@pelt/model';
import type { Files } from '../files/files.ts';
import type { RequestFiles } from '../request/request-files.ts';
import type { Outputs, WrittenFile } from './outputs.ts';

/** What a job sees of its host's outputs. */
export interface JobOutputs extends Outputs {
  /** Makes sure, before the work is done, that files may be written under all of these names. */
  claim(paths: readonly string[]): void;
  /** Makes sure that files like this one can be written, before it is known how many there will be. */
  probe(path: string): void;
}

export class FileGuard {
  readonly files: Files;
  readonly outputs: JobOutputs;
  readonly #source: Files;
  readonly #target: Outputs;
  readonly #keys = new Map<string, string>();
  /** Key → path as it was given. */
  readonly #read = new Map<string, string>();
  readonly #claimed = new Map<string, string>();
  readonly #written = new Set<string>();
  /** Paths of files that are written in parts. */
  readonly #growing = new Set<string>();

  /** @param hostWrites  files that the host writes beside the outputs of the job, such as its report */
  constructor(files: Files, outputs: Outputs, { reads, writes }: RequestFiles, hostWrites: readonly string[] = []) {
    this.#source = files;
    this.#target = outputs;
    this.files = this.#watchedFiles();
    this.outputs = this.#watchedOutputs();
    for (const path of reads) this.#noteRead(path);
    for (const path of [...hostWrites, ...writes]) {
      if (this.#claimed.has(this.#keyOf(path))) throw twice(this.#claimed.get(this.#keyOf(path)) as string, path);
      this.#claim(path);
    }
    for (const path of hostWrites) this.#written.add(this.#keyOf(path));
  }

  #keyOf(path: string): string {
    const known = this.#keys.get(path) ?? this.#source.key(path);
    this.#keys.set(path, known);
    return known;
  }

  #noteRead(path: string): void {
    const key = this.#keyOf(path);
    const output = this.#claimed.get(key);
    if (output !== undefined) throw replaces(output);
    this.#read.set(key, path);
  }

  #claim(path: string): void {
    const key = this.#keyOf(path);
    if (this.#read.has(key)) throw replaces(path);
    this.#claimed.set(key, path);
  }

  /** Claims a file that is about to be written, once. */
  #begin(path: string): void {
    this.#claim(path);
    const key = this.#keyOf(path);
    if (this.#written.has(key)) throw twice(path, path);
    this.#written.add(key);
  }

  #watchedFiles(): Files {
    const source = this.#source;
    return {
      paths: source.paths,
      list: (folder) => source.list(folder),
      stat: (path) => source.stat(path),
      identify: (path) => source.identify(path),
      key: (path) => source.key(path),
      read: (path) => {
        this.#noteRead(path);
        return source.read(path);
      },
      readRange: (path, start, end, into) => {
        this.#noteRead(path);
        return source.readRange(path, start, end, into);
      },
    };
  }

  #watchedOutputs(): JobOutputs {
    const target = this.#target;
    return {
      claim: (paths) => {
        for (const path of paths) this.#claim(path);
        // The others lie in the same folder; a job of many frames need not create a file for each of them now.
        if (paths.length > 0) target.reserve(paths[0]);
      },
      probe: (path) => target.reserve(path),
      reserve: (path) => {
        this.#claim(path);
        target.reserve(path);
      },
      write: (path, bytes) => {
        if (this.#isUnchangedInput(path, bytes)) return;
        this.#begin(path);
        target.write(path, bytes);
      },
      append: (path, bytes) => {
        if (!this.#growing.has(path)) this.#begin(path);
        this.#growing.add(path);
        target.append(path, bytes);
      },
      get written(): readonly WrittenFile[] {
        return target.written;
      },
    };
  }

  /** A texture that stays beside the mesh that it came with is there already. */
  #isUnchangedInput(path: string, bytes: Uint8Array): boolean {
    const input = this.#read.get(this.#keyOf(path));
    if (input === undefined || this.#source.stat(input).bytes !== bytes.length) return false;
    const present = this.#source.read(input);
    return bytes.every((byte, k) => byte === present[k]);
  }
}

function replaces(output: string): UsageError {
  return new UsageError(`the output '${output}' would replace an input; choose another name`);
}

function twice(a: string, b: string): UsageError {
  const names = a === b ? `two outputs are named '${a}'` : `the outputs '${a}' and '${b}' are one file`;
  return new UsageError(`${names}; choose another name`);
}
