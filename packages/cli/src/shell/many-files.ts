/**
 * One request for many files: where the output is a folder (`out/`) or has a star (`out/*.fbx`), every input is a job of
 * its own and the star is the name of its file. Inputs are files, folders of characters, and patterns that the shell
 * has left (`'models/*.glb'`).
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { InputError, UsageError } from '@pelt/model';

export interface OneFile {
  readonly input: string;
  readonly output: string;
}

/** What of a folder is taken. */
const CHARACTERS = /\.(glb|gltf|fbx|vrm|abc)$/i;

/** Whether the output asks for a file per input. */
export function isForMany(output: string): boolean {
  return /[\\/]$/.test(output) || basename(output).includes('*');
}

/** The jobs of the inputs, in their order, each file once. */
export function filesOfMany(inputs: readonly string[], output: string): OneFile[] {
  const pattern = /[\\/]$/.test(output) ? join(output, '*.glb') : output;
  const found = [...new Set(inputs.flatMap(expand))];
  const jobs = found.map((input) => ({ input, output: outputOf(input, pattern) }));
  const seen = new Map<string, string>();
  for (const job of jobs) {
    const other = seen.get(job.output);
    if (other !== undefined) {
      throw new UsageError(
        `'${other}' and '${job.input}' would both be written to '${job.output}'; rename one of them`,
      );
    }
    seen.set(job.output, job.input);
  }
  return jobs;
}

function outputOf(input: string, pattern: string): string {
  const name = basename(input, extname(input));
  return join(
    dirname(pattern),
    basename(pattern).replace('*', () => name),
  );
}

function expand(input: string): string[] {
  const stat = statSync(input, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    const names = readdirSync(input).filter((name) => CHARACTERS.test(name));
    if (names.length === 0) throw new InputError(`'${input}' has no glTF, FBX, VRM or Alembic file`);
    return names.sort().map((name) => join(input, name));
  }
  if (stat || !/[*?]/.test(basename(input))) return [input];
  const matches = filesLike(input);
  if (matches.length === 0) throw new InputError(`no file matches '${input}'`);
  return matches;
}

/** Files of one folder by a pattern: `*` for any characters, `?` for one. */
function filesLike(pattern: string): string[] {
  const folder = dirname(pattern);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const source = basename(pattern)
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const form = new RegExp(`^${source}$`);
  const names = readdirSync(folder).filter((name) => form.test(name) && !name.startsWith('.'));
  return names.sort().map((name) => join(folder, name));
}
