/**
 * A job on a queue, and whether it may be believed. Whoever can write to the queue can put anything there, so a worker
 * checks what `serve` checks: files lie in `in/`, results go to `out/`, the request reads and writes nothing else, and the
 * key is that of this very work by this version of pelt. With a shared key jobs are signed as well (HMAC-SHA256), and
 * those of strangers are refused.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { requestFiles } from '@pelt/jobs';
import { UsageError } from '@pelt/model';
import { hexadecimal } from '../store/store.ts';
import { canonical, keyOf, OUTPUT_FOLDER, type PackedFile, type PackedJob } from './pack-job.ts';

/** What a queue carries. */
export interface QueuedJob extends PackedJob {
  /** HMAC-SHA256 of the rest, in hexadecimal. */
  readonly signature?: string;
}

/** No empty part, no `.` and `..`, nothing that a system reads as a drive or a separator. */
const PART = /^(?!\.\.?$)[^/\\:\0]{1,255}$/;
const MOST_FILES = 100_000;

/** @param secret  shared by clients and workers; undefined: not signed */
export function signJob(job: PackedJob, secret: string | undefined): QueuedJob {
  return secret === undefined ? job : { ...job, signature: signatureOf(job, secret) };
}

/**
 * Checks a job from a queue.
 *
 * @param version  of this pelt
 * @throws UsageError that says what is wrong with it
 */
export async function checkQueued(data: unknown, version: string, secret: string | undefined): Promise<PackedJob> {
  const { key, request, files, signature } = (data ?? {}) as Partial<QueuedJob>;
  if (typeof key !== 'string' || !Array.isArray(files) || files.length > MOST_FILES)
    throw refused('it has no key and no files');
  hexadecimal(key);
  const job = { key, request, files: files.map(checkFile) } as PackedJob;
  if (secret !== undefined) {
    const [given, own] = [String(signature ?? ''), signatureOf(job, secret)].map((text) => Buffer.from(text));
    if (given.length !== own.length || !timingSafeEqual(given, own))
      throw refused('its signature is missing or wrong; give the same --job-key to clients and workers');
  }
  if (keyOf(version, job.request, job.files) !== key)
    throw refused(`its key is not that of its work by pelt ${version}; run the same version everywhere`);
  const { reads, writes } = await requestFiles(job.request);
  for (const path of reads) checkPath(path, 'in');
  for (const path of writes) checkPath(path, OUTPUT_FOLDER);
  return job;
}

function checkFile(file: Partial<PackedFile> | null): PackedFile {
  const { path, sha, bytes } = file ?? {};
  if (typeof path !== 'string' || typeof sha !== 'string' || !Number.isSafeInteger(bytes))
    throw refused('a file has no path, hash or size');
  checkPath(path, 'in');
  return { path, sha: hexadecimal(sha), bytes: bytes as number };
}

function checkPath(path: string, folder: string): void {
  const [first, ...rest] = path.split('/');
  if (first !== folder || rest.length === 0 || !rest.every((part) => PART.test(part)))
    throw refused(`'${path.slice(0, 80)}' leads out of its folder`);
}

function refused(why: string): UsageError {
  return new UsageError(`a job of the queue is refused: ${why}`);
}

function signatureOf({ key, request, files }: PackedJob, secret: string): string {
  return createHmac('sha256', secret).update(canonical({ key, request, files })).digest('hex');
}
