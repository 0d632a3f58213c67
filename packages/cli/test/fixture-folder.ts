import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildPelt } from './built-pelt.ts';
import { scratchFolder } from './scratch-folder.ts';

/**
 * For the tests of one file: the built command line, and a folder of fixtures that goes with them.
 *
 * @param fill  writes the fixtures
 */
export function fixtureFolder(fill: (folder: string) => Promise<void> | void): {
  readonly folder: string;
  /** A copy of the fixtures, of one test's own. */
  readonly ownFolder: () => string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-run-'));
  beforeAll(async () => {
    buildPelt();
    await fill(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    ownFolder: () => {
      const own = scratchFolder();
      cpSync(folder, own, { recursive: true });
      return own;
    },
  };
}
