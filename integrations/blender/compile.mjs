/** Compiles the Python files of the add-on and of its tests, which finds what a parser can. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const files = ['pelt', 'test'].flatMap((folder) =>
  readdirSync(join(here, folder))
    .filter((name) => name.endsWith('.py'))
    .map((name) => join(here, folder, name)),
);
const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
if (!python) {
  console.log('NOT CHECKED: there is no Python on this machine, so the add-on for Blender was not compiled');
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'pelt-compile-'));
  const env = { ...process.env, PYTHONPYCACHEPREFIX: scratch };
  const { status } = spawnSync(python, ['-m', 'py_compile', ...files], { env, stdio: 'inherit' });
  rmSync(scratch, { recursive: true, force: true });
  if (status === 0) console.log(`${files.length} Python files compile`);
  process.exitCode = status ?? 1;
}
