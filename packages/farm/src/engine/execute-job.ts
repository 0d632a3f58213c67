/**
 * A packed job from its inputs to its place in the store. It may be run twice, when a worker was thought dead and is not;
 * the store takes one of the results, and they are the same.
 */
import { dirname, join, resolve } from 'node:path';
import { cannotStore } from '../machine/disk.ts';
import { OUTPUT_FOLDER, type PackedJob } from '../pack/pack-job.ts';
import { describeResult } from '../store/marker.ts';
import { ChangedInput, LostInput, MARKER, REPORT, type Store } from '../store/store.ts';
import type { JobEvent, RunEnd } from './run-child.ts';

/** Runs the request that lies in a folder as `job.json`, there. */
export type Runner = (
  folder: string,
  options: { readonly signal: AbortSignal; readonly onEvent: (event: JobEvent) => void },
) => Promise<RunEnd>;

export interface ExecuteOptions {
  readonly run: Runner;
  readonly signal: AbortSignal;
  readonly onEvent: (event: JobEvent) => void;
  /** Where files of the job lie on this machine; the others come from the store. */
  readonly sources?: ReadonlyMap<string, string> | undefined;
}

/** How a job ended, and whether it had been computed before. */
export type JobEnd = RunEnd & { readonly cached?: boolean };

/**
 * @throws ChangedInput where a file is not what the key was made of
 * @throws LostInput where the store lacks an input
 */
export async function executeJob(job: PackedJob, store: Store, options: ExecuteOptions): Promise<JobEnd> {
  if (await store.find(job.key)) return { state: 'done', report: {}, cached: true };
  const { disk } = store;
  const scratch = await store.scratch();
  try {
    const { folder } = scratch;
    await bringInputs(job, store, folder, options.sources);
    const result = join(folder, OUTPUT_FOLDER);
    await disk.makeFolder(result);
    await disk.write(join(folder, MARKER), JSON.stringify(job.request));
    const { signal, onEvent } = options;
    const end = await options.run(folder, { signal, onEvent });
    if (end.state !== 'done') return end;
    await requireUnchanged(job, store, folder, options.sources);
    const { key, request, files } = job;
    await disk.write(join(result, REPORT), `${JSON.stringify(end.report, undefined, 2)}\n`);
    await disk.write(join(result, MARKER), await describeResult(disk, result, { key, request, inputs: files }));
    await store.publish(key, result);
    return end;
  } catch (error) {
    // Whatever a disk refuses is the end of this job, and of no other.
    throw isSystemError(error) ? cannotStore(store.folder ?? scratch.folder, error) : error;
  } finally {
    await scratch.release();
  }
}

/**
 * Inputs of a store are linked, not copied, so that whatever damages one there damages it here: a result counts only if
 * they are still what they were when the work is done.
 */
async function requireUnchanged(
  { files }: PackedJob,
  { disk }: Store,
  folder: string,
  sources: ReadonlyMap<string, string> | undefined,
): Promise<void> {
  for (const { path, sha } of files) {
    if (sources?.has(path)) continue;
    if ((await disk.hash(join(folder, path))) !== sha) throw new LostInput(sha);
  }
}

export function isSystemError(error: unknown): boolean {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

/**
 * Copies of all inputs, with the hashes that the key was made of: whatever happens to a file afterwards, the job reads what
 * its key says.
 */
async function bringInputs(
  { files }: PackedJob,
  store: Store,
  folder: string,
  sources: ReadonlyMap<string, string> | undefined,
): Promise<void> {
  const { disk } = store;
  for (const { path, sha } of files) {
    const target = join(folder, path);
    const source = sources?.get(path);
    if (source === undefined) {
      await store.fetchInput(sha, target);
      continue;
    }
    await disk.makeFolder(dirname(target));
    try {
      await disk.copy(resolve(source), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ChangedInput(source);
      throw error;
    }
    if ((await disk.hash(target)) !== sha) throw new ChangedInput(source);
  }
}
