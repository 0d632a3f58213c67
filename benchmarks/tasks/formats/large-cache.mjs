/** A PC2 of 3 GiB, fitted from a sample of its frames by the command in 1.5 GB of memory. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeObj, writePc2 } from '@pelt/io';
import { peltOf, runCommand } from '../../harness/run-command.mjs';

const PELT = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../../..'));
const [WIDTH, HEIGHT] = [400, 250];
const N = WIDTH * HEIGHT;
const FRAMES = Math.ceil((3 * 2 ** 30) / (12 * N));
const SAMPLE = 250;
const CASE = `PC2 of 3 GiB, ${FRAMES} frames of ${N} vertices`;

export function largeCacheRows(context) {
  if (!context.wants(CASE)) return [];
  context.log(CASE);
  const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
  try {
    const bytes = writeTube(folder);
    const fit = ['fit', 'rest.obj', 'clip.pc2', '--sample', String(SAMPLE), '--bones', '12', '-o', 'out.glb'];
    const { stdout } = runCommand([...PELT, ...fit, '--memory', '1.5G', '--json', '--quiet'], { cwd: folder });
    const { input, seconds, error, sampled, peakMegabytes, expectedMegabytes } = JSON.parse(stdout);
    if (input.frames !== FRAMES) throw new Error(`the clip has ${input.frames} frames, not ${FRAMES}`);
    const row = { case: CASE, unit: 'MB' };
    return [
      { ...row, metric: 'peak memory of a fit', value: peakMegabytes, target: 'value <= 1500' },
      {
        ...row,
        metric: 'memory expected',
        value: expectedMegabytes,
        reference: peakMegabytes,
        referenceName: 'peak memory',
        target: 'ratio <= 1.5',
      },
      { ...row, metric: 'size', value: bytes / 1e6 },
      { ...row, metric: 'time to read the sample', value: seconds.read, unit: 's' },
      { ...row, metric: 'time to fit the sample', value: seconds.fit, unit: 's' },
      { ...row, metric: 'time to play all frames', value: seconds.write, unit: 's' },
      {
        ...row,
        metric: 'E_RMS of all frames',
        value: error.eRms,
        unit: '',
        reference: sampled.error.eRms,
        referenceName: 'the sample',
        target: 'ratio <= 1.2',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A tube that bends to and fro and twists, written frame by frame. */
function writeTube(folder) {
  const positions = new Float32Array(3 * N);
  pose(0, positions);
  const triangles = [];
  for (let i = 0; i + WIDTH < N; i++) {
    const [a, b] = [i, i % WIDTH === WIDTH - 1 ? i + 1 - WIDTH : i + 1];
    triangles.push(a, b, a + WIDTH, b, b + WIDTH, a + WIDTH);
  }
  const rest = { name: 'tube', positions, triangles: Uint32Array.from(triangles) };
  writeFileSync(join(folder, 'rest.obj'), writeObj(rest)[0].bytes);
  // The header of a cache of one frame, with the number of frames put right.
  const head = writePc2({ name: 'tube', rest, frames: positions, times: Float64Array.of(0) }).subarray(0, 32);
  new DataView(head.buffer).setInt32(28, FRAMES, true);
  const file = openSync(join(folder, 'clip.pc2'), 'w');
  let bytes = writeSync(file, head);
  const frame = new Float32Array(3 * N);
  for (let t = 0; t < FRAMES; t++) {
    pose(t, frame);
    bytes += writeSync(file, new Uint8Array(frame.buffer));
  }
  closeSync(file);
  return bytes;
}

function pose(t, out) {
  const [bend, twist] = [0.9 * Math.sin(t / 60), 1.5 * Math.sin(t / 97)];
  for (let i = 0; i < N; i++) {
    const y = (4 * Math.floor(i / WIDTH)) / HEIGHT;
    const turn = (2 * Math.PI * (i % WIDTH)) / WIDTH + (twist * y) / 4;
    const angle = (bend * y) / 4;
    // Along an arc of the length y.
    const [along, up] = angle === 0 ? [0, y] : [(y * (1 - Math.cos(angle))) / angle, (y * Math.sin(angle)) / angle];
    const x = 0.3 * Math.cos(turn);
    out[3 * i] = along + x * Math.cos(angle);
    out[3 * i + 1] = up - x * Math.sin(angle);
    out[3 * i + 2] = 0.3 * Math.sin(turn);
  }
}
