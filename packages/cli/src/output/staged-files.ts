/** Files that were written beside their targets, and how they take their places: all together, or none. */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { OutputError } from '@pelt/model';
import { cannotWrite } from './cannot-write.ts';

export interface StagedFile {
  /** The path as it was asked for. */
  readonly target: string;
  /** Where it really goes: links followed. */
  readonly path: string;
  readonly temporary: string;
  /** Undefined for a file that was reserved and never written. */
  bytes: number | undefined;
}

/**
 * Renames what was written to its targets; what was only reserved is dropped. Where one of several renames fails, those
 * before it are taken back: what was there before is kept under another name until all have worked.
 *
 * Nothing interrupts this but the end of the process. Killed between two renames it leaves the old contents beside the
 * new files, as `.NAME.pelt-XXXXXXXX.old`, which nothing removes.
 */
export function commitStaged(staged: readonly StagedFile[]): void {
  const complete = staged.filter(({ bytes }) => bytes !== undefined);
  const placed: { readonly path: string; readonly backup: string | undefined }[] = [];
  for (const { target, path, temporary } of complete) {
    try {
      placed.push({ path, backup: complete.length > 1 ? keepOld(path, temporary) : undefined });
      renameSync(temporary, path);
    } catch (error) {
      takeBack(placed, path);
      throw cannotWrite(target, error);
    }
  }
  for (const { backup } of placed) if (backup) removeQuietly(backup);
  for (const { temporary, bytes } of staged) if (bytes === undefined) removeQuietly(temporary);
}

/** Removes a file, or a folder where it is empty, whatever happens. */
export function removeQuietly(path: string): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(path);
    else rmSync(path, { force: true });
  } catch {
    // It is not ours to complain about: the run has its own end to report.
  }
}

/** A second name for what a target holds; undefined where there is nothing yet. */
function keepOld(path: string, temporary: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) throw new OutputError(found.isDirectory() ? 'it is a folder' : 'it is not a regular file');
  const backup = temporary.replace(/[^-]*\.tmp$/, `${randomBytes(4).toString('hex')}.old`);
  try {
    linkSync(path, backup);
  } catch {
    // Not every file system has links. Then the target is absent for a moment.
    renameSync(path, backup);
  }
  return backup;
}

/** @param failed  the target whose rename failed: where nothing was, nothing came */
function takeBack(
  placed: readonly { readonly path: string; readonly backup: string | undefined }[],
  failed: string,
): void {
  for (const { path, backup } of placed.toReversed()) {
    try {
      if (backup) {
        renameSync(backup, path);
        // Where both are names of one file still, a rename does nothing.
        removeQuietly(backup);
      } else if (path !== failed) rmSync(path, { force: true });
    } catch {
      // The error that led here says more; the old contents stay under the backup's name.
    }
  }
}
