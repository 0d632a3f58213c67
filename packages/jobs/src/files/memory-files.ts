import { StoredFiles } from './stored-files.ts';

/**
 * Files in memory: path → bytes.
 *
 * @example
 * {@includeCode ../../examples/run-job.ts}
 */
export class MemoryFiles extends StoredFiles<Uint8Array<ArrayBuffer>> {
  protected override sizeOf(stored: Uint8Array<ArrayBuffer>): number {
    return stored.length;
  }

  protected override bytesOf(stored: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
    return stored.subarray(start, end);
  }
}
