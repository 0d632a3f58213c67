/**
 * pelt with accidents, for tests: a job that is called `sleep-N…` waits N seconds first, `die…` kills itself every time,
 * `die-once…` the first time only. Everything else is the command itself.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , command, file, ...rest] = process.argv;
const { output = '' } = JSON.parse(readFileSync(file, 'utf8'));
const name = output.slice(output.lastIndexOf('/') + 1);
const seconds = Number(/^sleep-([\d.]+)-/.exec(name)?.[1] ?? 0);
if (seconds > 0) await new Promise((done) => setTimeout(done, 1000 * seconds));
const seen = join(tmpdir(), `pelt-accident-${name}`);
const first = !existsSync(seen);
if (name.startsWith('die')) {
  writeFileSync(seen, '');
  if (!name.startsWith('die-once') || first) process.kill(process.pid, 'SIGKILL');
}
const pelt = fileURLToPath(new URL('../../cli/bin/pelt.mjs', import.meta.url));
process.exitCode = spawnSync(process.execPath, [pelt, command, file, ...rest], { stdio: 'inherit' }).status ?? 5;
