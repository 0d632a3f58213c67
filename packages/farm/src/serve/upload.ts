/** Bytes from a client into the store, with limits on how many they are and how long they take. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isSystemError } from '../engine/execute-job.ts';
import { cannotStore } from '../machine/disk.ts';
import type { FolderStore } from '../store/folder-store.ts';
import { Refusal } from './refusal.ts';

export interface UploadLimits {
  /** Bytes of one upload. */
  readonly largestUpload: number;
  /** Milliseconds in which a client must bring `SLOWEST_BYTES`. */
  readonly uploadPatience: number;
}

/** Less than the slowest connection brings in half a minute. */
const SLOWEST_BYTES = 16 << 10;

export async function upload(
  request: IncomingMessage,
  store: FolderStore,
  { largestUpload, uploadPatience }: UploadLimits,
): Promise<{ sha: string; bytes: number }> {
  const tooLarge = () => new Refusal(413, `an upload has at most ${largestUpload} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > largestUpload) throw tooLarge();
  const scratch = await store.scratch();
  const path = join(scratch.folder, 'upload');
  const hash = createHash('sha256');
  let [bytes, before] = [0, 0];
  const counted = new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > largestUpload ? tooLarge() : null, chunk);
    },
  });
  const stop = new AbortController();
  const timer = setInterval(() => {
    if (bytes - before < SLOWEST_BYTES) stop.abort();
    before = bytes;
  }, uploadPatience);
  try {
    await pipeline(request, counted, createWriteStream(path), { signal: stop.signal });
    const sha = hash.digest('hex');
    await store.putInput(sha, path);
    return { sha, bytes };
  } catch (error) {
    if (stop.signal.aborted) throw new Refusal(408, 'the upload is too slow; send it again');
    throw isSystemError(error) ? cannotStore(store.folder, error) : error;
  } finally {
    clearInterval(timer);
    await scratch.release();
  }
}
