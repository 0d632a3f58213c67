/** What the two threads of a command say to each other: plain data only. */
import type { Progress } from '@pelt/model';
import type { StagedFile } from '../output/staged-files.ts';

/** Main thread → worker, when it starts. */
export interface JobOrder {
  /** Checked by the job itself. */
  readonly request: unknown;
  readonly threads: number | undefined;
  /** Bytes of memory that the job may use; undefined: what the machine has. */
  readonly memory: number | undefined;
  /** Seconds after which the main thread ends the work; undefined: never. */
  readonly maxTime?: number | undefined;
  /** Whether memory may not decide how the work is done, for a result that is the same on every machine. */
  readonly portable?: boolean;
  /** Where the report goes as a file too. */
  readonly reportFile: string | undefined;
  /** One Int32; not 0: stop. */
  readonly cancel: SharedArrayBuffer;
}

/** What is left when the work is done. */
export interface Done {
  readonly report: object;
  /** To be renamed, all or none. */
  readonly staged: readonly StagedFile[];
}

/** An error across the border between threads, where classes are lost. */
export interface PlainError {
  readonly message: string;
  readonly exitCode: number;
  readonly stack: string;
}

/** Worker → main thread. */
export type JobMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'warning'; readonly message: string }
  /** About to be made: to be removed unless the work ends well. */
  | { readonly type: 'temporary'; readonly path: string }
  | { readonly type: 'done'; readonly done: Done }
  | { readonly type: 'failed'; readonly error: PlainError };
