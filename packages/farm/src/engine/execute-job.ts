/**
 * A packed job from its inputs to its place in the store. It may be run twice, when a worker was thought dead and is not;
 * the store takes one of the results, and they are the same.
 */
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { OUTPUT_FOLDER, type PackedJob } from '../pack/pack-job.ts';
import { FolderStore } from '../store/folder-store.ts';
import { MARKER, REPORT, type Store } from '../store/store.ts';
import { type ChildOptions, type RunEnd, runChild } from './run-child.ts';

export interface ExecuteOptions extends Omit<ChildOptions, 'cwd'> {
  /** Where the files of the job lie on this machine; without it they come from the store. */
  readonly sources?: ReadonlyMap<string, string> | undefined;
}

/** How a job ended, and whether it had been computed before. */
export type JobEnd = RunEnd & { readonly cached?: boolean };

export async function executeJob(job: PackedJob, store: Store, options: ExecuteOptions): Promise<JobEnd> {
  if (await store.find(job.key)) return { state: 'done', report: {}, cached: true };
  const scratch = store instanceof FolderStore ? await store.scratch() : await mkdtemp(join(tmpdir(), 'pelt-job-'));
  try {
    await bringInputs(job, store, scratch, options.sources);
    const result = join(scratch, OUTPUT_FOLDER);
    await mkdir(result);
    await writeFile(join(scratch, MARKER), JSON.stringify(job.request));
    const end = await runChild(MARKER, { ...options, cwd: scratch });
    if (end.state !== 'done') return end;
    const { key, request, files } = job;
    await writeFile(join(result, REPORT), `${JSON.stringify(end.report, undefined, 2)}\n`);
    await writeFile(
      join(result, MARKER),
      `${JSON.stringify({ key, request, files: await readdir(result), inputs: files }, undefined, 2)}\n`,
    );
    // Published under a name of its own, so that the scratch folder can go whatever happens.
    const ready = store instanceof FolderStore ? await store.scratch() : `${scratch}-result`;
    await rename(result, ready);
    await store.publish(key, ready);
    if (!(store instanceof FolderStore)) await rm(ready, { recursive: true, force: true });
    return end;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function bringInputs(
  { files }: PackedJob,
  store: Store,
  scratch: string,
  sources: ReadonlyMap<string, string> | undefined,
): Promise<void> {
  for (const { path, sha } of files) {
    const target = join(scratch, path);
    await mkdir(dirname(target), { recursive: true });
    const source = sources?.get(path);
    if (source) await symlink(resolve(source), target);
    else await store.fetchInput(sha, target);
  }
}
