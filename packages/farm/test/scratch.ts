/** Folders and files of tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** A folder that is removed after the tests of a file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-farm-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function put(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A triangle; `x` makes another one of it. */
export function triangle(x = 1): string {
  return `v 0 0 0\nv ${x} 0 0\nv 0 1 0\nf 1 2 3\n`;
}

/** pelt with the accidents that a test asks for. */
export const SLOW_PELT: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('./slow-pelt.mjs', import.meta.url)),
];
