/** The command line as users run it: built, in a process of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const PELT = join(root, 'packages/cli/bin/pelt.mjs');

/** Bundles the command line and the pages of `pelt view` from their sources. */
export function buildPelt(): void {
  for (const script of ['packages/cli/scripts/bundle.mjs', 'packages/viewer/scripts/build-pages.mjs']) {
    const { status, stderr } = spawnSync(process.execPath, [join(root, script)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the command line was not built: ${stderr}`);
  }
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
