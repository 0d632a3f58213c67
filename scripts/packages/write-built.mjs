// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a folder hold these files and no others. Files that have not changed are left alone, and others are replaced in
 * one step, so that a process that runs meanwhile finds what it started with.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, string | Uint8Array>} files
 */
export function writeBuilt(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
    const unfinished = `${path}.${process.pid}.new`;
    writeFileSync(unfinished, content);
    renameSync(unfinished, path);
  }
  for (const name of readdirSync(folder)) {
    if (!files.has(name) && !name.endsWith('.new')) rmSync(join(folder, name), { recursive: true });
  }
}
