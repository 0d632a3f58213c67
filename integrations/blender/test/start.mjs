/** Blender with the add-on from its zip, in an empty configuration. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../zip.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const WINDOW = ['--enable-event-simulate', '--window-geometry', '0', '0', '1280', '800'];

/**
 * Runs a script of this folder.
 *
 * @param {string} blender
 * @param {string} script
 * @param {{window?: boolean, cases?: string, output?: 'inherit' | 'pipe'}} [options]
 *   window: on a virtual display; cases: a part of the names of the cases that are wanted
 */
export function runBlender(blender, script, { window = false, cases = '', output = 'inherit' } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'pelt-blender-'));
  const env = {
    ...process.env,
    BLENDER_USER_CONFIG: join(scratch, 'config'),
    BLENDER_USER_SCRIPTS: join(scratch, 'scripts'),
    PELT: join(here, '../../../packages/cli/bin/pelt.mjs'),
    PELT_ADDON: buildAddon(),
    PELT_CASES: cases,
  };
  const args = ['--factory-startup', '--python-exit-code', '1', '--python', join(here, script)];
  const [command, words] = window ? ['xvfb-run', ['-a', blender, ...WINDOW]] : [blender, ['-b']];
  try {
    return spawnSync(command, [...words, ...args], { env, stdio: output, encoding: 'utf8' });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
