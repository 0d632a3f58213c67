/**
 * Whole assets beside gltfpack (-cc), from npm, in the same run: every GLB of the folder `gltf`, packed by
 * `pelt convert --compress meshopt` with its defaults, which no file has a say in.
 *
 * Sizes are without images, which neither touches. Errors are root mean square distances over all clips, at moments that are
 * keys of neither file. A second size is that at gltfpack's own error: the same question for both.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressGlb } from '@pelt/io';
import { peltOf, runCommand } from '../harness/run-command.mjs';
import { openLoader } from './assets/load-times.mjs';
import { bytesWithoutImages, surfaceRms, vertexCount } from './assets/surface-rms.mjs';

const FOLDER = 'gltf';
const GLTFPACK = fileURLToPath(import.meta.resolve('gltfpack/cli.js'));
const RIVAL = 'gltfpack -cc';
/** A file as large as a phone's target is for. */
const MOBILE = 'Soldier.glb';
const LOADS = 9;

export default {
  name: 'assets',
  needs: [FOLDER],
  async run(context) {
    const scratch = mkdtempSync(join(tmpdir(), 'pelt-assets-'));
    const loader = await openLoader();
    try {
      const rows = [];
      for (const file of readdirSync(context.data(FOLDER)).filter((name) => name.endsWith('.glb'))) {
        if (context.wants(file)) rows.push(...(await fileRows(context, file, scratch, loader)));
      }
      return rows;
    } finally {
      await loader.close();
      rmSync(scratch, { recursive: true });
    }
  },
};

async function fileRows(context, file, scratch, loader) {
  context.log(file);
  const input = context.data(join(FOLDER, file));
  const before = readFileSync(input);
  const pelt = peltOf(fileURLToPath(new URL('../..', import.meta.url)));
  const [own, other] = [join(scratch, `pelt-${file}`), join(scratch, `gltfpack-${file}`)];
  const packing = runCommand([...pelt, 'convert', input, '--compress', 'meshopt', '-o', own, '--quiet']);
  runCommand([process.execPath, GLTFPACK, '-cc', '-i', input, '-o', other]);
  const [packed, rival] = [readFileSync(own), readFileSync(other)];
  const [error, rivalError] = [await surfaceRms(before, packed), await surfaceRms(before, rival)];
  const matched = Buffer.from((await compressGlb(before, { maxError: rivalError })).bytes);
  const [milliseconds, rivalMilliseconds] = await loader.compare(packed, rival, LOADS);
  const beside = (reference) => ({ reference, referenceName: RIVAL });
  const rows = [
    {
      case: file,
      metric: 'size without images',
      value: bytesWithoutImages(packed) / 1000,
      unit: 'KB',
      ...beside(bytesWithoutImages(rival) / 1000),
      target: 'ratio <= 0.9',
    },
    {
      case: file,
      metric: 'rms distance',
      value: 100 * error,
      unit: '% of the diagonal',
      ...beside(100 * rivalError),
      target: 'ratio <= 1',
    },
    {
      case: file,
      metric: `size without images at the rms distance of ${RIVAL}`,
      value: bytesWithoutImages(matched) / 1000,
      unit: 'KB',
      ...beside(bytesWithoutImages(rival) / 1000),
      target: 'ratio <= 0.9',
    },
    {
      case: file,
      metric: 'vertices in three.js',
      value: vertexCount(packed),
      unit: 'vertices',
      reference: vertexCount(before),
      referenceName: 'input',
      target: 'ratio <= 1',
    },
    {
      case: file,
      metric: 'time to load in three.js',
      value: milliseconds,
      unit: 'ms',
      ...beside(rivalMilliseconds),
      target: 'ratio <= 1',
    },
    { case: file, metric: 'processor time to pack', value: packing.processor, unit: 's' },
  ];
  if (file !== MOBILE) return rows;
  const reduced = join(scratch, 'mobile.glb');
  const mobile = runCommand([...pelt, 'reduce', input, '--target', 'mobile', '-o', reduced, '--quiet']);
  const budget = runCommand([...pelt, 'reduce', input, '--budget', '750', '-o', reduced, '--quiet']);
  writeFileSync(reduced, '');
  return [
    ...rows,
    { case: file, metric: 'reduce --target mobile', value: mobile.processor, unit: 's', target: 'value <= 10' },
    { case: file, metric: 'reduce --budget', value: budget.processor, unit: 's', target: 'value <= 120' },
  ];
}
