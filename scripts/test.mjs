/**
 * `npm test`: everything, in the order in which a mistake is cheapest to find. Stops at the first gate that fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'pelt-test-'));
const report = join(scratch, 'vitest.json');

const gates = [
  ['kernels', ['npm', 'run', '--silent', 'build:wasm']],
  ['types', ['npm', 'run', '--silent', 'typecheck']],
  ['bundle', ['node', 'packages/cli/scripts/bundle.mjs']],
  ['lint', ['npm', 'run', '--silent', 'lint']],
  ['layers', ['npm', 'run', '--silent', 'layers']],
  ['python', ['node', 'integrations/blender/compile.mjs']],
  ['browser', ['node', 'scripts/browser/install.mjs']],
  ['servers', ['node', 'scripts/servers/install.mjs']],
  ['tests', ['npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${report}`]],
];

let failed = false;
for (const [name, [command, ...args]] of gates) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
  if (status !== 0) {
    failed = true;
    break;
  }
}

if (!failed) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
}
rmSync(scratch, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
