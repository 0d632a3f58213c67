/**
 * A path that one file gives for another, as it may be looked up: relative, with forward slashes, below the file's own
 * folder. `undefined` for anything that could leave it: absolute paths, drive letters, `..`, URLs, control characters.
 * Whoever has a file system must still check for links that lead outside.
 */
export function relativePath(path: string): string | undefined {
  const forward = path.replaceAll('\\', '/');
  if (forward === '' || forward.startsWith('/')) return undefined;
  // A colon is a drive letter, a URL's scheme or an NTFS stream; none of them is a name below the folder.
  if (forward.includes(':')) return undefined;
  for (let k = 0; k < forward.length; k++) if (forward.charCodeAt(k) < 32) return undefined;
  const segments = forward.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length === 0 || segments.includes('..')) return undefined;
  return segments.join('/');
}
