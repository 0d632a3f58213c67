/** Finds Blender, numpy for its Python and a display for its window, or installs Debian's by apt-get. */
import { spawnSync } from 'node:child_process';

const PACKAGES = ['blender', 'python3-numpy', 'xvfb', 'xauth', 'libgl1-mesa-dri'];

const runs = (command, args) => spawnSync(command, args, { encoding: 'utf8' });

function isComplete(blender) {
  const check = ['-b', '--factory-startup', '--python-exit-code', '1', '--python-expr', 'import numpy'];
  return runs(blender, check).status === 0 && runs('xvfb-run', ['--help']).status === 0;
}

/** @returns {string} the command that runs Blender: `$BLENDER`, or the one on the path */
export function findBlender() {
  const blender = process.env.BLENDER ?? 'blender';
  if (isComplete(blender)) return blender;
  console.log(`installing ${PACKAGES.join(', ')}; this is a large download`);
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PACKAGES]]) {
    const { status, stderr } = runs('apt-get', args);
    if (status !== 0) {
      throw new Error(`apt-get ${args[0]} failed; install Blender 3.4 or newer, numpy and xvfb-run. ${stderr ?? ''}`);
    }
  }
  if (!isComplete(blender)) throw new Error(`'${blender}' has no numpy, or xvfb-run does not run`);
  return blender;
}
