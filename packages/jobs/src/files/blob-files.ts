import { cannotRead } from './files.ts';
import { StoredFiles } from './stored-files.ts';

/** What is used of a browser's `Blob` and `File`. */
export interface BlobLike {
  readonly size: number;
  slice(start: number, end: number): BlobLike;
}

/** Only workers of browsers have it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: BlobLike): ArrayBuffer;
}

/**
 * Files that a user chose or dropped on a page: path → blob. They stay on the disk until a part of one is read. For
 * workers only: nowhere else can a blob be read without waiting.
 *
 * @example
 * {@includeCode ../../examples/files.ts}
 */
export class BlobFiles extends StoredFiles<BlobLike> {
  protected override sizeOf(blob: BlobLike): number {
    return blob.size;
  }

  protected override bytesOf(blob: BlobLike, start: number, end: number): Uint8Array<ArrayBuffer> {
    try {
      return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(start, end)));
    } catch (error) {
      throw cannotRead((blob as { name?: string }).name ?? 'a file', (error as Error).message, error);
    }
  }
}
