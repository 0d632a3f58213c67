/** What every reader takes beside the bytes. */
export interface ReadOptions {
  /** The file's name, for messages and for the name of what is read. */
  readonly name: string;
  /** Told of everything that was mended, skipped or left out. */
  readonly onWarning: ((message: string) => void) | undefined;
}

export const READ_DEFAULTS: ReadOptions = { name: '', onWarning: undefined };

/** A file that a writer made. */
export interface OutputFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How messages call a file: `OBJ 'arm.obj'`. */
export function fileLabel(kind: string, name: string): string {
  return name ? `${kind} '${name}'` : `${kind} file`;
}

/** The part of a path after its last separator. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** A file's name without folder and extension: what its mesh is called. */
export function stemOf(path: string): string {
  const base = baseName(path);
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}
