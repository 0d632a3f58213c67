import { OutputError } from '@pelt/model';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder; name a file in it',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  ENOENT: 'its path leads nowhere',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its path is a loop of links',
};

/** What went wrong with a file as one line. */
export function cannotWrite(target: string, error: unknown): OutputError {
  const { code, message } = error as { code?: string; message: string };
  const reason = error instanceof OutputError ? message : (REASONS[code ?? ''] ?? message);
  return new OutputError(`cannot write '${target}': ${reason}`, { cause: error });
}
