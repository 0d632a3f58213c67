/**
 * `npm start`: what pelt does, on an example that it makes itself. Writes an arm that bends, twists and bulges as a mesh
 * and its cache, fits it with the same command that a user would type, and serves the studio with the result open;
 * with `--once` it ends after the file.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeObj, writePc2 } from '@pelt/io';
import { armScene } from '@pelt/testkit';

const HELP = `Usage: npm start [-- --once]

Makes an example, fits it and serves the studio with the result open.

  --once  end after the file`;

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'out');
const FPS = 30;
const BONES = 12;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}

console.log('Making an arm that bends, twists and bulges …');
const { sequence } = armScene({ fps: FPS });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'arm.obj'), writeObj(sequence.rest, { name: 'arm.obj' })[0].bytes);
writeFileSync(join(out, 'arm.pc2'), writePc2(sequence, { fps: FPS }));

const path = (name) => relative(process.cwd(), join(out, name)) || name;
const args = ['fit', path('arm.obj'), path('arm.pc2'), '--fps', `${FPS}`, '--bones', `${BONES}`, '-o', path('arm.glb')];
console.log(`\n$ pelt ${args.join(' ')}`);
const pelt = join(root, 'packages/cli/bin/pelt.mjs');
const { status } = spawnSync(process.execPath, [pelt, ...args], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

console.log(`
${path('arm.glb')} is a skinned, animated character: drop it into any glTF viewer or game engine.

Now with a file of your own:
  npx pelt studio                                              see, compare, pose and export in the browser
  npx pelt fit rest.obj clip.pc2 --bones 20 -o character.glb   a mesh and its point cache
  npx pelt fit frames/ --fps 30 -o character.glb               a folder with one OBJ or PLY a frame
  npx pelt fit animated.glb -o character.glb                   morph targets in, bones out
  npx pelt fit --help                                          everything else`);

if (!process.argv.includes('--once')) {
  const shown = [path('arm.obj'), path('arm.pc2'), '--fps', `${FPS}`, '--rig', path('arm.glb'), '--no-open'];
  console.log('\nThe result is open in the studio; `npm start -- --once` ends without it.');
  const served = spawnSync(process.execPath, [pelt, 'studio', ...shown], { stdio: 'inherit' });
  process.exit(served.status ?? 0);
}
