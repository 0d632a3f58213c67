/** The marker of a result: what the job was, and size and hash of every file, by which damage is found. */
import { join } from 'node:path';
import type { Disk } from '../machine/disk.ts';
import { hexadecimal, MARKER, type StoredFile, type StoredObject } from './store.ts';

/** Names of results are names: no folders, nothing hidden by a dot, no characters that a system reads as more. */
const NAME = /^(?!\.)[^/\\:\0]{1,255}$/;

/** The text of a marker for the files of a folder, whose hashes are taken now. */
export async function describeResult(
  disk: Disk,
  folder: string,
  about: { readonly key: string; readonly [fact: string]: unknown },
): Promise<string> {
  const names: string[] = [];
  for await (const name of disk.list(folder)) if (name !== MARKER) names.push(name);
  const contents: Record<string, StoredFile> = {};
  for (const name of names.sort()) {
    const path = join(folder, name);
    contents[name] = { bytes: (await disk.entry(path))?.bytes ?? 0, sha: await disk.hash(path) };
  }
  return `${JSON.stringify({ ...about, contents }, undefined, 2)}\n`;
}

/** What a marker says; undefined where it is not one of this key. */
export function readMarker(text: string, key: string): StoredObject | undefined {
  try {
    const { key: own, contents } = JSON.parse(text) as { key?: unknown; contents?: unknown };
    if (own !== key || typeof contents !== 'object' || contents === null || Array.isArray(contents)) return undefined;
    for (const [name, file] of Object.entries(contents as Record<string, Partial<StoredFile> | null>)) {
      if (!NAME.test(name) || name === MARKER || !Number.isSafeInteger(file?.bytes)) return undefined;
      hexadecimal(file?.sha as string);
    }
    const checked = contents as Record<string, StoredFile>;
    return { key, contents: checked, files: [...Object.keys(checked), MARKER].sort() };
  } catch {
    return undefined;
  }
}

/**
 * The result in a folder, where it is whole: a marker, and every file that it names, a file of that size.
 *
 * @param hashes  whether contents are compared as well, which reads all of them
 */
export async function wholeResult(
  disk: Disk,
  folder: string,
  key: string,
  hashes: boolean,
): Promise<StoredObject | undefined> {
  try {
    if ((await disk.entry(folder))?.kind !== 'folder') return undefined;
    if ((await disk.entry(join(folder, MARKER)))?.kind !== 'file') return undefined;
    const found = readMarker(await disk.read(join(folder, MARKER)), key);
    for (const [name, { bytes, sha }] of Object.entries(found?.contents ?? {})) {
      const entry = await disk.entry(join(folder, name));
      if (entry?.kind !== 'file' || entry.bytes !== bytes) return undefined;
      if (hashes && (await disk.hash(join(folder, name))) !== sha) return undefined;
    }
    return found;
  } catch (error) {
    // Taken away while it was looked at.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
