/**
 * Nothing that a user gave is destroyed by a batch: no job writes over what another one reads or writes, or over the batch
 * itself, unless the reader comes after the writer. The rule of single jobs (`FileGuard` of @pelt/jobs), for all of them,
 * before the first one runs.
 */
import { type Files, requestFiles } from '@pelt/jobs';
import { UsageError } from '@pelt/model';
import type { BatchJob } from './read-batch.ts';

export interface BatchGuard {
  /** Tells of files that a job turns out to read, such as material libraries and textures. */
  read(id: string, paths: Iterable<string>): void;
  /** Refuses a file that a job turns out to write beside what its request says, such as frames and textures. */
  check(id: string, path: string): void;
}

/** What a batch reads and writes beside its jobs. */
export interface BatchFiles {
  /** Such as the file with the jobs. */
  readonly reads?: readonly string[] | undefined;
  /** Such as the page about the results. */
  readonly writes?: readonly string[] | undefined;
}

/** @throws UsageError that names the two jobs and the file */
export async function guardBatch(
  jobs: readonly BatchJob[],
  files: Files,
  { reads = [], writes = [] }: BatchFiles = {},
): Promise<BatchGuard> {
  const comesAfter = ancestors(jobs);
  /** Key of a file → who reads it, and by which path. */
  const readers = new Map<string, { readonly id: string | undefined; readonly path: string }[]>();
  const writers = new Map<string, { readonly id: string | undefined; readonly path: string }>();
  const note = (id: string | undefined, path: string) => {
    const key = files.key(path);
    const known = readers.get(key) ?? [];
    if (known.every((reader) => reader.id !== id)) readers.set(key, [...known, { id, path }]);
  };
  const claim = (id: string | undefined, path: string) => {
    const key = files.key(path);
    for (const reader of readers.get(key) ?? []) {
      const ordered = id !== undefined && reader.id !== undefined && comesAfter.get(reader.id)?.has(id);
      if (!ordered) throw replaces(id, path, reader.id);
    }
    const other = writers.get(key);
    if (other && (other.id !== id || id === undefined)) throw twice(other, { id, path });
    writers.set(key, { id, path });
  };
  for (const path of reads) note(undefined, path);
  const named = new Map<string, readonly string[]>();
  for (const { id, request } of jobs) {
    const own = await requestFiles(request);
    named.set(id, own.writes);
    for (const path of own.reads.flatMap((path) => withContents(files, path))) note(id, path);
  }
  for (const [id, paths] of named) for (const path of paths) claim(id, path);
  for (const path of writes) claim(undefined, path);
  return {
    read: (id, paths) => {
      // What a job says it writes was looked at before: it may lie in a folder that is read.
      for (const path of paths) if (!writers.has(files.key(path))) note(id, path);
    },
    check: claim,
  };
}

/** Frames and caches, as a folder of them holds: a result that was put there by an earlier run is none of these. */
const FRAME = /\.(?:obj|ply|pc2|mdd|abc)$/i;

/** A folder with the frames in it; what is not there yet is a path. */
function withContents(files: Files, path: string): string[] {
  try {
    if (files.stat(path).kind !== 'folder') return [path];
    const frames = files.list(path).filter((name) => FRAME.test(name));
    return [path, ...frames.map((name) => files.paths.join(path, name))];
  } catch {
    return [path];
  }
}

/** Every job with all those that end before it begins. */
function ancestors(jobs: readonly BatchJob[]): Map<string, Set<string>> {
  const after = new Map(jobs.map((job) => [job.id, job.after]));
  const known = new Map<string, Set<string>>();
  for (const { id } of jobs) {
    const all = new Set<string>();
    const open = [...(after.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (all.has(next)) continue;
      all.add(next);
      open.push(...(after.get(next) ?? []));
    }
    known.set(id, all);
  }
  return known;
}

function replaces(writer: string | undefined, path: string, reader: string | undefined): UsageError {
  const who = writer === undefined ? `'${path}'` : `the output '${path}' of '${writer}'`;
  if (reader === undefined) return new UsageError(`${who} would replace the batch itself; choose another name`);
  const cure = writer === undefined ? '' : `, or let '${reader}' come after '${writer}'`;
  return new UsageError(`${who} would replace an input of '${reader}'; choose another name${cure}`);
}

function twice(
  a: { readonly id: string | undefined; readonly path: string },
  b: { readonly id: string | undefined; readonly path: string },
): UsageError {
  const paths = a.path === b.path ? `'${a.path}'` : `'${a.path}' and '${b.path}', which are one file`;
  if (b.id === undefined) return new UsageError(`${paths} is the output of '${a.id}'; choose another name`);
  return new UsageError(`'${a.id}' and '${b.id}' both write ${paths}; choose another name`);
}
