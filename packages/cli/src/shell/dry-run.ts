/** What a command would read, write and do: the request is checked and completed, nothing is computed or written. */
import { statSync } from 'node:fs';
import { checkRequest, requestFiles } from '@pelt/jobs';
import { InputError } from '@pelt/model';
import { formatBytes } from '../terminal/amounts.ts';

export interface DryRun {
  readonly dryRun: true;
  readonly command: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly reads: readonly { readonly file: string; readonly bytes?: number }[];
  readonly writes: readonly { readonly file: string; readonly exists: boolean }[];
}

export async function dryRun(request: unknown): Promise<DryRun> {
  const { command, checked } = await checkRequest(request);
  const { reads, writes } = await requestFiles(request);
  return {
    dryRun: true,
    command,
    options: checked.options,
    reads: reads.map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      if (!found) throw new InputError(`'${file}' does not exist; check its path`);
      return found.isDirectory() ? { file } : { file, bytes: found.size };
    }),
    writes: writes.map((file) => ({ file, exists: statSync(file, { throwIfNoEntry: false }) !== undefined })),
  };
}

export function dryRunLines({ command, options, reads, writes }: DryRun): string[] {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return [
    `${command} would`,
    ...reads.map(
      ({ file, bytes }) => `  read   ${file}${bytes === undefined ? ' (a folder)' : ` (${formatBytes(bytes)})`}`,
    ),
    ...writes.map(({ file, exists }) => `  write  ${file}${exists ? ' (in place of what is there)' : ''}`),
    ...given.map(([key, value]) => `  with   ${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ];
}
