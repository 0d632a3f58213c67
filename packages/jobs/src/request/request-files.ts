/** Which files a request names: what a farm has to fetch and to keep, and a page to ask for. */
import { COMMANDS } from '../commands.ts';
import { checkRequest } from './check-request.ts';
import type { Checked, Table } from './table.ts';

export interface RequestFiles {
  /** Files and folders that are read. Files that these name (buffers, materials, textures) lie in their folders. */
  readonly reads: readonly string[];
  /** Files that are written; one with `####` stands for those of all frames. */
  readonly writes: readonly string[];
}

/**
 * Lists the files that a request names.
 *
 * @example
 * {@includeCode ../../examples/requests.ts}
 */
export async function requestFiles(request: unknown): Promise<RequestFiles> {
  const { command, checked } = await checkRequest(request);
  return filesOf(await COMMANDS[command].table(), checked);
}

/** The files that a checked request names. */
export function filesOf(table: Table, checked: Checked<Table>): RequestFiles {
  const [reads, writes] = [[...checked.inputs], checked.output === undefined ? [] : [checked.output]];
  for (const [name, { kind }] of Object.entries(table.options)) {
    const value = checked.options[name];
    if (value === undefined) continue;
    reads.push(...(kind.reads?.(value) ?? []));
    writes.push(...(kind.writes?.(value) ?? []));
  }
  return { reads, writes };
}
