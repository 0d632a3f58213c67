/** The glTF and FBX files of a job: each is opened once. Readers are loaded with the first, since many jobs have none. */
import type { Job } from '../job.ts';
import type { AnimationFile } from './animation-file.ts';
import type { SourceFile } from './source-files.ts';

interface Entry {
  readonly file: Promise<AnimationFile>;
  readonly warnings: readonly string[];
}

/**
 * The files that were opened for a job, or for whoever shows its results.
 * @example
 * {@includeCode ../../examples/opened-files.ts}
 */
export class OpenedFiles {
  readonly #entries = new Map<string, Entry>();

  /** Whoever asks hears what was wrong with the file, however often that is. */
  async open({ path, format }: SourceFile, { files, warn }: Pick<Job, 'files' | 'warn'>): Promise<AnimationFile> {
    let entry = this.#entries.get(path);
    if (!entry) {
      const warnings: string[] = [];
      entry = { file: parse(path, format, files, (message) => warnings.push(message)), warnings };
      this.#entries.set(path, entry);
    }
    try {
      return await entry.file;
    } finally {
      for (const message of entry.warnings) warn(message);
    }
  }
}

async function parse(
  ...file: Parameters<typeof import('./animation-file.ts').parseAnimationFile>
): Promise<AnimationFile> {
  const { parseAnimationFile } = await import('./animation-file.ts');
  return parseAnimationFile(...file);
}
