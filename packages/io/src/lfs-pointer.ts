import { InputError } from '@pelt/model';

const POINTER = 'version https://git-lfs.github.com/spec/';

/** Refuses the few lines of text that Git leaves in place of a large file it was told not to fetch. */
export function refuseLfsPointer(name: string, bytes: Uint8Array): void {
  for (let k = 0; k < POINTER.length; k++) if (bytes[k] !== POINTER.charCodeAt(k)) return;
  throw new InputError(`'${name}' is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'`);
}
