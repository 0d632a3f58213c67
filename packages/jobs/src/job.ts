import type { RunContext } from '@pelt/model';
import type { Files } from './files/files.ts';
import type { Outputs } from './outputs/outputs.ts';

/** What the work of a command gets from whoever runs it. */
export interface Job {
  readonly files: Files;
  readonly outputs: Outputs;
  readonly context: RunContext;
  /** Tells of something that was mended, skipped or lost; the report lists it too. */
  warn(message: string): void;
  /** Most threads to use; the result does not depend on it. */
  readonly threads: number;
}

/** Seconds that an action took, and what it gave. */
export async function timed<T>(action: () => T | Promise<T>): Promise<[result: T, seconds: number]> {
  const started = performance.now();
  const result = await action();
  return [result, (performance.now() - started) / 1000];
}
