/**
 * Runs a batch: every job when those before it have ended, whatever was computed before taken from the store, results
 * put where the batch wants them. A batch that was stopped is run again and goes on where it was.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Files } from '@pelt/jobs';
import { exitCodeOf, PeltError, type Progress } from '@pelt/model';
import type { Engine } from '../engine/engine.ts';
import { physicalPath } from '../files/node-files.ts';
import { packJob } from '../pack/pack-job.ts';
import { MARKER, REPORT, type Store } from '../store/store.ts';
import type { BatchJob } from './read-batch.ts';

export type State = 'waiting' | 'running' | 'done' | 'cached' | 'failed' | 'skipped' | 'cancelled';

/** How a job stands, and in the end how it ended. */
export interface JobState {
  readonly id: string;
  readonly command: string;
  readonly output: string | undefined;
  readonly state: State;
  readonly progress?: Progress;
  /** From its start to its end. */
  readonly seconds?: number;
  readonly key?: string;
  /** Of all files of the result. */
  readonly bytes?: number;
  readonly report?: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

export interface BatchRun {
  readonly engine: Engine;
  readonly store: Store;
  readonly files: Files;
  /** Of pelt. */
  readonly version: string;
  readonly signal: AbortSignal;
  readonly onChange?: (state: JobState) => void;
}

/**
 * Runs the jobs of a batch.
 *
 * @param jobs  N, in any order
 * @returns how each ended, in the order of the batch
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export async function runBatch(jobs: readonly BatchJob[], run: BatchRun): Promise<JobState[]> {
  const ends = new Map<string, Promise<JobState>>();
  const start = (job: BatchJob): Promise<JobState> => {
    const known = ends.get(job.id);
    if (known) return known;
    const before = jobs.filter(({ id }) => job.after.includes(id));
    const end = Promise.all(before.map(start)).then((ended) => runOne(job, ended, run));
    ends.set(job.id, end);
    return end;
  };
  return Promise.all(jobs.map(start));
}

const SUCCEEDED: readonly State[] = ['done', 'cached'];

/**
 * Whether a job has a result.
 *
 * @example
 * {@includeCode ../../examples/farm.ts}
 */
export function hasSucceeded({ state }: Pick<JobState, 'state'>): boolean {
  return SUCCEEDED.includes(state);
}

async function runOne(job: BatchJob, before: readonly JobState[], run: BatchRun): Promise<JobState> {
  let now: JobState = { id: job.id, command: job.request.command, output: job.output, state: 'waiting' };
  const warnings: string[] = [];
  const change = (next: Partial<JobState>): JobState => {
    now = { ...now, ...next };
    run.onChange?.(now);
    return now;
  };
  const failed = before.find((state) => !hasSucceeded(state));
  if (failed) return change({ state: 'skipped', message: `'${failed.id}' did not succeed` });
  if (run.signal.aborted) return change({ state: 'cancelled' });
  let started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const packed = await packJob(job.request, run.files, run.version);
    const { key } = packed.job;
    change({ key });
    const found = await run.store.find(key);
    const end = found
      ? ({ state: 'done', cached: true } as const)
      : await run.engine.run(packed, {
          priority: job.priority,
          signal: run.signal,
          onStart: () => {
            started = performance.now();
            change({ state: 'running' });
          },
          onEvent: (event) => {
            if (event.type === 'warning') warnings.push(event.message);
            else change({ progress: event.progress });
          },
        });
    if (end.state === 'cancelled') return change({ state: 'cancelled' });
    if (end.state === 'failed') {
      return change({ state: 'failed', seconds: seconds(), exitCode: end.exitCode, message: end.message, warnings });
    }
    const { bytes, report } = await deliver(key, job.output, run.store);
    return change({ state: end.cached ? 'cached' : 'done', seconds: seconds(), bytes, report, warnings });
  } catch (error) {
    if (!(error instanceof PeltError)) throw error;
    return change({ state: 'failed', seconds: seconds(), exitCode: exitCodeOf(error), message: error.message });
  }
}

/** Copies a result to where it is wanted: all of its files or none. */
async function deliver(
  key: string,
  output: string | undefined,
  store: Store,
): Promise<{ bytes: number; report: Record<string, unknown> }> {
  const found = await store.find(key);
  if (!found) throw new Error(`the result ${key} vanished from the store`);
  const suffix = `.pelt-${randomBytes(4).toString('hex')}.tmp`;
  const staged: [string, string][] = [];
  let bytes = 0;
  try {
    for (const name of output === undefined ? [] : found.files) {
      if (name === MARKER || name === REPORT) continue;
      const target = physicalPath(`${dirname(output ?? '')}/${name}`);
      await mkdir(dirname(target), { recursive: true });
      const temporary = join(dirname(target), `.${basename(target).slice(0, 60)}${suffix}`);
      staged.push([temporary, target]);
      await store.fetch(key, name, temporary);
      bytes += (await stat(temporary)).size;
    }
    for (const [temporary, target] of staged) await rename(temporary, target);
  } finally {
    for (const [temporary] of staged) await rm(temporary, { force: true });
  }
  return { bytes, report: await readReport(key, store) };
}

async function readReport(key: string, store: Store): Promise<Record<string, unknown>> {
  const path = join(tmpdir(), `pelt-report-${randomBytes(8).toString('hex')}.json`);
  try {
    await store.fetch(key, REPORT, path);
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } finally {
    await rm(path, { force: true });
  }
}
