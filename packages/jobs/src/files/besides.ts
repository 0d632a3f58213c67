import type { Files } from './files.ts';

/**
 * Gives the files that a file names (buffers, material libraries, textures), from inside its own folder only: a path or
 * a link that leads elsewhere is as good as absent, and is told. This is the one place where that rule is kept.
 *
 * @param path  the file that does the naming
 */
export function besides(
  files: Files,
  path: string,
  warn: (message: string) => void,
): (named: string) => Uint8Array | undefined {
  return (named) => {
    const folder = files.identify(files.paths.dirname(path));
    const file = folder && files.identify(files.paths.join(folder, named));
    if (!folder || !file) return undefined;
    if (!file.startsWith(folder.endsWith('/') ? folder : `${folder}/`)) {
      warn(`'${path}' names '${named}', which leads outside its folder and is not read`);
      return undefined;
    }
    return files.stat(file).kind === 'file' ? files.read(file) : undefined;
  };
}
