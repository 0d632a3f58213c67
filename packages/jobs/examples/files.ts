import { BlobFiles, cannotRead, type Files, MemoryFiles, POSIX_PATHS } from '@pelt/jobs';

// What a user dropped on a page: kept as blobs, whose bytes a worker reads when they are needed.
const dropped = new BlobFiles({ 'scan/1.ply': new Blob(['ply\n']), 'scan/2.ply': new Blob(['ply\n']) });
if (dropped.list('scan').length !== 2 || dropped.stat('scan/1.ply').bytes !== 4) throw new Error('folders follow');

// Files from anywhere else: an archive that is unpacked file by file.
class ArchiveFiles implements Files {
  readonly paths = POSIX_PATHS;
  readonly #unpacked = new MemoryFiles();
  readonly #unpack: (path: string) => Uint8Array<ArrayBuffer> | undefined;

  constructor(unpack: (path: string) => Uint8Array<ArrayBuffer> | undefined) {
    this.#unpack = unpack;
  }

  read(path: string): Uint8Array<ArrayBuffer> {
    const bytes = this.#unpack(path);
    if (!bytes) throw cannotRead(path, 'it is not in the archive');
    this.#unpacked.set(path, bytes);
    return bytes;
  }
  readRange(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
    return this.read(path).subarray(start, end);
  }
  stat(path: string) {
    return { kind: 'file', bytes: this.read(path).length } as const;
  }
  list(folder: string): readonly string[] {
    return this.#unpacked.list(folder);
  }
  key(path: string): string {
    return path;
  }

  identify(path: string): string | undefined {
    return `/${path}`;
  }
}

const archive = new ArchiveFiles((path) => (path === 'rest.obj' ? new TextEncoder().encode('v 0 0 0\n') : undefined));
if (archive.stat('rest.obj').bytes !== 8) throw new Error('unpacked on demand');
