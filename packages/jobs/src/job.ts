import type { RunContext } from '@pelt/model';
import type { Files } from './files/files.ts';
import type { JobOutputs } from './outputs/file-guard.ts';

/** As `fbxToGlb` of @pelt/fbx, which hosts load when it is called, for it is large. */
export type ConvertFbx = (
  bytes: Uint8Array,
  options: {
    readonly name: string;
    readonly resolve: (path: string) => Uint8Array | undefined;
    readonly onWarning: (message: string) => void;
  },
) => Promise<Uint8Array>;

/** What the work of a command gets from whoever runs it. */
export interface Job {
  readonly files: Files;
  readonly outputs: JobOutputs;
  readonly context: RunContext;
  /** Turns an FBX into a GLB; absent where the host cannot. */
  readonly convertFbx?: ConvertFbx | undefined;
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
