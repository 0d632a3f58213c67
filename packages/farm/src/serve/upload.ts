/** Bytes from a client into the store. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { isSystemError } from '../engine/execute-job.ts';
import { cannotStore } from '../machine/disk.ts';
import type { FolderStore } from '../store/folder-store.ts';
import { receive } from './receive.ts';

export interface UploadLimits {
  /** Bytes of one upload. */
  readonly largestUpload: number;
  /** Milliseconds in which a client must make progress. */
  readonly uploadPatience: number;
}

export async function upload(
  request: IncomingMessage,
  store: FolderStore,
  { largestUpload, uploadPatience }: UploadLimits,
): Promise<{ sha: string; bytes: number }> {
  const tooLarge = `an upload has at most ${largestUpload} bytes`;
  const limits = { largest: largestUpload, tooLarge, patience: uploadPatience };
  const scratch = await store.scratch();
  try {
    const path = join(scratch.folder, 'upload');
    const hash = createHash('sha256');
    const bytes = await receive(request, createWriteStream(path), limits, (part) => hash.update(part));
    const sha = hash.digest('hex');
    await store.putInput(sha, path);
    return { sha, bytes };
  } catch (error) {
    throw isSystemError(error) ? cannotStore(store.folder, error) : error;
  } finally {
    await scratch.release();
  }
}
