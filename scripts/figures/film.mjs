// @ts-check
/**
 * `npm run film`: the film of the README, docs/images/overview.gif: a creature that walks, beside the rig that pelt finds in
 * it. The creature is generated; fit and film are made by the command as users have it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeObj, writePc2 } from '@pelt/io';
import { creatureScene } from '@pelt/testkit';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');
const OUT = join(ROOT, 'docs/images/overview.gif');
const BONES = 12;
/** Small enough for the first screen of a README: less than two hundred kilobytes. */
const SIZE = ['--width', '270', '--height', '170', '--rate', '10', '--samples', '4'];

const folder = mkdtempSync(join(tmpdir(), 'pelt-film-'));
try {
  const { sequence } = creatureScene();
  writeFileSync(join(folder, 'creature.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'creature.pc2'), writePc2(sequence, { fps: 24 }));
  pelt('fit', 'creature.obj', 'creature.pc2', '--bones', String(BONES), '-o', 'rig.glb');
  const shown = ['creature.obj', 'creature.pc2', 'rig.glb', '--bones', '--weights'];
  pelt('view', ...shown, ...SIZE, '--from', '1,0.25,0.75', '-o', OUT);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string[]} args */
function pelt(...args) {
  const command = join(ROOT, 'packages/cli/bin/pelt.mjs');
  const { status } = spawnSync(process.execPath, [command, ...args], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
