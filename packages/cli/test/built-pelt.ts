/** The command line as users run it: built, in a process of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const PELT = join(root, 'packages/cli/bin/pelt.mjs');

/** Builds what the command line is made of; where that is done already it takes a moment. */
export function buildPelt(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  // Errors of types have a gate of their own, and do not keep the compiler from writing.
  const { stdout } = spawnSync(process.execPath, [compiler, '-b', 'packages/cli'], { cwd: root, encoding: 'utf8' });
  if (!existsSync(join(root, 'packages/cli/dist/main.js')))
    throw new Error(`the command line was not built: ${stdout}`);
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param watch  sees the process once it runs: to send it signals */
export function pelt(
  args: readonly string[],
  cwd: string,
  watch: (child: ChildProcess) => void = () => {},
): Promise<Ended> {
  return new Promise((resolveEnd, reject) => {
    const child = spawn(process.execPath, [PELT, ...args], { cwd, timeout: 240_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('error', reject);
    child.on('close', (code) => resolveEnd({ code, stdout, stderr }));
    watch(child);
  });
}
