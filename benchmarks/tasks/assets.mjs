/**
 * Whole assets beside gltfpack (-cc), from npm, in the same run: every GLB of the folders `gltf` and `rigs`, packed by
 * `pelt convert --compress meshopt --for none`, which no file has a say in; after brotli with its defaults, beside the better of
 * gltfpack -cc and -cz.
 *
 * Sizes are without images, which neither touches. Errors are root mean square distances over all clips, at moments that are
 * keys of neither file. A second size is that at gltfpack's own error: the same question for both.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGltf, readRig, writeSkinnedGlb } from '@pelt/io';
import { compressGlb } from '@pelt/pack';
import { peltOf, runCommand } from '../harness/run-command.mjs';
import { openLoader } from './assets/load-times.mjs';
import { lodRows, textureRows } from './assets/lods-textures.mjs';
import { brotliWithoutImages, bytesWithoutImages, surfaceRms, vertexCount } from './assets/surface-rms.mjs';

const FOLDERS = ['gltf', 'rigs'];
const GLTFPACK = fileURLToPath(import.meta.resolve('gltfpack/cli.js'));
const RIVAL = 'gltfpack -cc';
/** 34 159 vertices; its one clip, of 1309 keys, is cut into seven. */
const MOBILE = 'BrainStem.glb';
const MOBILE_CLIPS = 7;
const BUDGET = { file: 'Soldier.glb', kilobytes: 750 };
/** Files that are written to come near an error, and the share of it that they aim at. */
const [MATCHES, MATCHED] = [4, 0.97];
const ENGINES = { three: 'three.js', babylon: 'Babylon.js' };

export default {
  name: 'assets',
  needs: FOLDERS,
  async run(context) {
    const scratch = mkdtempSync(join(tmpdir(), 'pelt-assets-'));
    const loader = context.times ? await openLoader() : undefined;
    try {
      const rows = [];
      for (const folder of FOLDERS) {
        for (const file of readdirSync(context.data(folder)).filter((name) => name.endsWith('.glb'))) {
          if (context.wants(file)) rows.push(...(await fileRows(context, folder, file, scratch, loader)));
        }
      }
      return rows;
    } finally {
      await loader?.close();
      rmSync(scratch, { recursive: true });
    }
  },
};

async function loadRows(context, file, packed, rival, loader) {
  const rows = [];
  for (const [engine, name] of Object.entries(ENGINES)) {
    const { value, reference, ratio, low, high, pairs } = await loader.compare(engine, packed, rival);
    const [middle, ...bounds] = [ratio, low, high].map((number) => number.toFixed(3));
    context.log(`${file}: ${name} ${middle}, with 95 % from ${bounds.join(' to ')}, by ${pairs} pairs`);
    const metric = `time to load in ${name}`;
    rows.push({ case: file, metric, value, unit: 'ms', reference, referenceName: RIVAL, target: 'ratio <= 1' });
  }
  return rows;
}

async function fileRows(context, folder, file, scratch, loader) {
  context.log(file);
  const input = context.data(join(folder, file));
  const before = readFileSync(input);
  const pelt = peltOf(fileURLToPath(new URL('../..', import.meta.url)));
  const [own, other] = [join(scratch, `pelt-${file}`), join(scratch, `gltfpack-${file}`)];
  runCommand([...pelt, 'convert', input, '--compress', 'meshopt', '--for', 'none', '-o', own, '--quiet']);
  runCommand([process.execPath, GLTFPACK, '-cc', '-i', input, '-o', other]);
  const [packed, rival] = [readFileSync(own), readFileSync(other)];
  const [error, rivalError] = [await surfaceRms(before, packed), await surfaceRms(before, rival)];
  const matched = await smallestWithin(before, rivalError);
  const sent = Buffer.from((await compressGlb(before)).bytes);
  const forms = ['-cc', '-cz'].map((form) => rivalFile(form, input, other));
  const sizes = forms.map(brotliWithoutImages);
  const travelling = Math.min(...sizes);
  const smallest = forms[sizes.indexOf(travelling)];
  const sentAlike = await smallestWithin(before, await surfaceRms(before, smallest), 'brotli');
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
      metric: 'size without images after brotli',
      value: brotliWithoutImages(sent) / 1000,
      unit: 'KB',
      reference: travelling / 1000,
      referenceName: 'the better of gltfpack -cc and -cz',
      target: 'ratio <= 0.85',
    },
    {
      case: file,
      metric: 'size without images after brotli at the rms distance of gltfpack',
      value: brotliWithoutImages(sentAlike) / 1000,
      unit: 'KB',
      reference: travelling / 1000,
      referenceName: 'the better of gltfpack -cc and -cz',
      target: 'ratio <= 0.85',
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
  ];
  const simplified = (share) => rivalFile('-c', input, other, ['-si', String(share)]);
  rows.push(...(await lodRows(file, before, simplified, context.log)), ...textureRows(file, input, pelt, scratch));
  const ownTime = Math.min(
    ...[1, 2, 3].map(
      () => runCommand([...pelt, 'convert', input, '--compress', 'meshopt', '-o', own, '--quiet']).processor,
    ),
  );
  const rivalTime = Math.min(...[1, 2, 3].map(() => timedRival(input, other)));
  rows.push({
    case: file,
    metric: 'processor time to pack',
    value: ownTime,
    unit: 's',
    reference: rivalTime,
    referenceName: 'gltfpack -cz',
    target: 'ratio <= 5',
  });
  if (!loader) return rows;
  rows.push(...(await loadRows(context, file, packed, rival, loader)));
  const reduce = (from, ...words) =>
    runCommand([...pelt, 'reduce', from, ...words, '-o', join(scratch, `reduced-${file}`), '--quiet']).processor;
  if (file === MOBILE) {
    const cut = join(scratch, 'clips.glb');
    writeFileSync(cut, await inClips(before, MOBILE_CLIPS));
    const metric = `reduce --target mobile, ${MOBILE_CLIPS} clips`;
    rows.push({ case: file, metric, value: reduce(cut, '--target', 'mobile'), unit: 's', target: 'value <= 10' });
  }
  if (file === BUDGET.file) {
    const value = reduce(input, '--budget', String(BUDGET.kilobytes));
    rows.push({ case: file, metric: 'reduce --budget', value, unit: 's', target: 'value <= 120' });
  }
  return rows;
}

/** With all names, as pelt keeps them. */
function rivalFile(form, input, output, words = []) {
  runCommand([process.execPath, GLTFPACK, form, '-kn', '-km', '-ke', ...words, '-i', input, '-o', output]);
  return readFileSync(output);
}

function timedRival(input, output) {
  return runCommand([process.execPath, GLTFPACK, '-cz', '-kn', '-km', '-ke', '-i', input, '-o', output]).processor;
}

/** The smallest file that is not further off than an error, by the same measure as the rival's. */
async function smallestWithin(before, error, transport = 'none') {
  const size = (bytes) => (transport === 'none' ? bytes.length : brotliWithoutImages(bytes));
  let best;
  let maxError = error;
  for (let k = 0; k < MATCHES; k++) {
    const bytes = Buffer.from((await compressGlb(before, { maxError, transport })).bytes);
    const own = await surfaceRms(before, bytes);
    if (own <= error && (!best || size(bytes) < size(best))) best = bytes;
    maxError *= Math.min(Math.max((MATCHED * error) / own, 0.5), 2);
  }
  if (!best) throw new Error(`no file was found within ${error} of the diagonal`);
  return best;
}

/** The first clip of a file as several, one after the other. */
async function inClips(bytes, count) {
  const { rig, clips } = readRig(await readGltf(bytes));
  const [{ times, transforms }] = clips;
  const size = 12 * rig.bones.length;
  const parts = Array.from({ length: count }, (_, k) => {
    const [from, to] = [k, k + 1].map((at) => Math.floor((at * times.length) / count));
    return {
      name: `clip-${k}`,
      times: times.slice(from, to).map((time) => time - times[from]),
      transforms: transforms.slice(from * size, to * size),
    };
  });
  return (await writeSkinnedGlb({ rig, clips: parts })).bytes;
}
