/**
 * The matrices of characters, as the tests have them: commands, renderers of three.js and modes of the studio, each with
 * every skin. A cell is right where the skin of the file is played and everything else kept, or refused in one line.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const MATRICES = {
  'commands and characters': 'packages/jobs/test/matrix/matrix.test.ts',
  'three.js: skins, drivers and renderers': 'packages/three/test/browser/three.test.ts',
  'studio: modes and characters': 'apps/studio/test/browser/characters.test.ts',
};

export const needs = [];

export async function measure(context) {
  return Object.entries(MATRICES)
    .filter(([title]) => context.wants(title))
    .map(([title, file]) => {
      context.log(title);
      return {
        case: title,
        metric: 'cells right',
        ...cellsOf(file),
        unit: '',
        referenceName: 'all',
        target: 'ratio >= 1',
      };
    });
}

function cellsOf(file) {
  const report = join(tmpdir(), `pelt-matrix-${process.pid}.json`);
  const args = ['vitest', 'run', file, '--reporter=json', `--outputFile=${report}`];
  spawnSync('npx', args, { cwd: root, stdio: 'ignore' });
  try {
    const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { value: numPassedTests, reference: numTotalTests };
  } finally {
    rmSync(report, { force: true });
  }
}
