/**
 * Where inputs and results are kept, by their content: `inputs/SHA` and `objects/KEY/…`. A result is there as a whole or
 * not at all, and one that is there never changes; whoever computes the same job again finds it.
 */

/** A result: its files, `report.json` and `job.json`, by name. */
export interface StoredObject {
  readonly key: string;
  readonly files: readonly string[];
}

export interface Store {
  /** Whether a folder of this machine: then inputs need no copy, and results can be linked. */
  readonly folder: string | undefined;
  hasInput(sha: string): Promise<boolean>;
  /** Keeps a file of this machine under the hash of its content. */
  putInput(sha: string, path: string): Promise<void>;
  /** Puts an input into a file of this machine. */
  fetchInput(sha: string, path: string): Promise<void>;
  find(key: string): Promise<StoredObject | undefined>;
  /** Puts a file of a result into a file of this machine. */
  fetch(key: string, name: string, path: string): Promise<void>;
  /**
   * Makes the files of a folder the result of a key. The first publisher wins; what later ones bring is dropped.
   *
   * @returns whether it was the first
   */
  publish(key: string, folder: string): Promise<boolean>;
}

/** The file that is written last: a result with it is complete. */
export const MARKER = 'job.json';
export const REPORT = 'report.json';
