/**
 * `npm run test:blender`: builds the add-on, installs it from its zip into an empty configuration, and runs the cases in
 * Blender: without a window, then with one on a virtual display. Words after `--` choose cases by a part of their name.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAddon } from '../zip.mjs';
import { findBlender } from './install.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');
const wanted = process.argv[2] ?? '';

const blender = findBlender();
const addon = buildAddon();
for (const script of ['packages/math/scripts/build-wasm.mjs', 'packages/cli/scripts/bundle.mjs']) {
  if (spawnSync(process.execPath, [join(root, script)], { stdio: 'inherit' }).status !== 0) process.exit(1);
}

const scratch = mkdtempSync(join(tmpdir(), 'pelt-blender-'));
const env = {
  ...process.env,
  BLENDER_USER_CONFIG: join(scratch, 'config'),
  BLENDER_USER_SCRIPTS: join(scratch, 'scripts'),
  PELT: join(root, 'packages/cli/bin/pelt.mjs'),
  PELT_ADDON: addon,
  PELT_CASES: wanted,
};
const common = ['--factory-startup', '--python-exit-code', '1', '--python'];
const suites = [
  ['without a window', blender, ['-b', ...common, join(here, 'cases.py')]],
  ['with a window', 'xvfb-run', ['-a', blender, '--enable-event-simulate', '--window-geometry', '0', '0', '1280', '800', ...common, join(here, 'window.py')]],
];
let failed = false;
for (const [name, command, args] of suites) {
  console.log(`\nBlender ${name}`);
  const { status } = spawnSync(command, args, { env, stdio: 'inherit' });
  if (status !== 0) failed = true;
}
rmSync(scratch, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
