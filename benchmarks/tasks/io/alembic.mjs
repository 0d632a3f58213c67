/**
 * A generated Alembic archive of 500 MB, read from a warm file: time beside reading its bytes into memory, and peak memory
 * beside the positions that are kept.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAlembic, readAlembicSequence, writeAlembic } from '@pelt/io';
import { openFileSource } from './file-source.mjs';

const WIDTH = 400;
const VERTICES = WIDTH * 250;
const FRAMES = 417;
const CASE = `Alembic, ${FRAMES} samples of ${VERTICES} vertices`;
/** Each run takes a second or so. */
const RUNS = { runs: 5, warmUps: 1, warmMilliseconds: 0, milliseconds: 0 };

export function alembicRows(context) {
  if (!context.wants(CASE)) return [];
  context.log(CASE);
  const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
  try {
    const path = join(folder, 'sheet.abc');
    const bytes = writeSheet(path);
    const { value, reference } = context.compareTimes(
      () => readSheet(path),
      () => readFileSync(path),
      RUNS,
    );
    const script = fileURLToPath(new URL('alembic-peak.mjs', import.meta.url));
    const { peak, positions } = JSON.parse(execFileSync(process.execPath, [script, path], { encoding: 'utf8' }));
    return [
      { case: CASE, metric: 'rate', value: bytes / 1e3 / value, unit: 'MB/s' },
      {
        case: CASE,
        metric: 'time',
        value,
        unit: 'ms',
        reference,
        referenceName: 'reading the bytes',
        target: 'ratio <= 3',
      },
      {
        case: CASE,
        metric: 'peak memory',
        value: peak / 1e6,
        unit: 'MB',
        reference: positions / 1e6,
        referenceName: 'positions kept',
        target: 'ratio <= 1.2',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readSheet(path) {
  const source = openFileSource(path);
  try {
    return readAlembicSequence(openAlembic(source, { name: path }));
  } finally {
    source.close();
  }
}

/** A sheet with a wave running over it. */
function writeSheet(path) {
  const positions = new Float32Array(3 * VERTICES);
  for (let i = 0; i < VERTICES; i++) {
    positions[3 * i] = i % WIDTH;
    positions[3 * i + 1] = Math.floor(i / WIDTH);
  }
  const triangles = [];
  for (let i = 0; i + WIDTH + 1 < VERTICES; i++) {
    if (i % WIDTH < WIDTH - 1) triangles.push(i, i + 1, i + WIDTH, i + 1, i + WIDTH + 1, i + WIDTH);
  }
  const frames = new Float32Array(FRAMES * positions.length);
  for (let t = 0; t < FRAMES; t++) {
    const first = t * positions.length;
    frames.set(positions, first);
    for (let i = 0; i < VERTICES; i++) frames[first + 3 * i + 2] = Math.sin(i / 50 + t / 10);
  }
  const rest = { name: 'sheet', positions, triangles: Uint32Array.from(triangles) };
  const times = Float64Array.from({ length: FRAMES }, (_, t) => t / 24);
  const bytes = writeAlembic({ name: 'sheet', rest, frames, times });
  writeFileSync(path, bytes);
  return bytes.length;
}
