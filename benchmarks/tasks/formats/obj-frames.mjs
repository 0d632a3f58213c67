/** A thousand OBJ files of ten thousand vertices, half a gigabyte, read by the command into a cache. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { peltOf, runCommand } from '../../harness/run-command.mjs';

const PELT = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../../..'));
const [WIDTH, HEIGHT, FRAMES] = [100, 100, 1000];
const CASE = `${FRAMES} OBJ frames of ${WIDTH * HEIGHT} vertices`;

export function objFrameRows(context) {
  if (!context.wants(CASE)) return [];
  context.log(CASE);
  const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
  try {
    const megabytes = writeFrames(join(folder, 'frames')) / 1e6;
    const command = [...PELT, 'convert', 'frames', '-o', 'out.pc2', '--json', '--quiet'];
    // The first brings the files into the system's memory.
    runCommand(command, { cwd: folder });
    const { processor, wall, stdout } = runCommand(command, { cwd: folder });
    const { seconds, peakMegabytes, output } = JSON.parse(stdout);
    return [
      // Of the whole command, which also starts, copies the frames and writes the cache.
      { case: CASE, metric: 'rate per core', value: megabytes / processor, unit: 'MB/s', target: 'value >= 60' },
      { case: CASE, metric: 'rate', value: megabytes / seconds.read, unit: 'MB/s' },
      {
        case: CASE,
        metric: 'cores in use',
        value: processor / wall,
        unit: '',
        ...(availableParallelism() > 1 && { target: 'value >= 1.3' }),
      },
      {
        case: CASE,
        metric: 'peak memory',
        value: peakMegabytes,
        unit: 'MB',
        reference: output.bytes / 1e6,
        referenceName: 'positions',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A sheet that waves, with six decimals as exporters write them. */
function writeFrames(folder) {
  mkdirSync(folder);
  const faces = [];
  for (let i = 0; i + WIDTH + 1 < WIDTH * HEIGHT; i++) {
    if (i % WIDTH < WIDTH - 1) faces.push(`f ${i + 1} ${i + 2} ${i + WIDTH + 2} ${i + WIDTH + 1}`);
  }
  const tail = `${faces.join('\n')}\n`;
  let bytes = 0;
  for (let t = 0; t < FRAMES; t++) {
    const lines = Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
      const [x, y] = [(i % WIDTH) / WIDTH, Math.floor(i / WIDTH) / HEIGHT];
      const z = 0.1 * Math.sin(7 * x + 5 * y + t / 10);
      return `v ${(x + 0.01 * Math.sin(t / 7 + y)).toFixed(6)} ${y.toFixed(6)} ${z.toFixed(6)}`;
    });
    const text = `${lines.join('\n')}\n${tail}`;
    writeFileSync(join(folder, `frame-${t + 1}.obj`), text);
    bytes += text.length;
  }
  return bytes;
}
