/** Files from a drop, a folder or the file dialog, with the paths that they have in it. */
import type { StoredFile } from '../store/library.ts';

/** Files that a folder brings along, at most: a slip of the hand should not read a whole disk. */
const MOST_FILES = 20_000;

export function chooseFiles(take: (files: StoredFile[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.onchange = () => {
    const files = Array.from(input.files ?? [], (blob) => ({ path: blob.webkitRelativePath || blob.name, blob }));
    if (files.length > 0) take(files);
  };
  input.click();
}

export async function droppedFiles(transfer: DataTransfer): Promise<StoredFile[]> {
  // Entries are gone after the first wait: all are asked for before it.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return Array.from(transfer.files, (blob) => ({ path: blob.name, blob }));
  const found: StoredFile[] = [];
  for (const entry of entries) await collect(entry, '', found);
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: StoredFile[]): Promise<void> {
  if (found.length >= MOST_FILES || entry.name.startsWith('.')) return;
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.isFile) {
    const blob = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ path, blob });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives a hundred at a time, and none when it is done.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const child of some) await collect(child, path, found);
  }
}
