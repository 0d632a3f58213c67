/**
 * Where a job's results go. A job reserves and writes; whether what was written becomes visible is decided by whoever
 * runs the job, when it has ended.
 */

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
}

export interface Outputs {
  /** Makes sure, before any work is done, that a file can be written. */
  reserve(path: string): void;
  /** Writes a file; one that was written already is replaced. */
  write(path: string, bytes: Uint8Array): void;
  /** Writes more behind what was written to a file; the bytes may be overwritten when it returns. */
  append(path: string, bytes: Uint8Array): void;
  /** What was written so far, in the order in which it was first named. */
  readonly written: readonly WrittenFile[];
}

export function totalBytes({ written }: Outputs): number {
  return written.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Results in memory: path → bytes, as they were named.
 *
 * @example
 * {@includeCode ../../examples/run-job.ts}
 */
export class MemoryOutputs implements Outputs {
  readonly files = new Map<string, Uint8Array>();

  reserve(_path: string): void {}

  write(path: string, bytes: Uint8Array): void {
    this.files.set(path, bytes);
  }

  append(path: string, bytes: Uint8Array): void {
    const before = this.files.get(path) ?? new Uint8Array(0);
    const joined = new Uint8Array(before.length + bytes.length);
    joined.set(before);
    joined.set(bytes, before.length);
    this.files.set(path, joined);
  }

  get written(): readonly WrittenFile[] {
    return Array.from(this.files, ([path, { length }]) => ({ path, bytes: length }));
  }
}
