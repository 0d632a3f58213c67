/**
 * Where inputs and results are kept, by their content: `inputs/SHA` and `objects/KEY/…`. A result is there as a whole or
 * not at all, and one that is there never changes; whoever computes the same job again finds it.
 *
 * Nothing is believed because it is there: the marker of a result has the size and hash of each of its files, an input is
 * named by its hash, and both are compared whenever one is used. What is damaged counts as absent and is computed again.
 */
import { InputError, OutputError } from '@pelt/model';
import type { Clock } from '../machine/clock.ts';
import type { Disk } from '../machine/disk.ts';

/** A file of a result, as its marker has it. */
export interface StoredFile {
  readonly bytes: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha: string;
}

/** A result: its files, `report.json` and `job.json`, by name. */
export interface StoredObject {
  readonly key: string;
  readonly files: readonly string[];
  /** Those beside the marker. */
  readonly contents: Readonly<Record<string, StoredFile>>;
}

/** A folder of this machine in which one job runs. */
export interface Scratch {
  readonly folder: string;
  /** Removes it. */
  release(): Promise<void>;
}

export interface Store {
  /** Whether a folder of this machine: then results can be linked. */
  readonly folder: string | undefined;
  /** Of this machine: where jobs run. */
  readonly disk: Disk;
  readonly clock: Clock;
  /** A new folder, which nobody sweeps away before it is released, however long that takes. */
  scratch(): Promise<Scratch>;
  hasInput(sha: string): Promise<boolean>;
  /**
   * Keeps a file of this machine under the hash of its content.
   *
   * @throws ChangedInput where the content has another hash
   */
  putInput(sha: string, path: string): Promise<void>;
  /**
   * Puts an input into a file of this machine.
   *
   * @throws LostInput where the store has none, or one with another content, which it then drops
   */
  fetchInput(sha: string, path: string): Promise<void>;
  find(key: string): Promise<StoredObject | undefined>;
  /**
   * Puts a file of a result into a file of this machine.
   *
   * @throws DamagedResult where it is not what the marker says; the result is then no longer found
   */
  fetch(found: StoredObject, name: string, path: string): Promise<void>;
  /**
   * Makes the files of a folder, which must have a marker, the result of a key. The first publisher wins; what later ones
   * bring is dropped, unless what is there is damaged.
   *
   * @returns whether it was the first
   */
  publish(key: string, folder: string): Promise<boolean>;
}

/** A file that is not what it was when its hash was taken. */
export class ChangedInput extends InputError {
  constructor(path: string) {
    super(`'${path}' changed while it was read; run the batch again when it is complete`);
  }
}

/** An input that the store should have and does not; whoever has the file puts it there again. */
export class LostInput extends OutputError {
  constructor(sha: string) {
    super(`the store has no input ${sha.slice(0, 12)}, or a damaged one; run the batch again`);
  }
}

/** A result that was damaged or removed after it was published; the job is computed again. */
export class DamagedResult extends OutputError {
  constructor(key: string, name: string) {
    super(`'${name}' of the result ${key.slice(0, 12)} is damaged in the store; run the batch again`);
  }
}

/** The file that is written last: a result with it is complete. */
export const MARKER = 'job.json';
export const REPORT = 'report.json';

/** Keys come from queues and requests as well: nothing but a hash may become a part of a path. */
export function hexadecimal(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new InputError(`'${String(key).slice(0, 80)}' is not a SHA-256 in hexadecimal`);
  return key;
}
