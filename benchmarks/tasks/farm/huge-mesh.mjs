/**
 * One mesh larger than memory: a gallop subdivided to 2.7 million vertices, fitted by the command in 3 GB; how much the
 * error is beside that of a fit of all vertices, where that is possible; and how the time grows.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frameBytes, pc2Header, readObj, readPc2, writePly } from '@pelt/io';
import { peltOf, runCommand } from '../../harness/run-command.mjs';
import { Subdivision } from './subdivision.mjs';

const PELT = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../../..'));
export const SUBJECT = 'elephant-gallop';
/** Levels of subdivision: 170 000, 680 000 and 2.7 million vertices. */
const LEVELS = [1, 2, 3];
const BONES = 20;
const CASE = `one huge mesh, ${SUBJECT} subdivided`;

export function hugeMeshRows(context) {
  if (!context.wants(CASE)) return [];
  const rest = readObj(readFileSync(context.data(`${SUBJECT}/rest.obj`)));
  const cache = readPc2(readFileSync(context.data(`${SUBJECT}/clip.pc2`)));
  const fits = LEVELS.map((level) => {
    const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-huge-'));
    try {
      const n = writeSubdivided(folder, rest, cache, level);
      context.log(`${CASE}, ${n} vertices`);
      // The largest finds out by itself that it does not fit; the others are told.
      const chunks = fitFolder(folder, level === LEVELS.at(-1) ? ['--memory', '3G'] : ['--chunk', 'auto']);
      return { n, chunks, whole: level === LEVELS[0] ? fitFolder(folder, []) : undefined };
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  const [first, last] = [fits[0], fits[fits.length - 1]];
  const exponent = Math.log(last.chunks.processor / first.chunks.processor) / Math.log(last.n / first.n);
  const row = (n) => ({ case: `${CASE}, ${n} vertices × ${cache.times.length} frames` });
  return [
    {
      ...row(first.n),
      metric: 'E_RMS of a fit in chunks',
      value: first.chunks.error.eRms,
      unit: '',
      reference: first.whole.error.eRms,
      referenceName: 'fit of all vertices',
      target: 'ratio <= 1.03',
    },
    {
      ...row(first.n),
      metric: 'processor time of a fit in chunks',
      value: first.chunks.processor,
      unit: 's',
      reference: first.whole.processor,
      referenceName: 'fit of all vertices',
    },
    ...fits.slice(1).flatMap(({ n, chunks }) => [
      { ...row(n), metric: 'E_RMS of a fit in chunks', value: chunks.error.eRms, unit: '' },
      { ...row(n), metric: 'processor time of a fit in chunks', value: chunks.processor, unit: 's' },
    ]),
    {
      ...row(last.n),
      metric: 'peak memory',
      value: (chunksPeak(last) * 2 ** 20) / 1e9,
      unit: 'GB',
      target: 'value <= 3',
    },
    {
      ...row(last.n),
      metric: 'memory expected',
      value: last.chunks.expectedMegabytes,
      unit: 'MB',
      reference: chunksPeak(last),
      referenceName: 'peak memory',
      target: 'ratio <= 1.5',
    },
    {
      case: `${CASE}, ${first.n} to ${last.n} vertices`,
      metric: 'exponent of the processor time',
      value: exponent,
      unit: '',
      target: 'value <= 1.05',
    },
  ];
}

const chunksPeak = ({ chunks }) => chunks.peakMegabytes;

function fitFolder(folder, options) {
  const args = ['fit', 'rest.ply', 'clip.pc2', '--bones', String(BONES), '--threads', '1', '-o', 'out.glb'];
  const { stdout, processor } = runCommand([...PELT, ...args, ...options, '--json', '--quiet'], { cwd: folder });
  return { ...JSON.parse(stdout), processor };
}

/** @returns the number of vertices */
function writeSubdivided(folder, rest, cache, levels) {
  const subdivision = new Subdivision(cache.points, rest.triangles, levels);
  const positions = subdivision.refine(rest.positions);
  const mesh = { name: SUBJECT, positions, triangles: subdivision.triangles };
  writeFileSync(join(folder, 'rest.ply'), writePly(mesh));
  const n = positions.length / 3;
  const file = openSync(join(folder, 'clip.pc2'), 'w');
  writeSync(file, pc2Header(n, cache.times));
  const size = 3 * cache.points;
  for (let t = 0; t < cache.times.length; t++) {
    writeSync(file, frameBytes(subdivision.refine(cache.frames.subarray(t * size, (t + 1) * size)), true));
  }
  closeSync(file);
  return n;
}
