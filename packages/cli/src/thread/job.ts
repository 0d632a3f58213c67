import type { RunContext } from '@pelt/model';
import type { OutputSet } from '../output/output-set.ts';

/** What a command's work gets from the thread it runs in. */
export interface Job {
  readonly context: RunContext;
  /** Tells the user of something that was mended, skipped or lost; the report lists it too. */
  warn(message: string): void;
  readonly outputs: OutputSet;
}

/** Seconds that an action took, and what it gave. */
export async function timed<T>(action: () => T | Promise<T>): Promise<[result: T, seconds: number]> {
  const started = performance.now();
  const result = await action();
  return [result, (performance.now() - started) / 1000];
}
