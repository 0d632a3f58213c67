/**
 * `npm run test:blender`: installs the add-on from its zip and runs the cases in Blender, without a window and then with
 * one. A word after `--` chooses cases by a part of their name. PELT_PICTURE names a file for the picture of the guide.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shrink } from '../../../scripts/figures/shrink.mjs';
import { findBlender } from './install.mjs';
import { runBlender } from './start.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const [cases = ''] = process.argv.slice(2);

const blender = findBlender();
for (const script of ['packages/math/scripts/build-wasm.mjs', 'packages/cli/scripts/bundle.mjs']) {
  if (spawnSync(process.execPath, [join(root, script)], { stdio: 'inherit' }).status !== 0) process.exit(1);
}
let failed = false;
for (const [name, script, window] of [
  ['without a window', 'cases.py', false],
  ['with a window', 'window.py', true],
]) {
  console.log(`\nBlender ${name}`);
  if (runBlender(blender, script, { window, cases }).status !== 0) failed = true;
}
const picture = process.env.PELT_PICTURE;
if (picture && !failed) writeFileSync(picture, shrink(readFileSync(picture)));
process.exit(failed ? 1 : 0);
