/** What commands expect to need beside their peaks: an estimate that is too low lets a machine run out of memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { peltOf, runCommand } from '../../harness/run-command.mjs';

const PELT = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../../..'));
/** Many vertices in few frames, and few in many. */
export const SUBJECTS = ['elephant-gallop', 'samba', 'pcow'];

/** Name, and the arguments; what one writes the next may read. */
const COMMANDS = [
  ['convert to GLB', (files) => ['convert', ...files, '-o', 'out.glb']],
  ['convert to Alembic', (files) => ['convert', ...files, '-o', 'out.abc']],
  ['convert to OBJ', (files) => ['convert', ...files, '-o', 'frames/out.obj']],
  ['compare', (files) => ['compare', ...files, ...files]],
  ['fit', (files) => ['fit', ...files, '-o', 'rig.glb']],
  ['skeleton', (files) => ['skeleton', ...files, '-o', 'out.glb']],
  ['reduce', () => ['reduce', 'rig.glb', '-o', 'out.glb']],
  ['reduce with examples', (files) => ['reduce', 'rig.glb', ...files, '-o', 'out.glb']],
  ['pose', () => ['pose', 'rig.glb', '--handle', '0=0,0,0', '-o', 'posed.obj']],
];

export function memoryRows(context) {
  return SUBJECTS.flatMap((subject) => {
    if (!context.wants(subject)) return [];
    const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
    try {
      const files = ['rest.obj', 'clip.pc2'].map((name) => context.data(`${subject}/${name}`));
      return COMMANDS.flatMap(([name, args]) => {
        context.log(`${name}, ${subject}`);
        const { stdout } = runCommand([...PELT, ...args(files), '--json', '--quiet'], { cwd: folder });
        const { peakMegabytes, expectedMegabytes } = JSON.parse(stdout);
        // A rig without examples is played frame by frame, and keeps none that could be too many.
        if (expectedMegabytes === undefined) return [];
        const row = {
          case: `${name}, ${subject}`,
          value: expectedMegabytes,
          unit: 'MB',
          reference: peakMegabytes,
          referenceName: 'peak memory',
        };
        return [
          { ...row, metric: 'memory expected, at least', target: 'ratio >= 0.7' },
          { ...row, metric: 'memory expected, at most', target: 'ratio <= 1.5' },
        ];
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
