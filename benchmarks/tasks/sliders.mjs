/**
 * Bones that follow the sliders of a face: a captured face of 57 expressions and a made one, with default options, beside
 * their morph targets as they are and packed by gltfpack, in the same run. Distances are of vertices of the written file,
 * every slider fully on; gltfpack's are those of its file at the same expressions.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGltf, writeObj, writePc2 } from '@pelt/io';
import { boundsOf, diagonalOf } from '@pelt/model';
import { faceShapes } from '@pelt/testkit';
import { peltOf, runCommand } from '../harness/run-command.mjs';
import { surfaceRms } from './assets/surface-rms.mjs';
import { frameRows } from './sliders/frame-rows.mjs';

const GLTFPACK = fileURLToPath(import.meta.resolve('gltfpack/cli.js'));
const RIVAL = 'gltfpack -cz';
/** Bits of a position: gltfpack's default, and what brings its error near that of forty bones. */
const BITS = [14, 12, 11, 10];
const PELT = peltOf(fileURLToPath(new URL('../..', import.meta.url)));

export default {
  name: 'sliders',
  needs: ['face/rest.obj', 'face/shapes.pc2', 'face/names.json'],
  async run(context) {
    const scratch = mkdtempSync(join(tmpdir(), 'pelt-sliders-'));
    try {
      const rows = [];
      if (context.wants('captured face')) {
        const [rest, shapes, names] = ['rest.obj', 'shapes.pc2', 'names.json'].map((f) => context.data(`face/${f}`));
        const face = { rest, shapes, names, unit: 'cm', targets: true };
        rows.push(...(await faceRows(context, 'captured face', face, scratch)));
      }
      if (context.wants('made face')) rows.push(...(await faceRows(context, 'made face', madeFace(scratch), scratch)));
      return rows;
    } finally {
      rmSync(scratch, { recursive: true });
    }
  },
};

/** About five thousand vertices, 15 sliders, a head of 24 cm. */
function madeFace(scratch) {
  const { mesh, shapes, names } = faceShapes({ step: 0.004 });
  const [rest, cache, list] = ['made.obj', 'made.pc2', 'made.json'].map((file) => join(scratch, file));
  const times = Float64Array.from(names, (_, s) => s / 24);
  writeFileSync(rest, writeObj(mesh)[0].bytes);
  writeFileSync(cache, writePc2({ name: 'made', rest: mesh, times, frames: shapes }));
  writeFileSync(list, JSON.stringify(names));
  return { rest, shapes: cache, names: list, unit: 'm', targets: false };
}

async function faceRows(context, name, { rest, shapes, names, unit, targets }, scratch) {
  context.log(name);
  const [own, morphs] = ['own', 'morphs'].map((file) => join(scratch, `${file}.glb`));
  const pelt = (...words) => runCommand([...PELT, 'sliders', '--unit', unit, '--threads', '1', ...words]);
  const ran = pelt(rest, shapes, '--names', names, '-o', own, '--json');
  const { error, mixtures, maps, output, bones, weightsPerVertex } = JSON.parse(ran.stdout);
  runCommand([...PELT, 'convert', rest, shapes, '-o', morphs, '--quiet']);
  const goal = (target) => targets && { target };
  const row = (metric, value, unitName, more) => ({ case: name, metric, value, unit: unitName, ...more });
  const rows = [
    row('bones', bones, 'bones', { reference: weightsPerVertex, referenceName: 'weights per vertex' }),
    row('rms distance', error.rms, 'mm', goal('value <= 0.1')),
    row('mean distance', error.mean, 'mm', goal('value <= 0.05')),
    row('largest distance', error.max, 'mm', goal('value <= 2')),
    row(`rms distance over ${mixtures.count} mixtures`, mixtures.rms, 'mm', {
      reference: error.rms,
      referenceName: 'one slider fully on',
      target: 'ratio <= 1.3',
    }),
    row('zeros in the maps', 100 * maps.zeros, '%', { target: 'value >= 85' }),
    row('size', output.bytes / 1000, 'KB', goal('value <= 300')),
    row('size beside morph targets', output.bytes / 1000, 'KB', {
      reference: readFileSync(morphs).length / 1000,
      referenceName: 'morph targets',
      target: 'ratio <= 0.1',
    }),
  ];
  if (context.times) rows.push(row('processor time', ran.processor, 's', goal('value <= 60')));
  rows.push(...(await rivalRows(row, { error, output, unit, morphs, scratch, goal })));
  if (context.times && targets) {
    context.log(`${name}: frames in three.js`);
    const clip = join(scratch, 'clip.glb');
    pelt(morphs, '--compress', 'none', '-o', clip, '--quiet');
    rows.push(...(await frameRows(name, { sliders: readFileSync(clip), morphs: readFileSync(morphs) })));
  }
  return rows;
}

/** Sizes and distances beside gltfpack's, at several of its precisions. */
async function rivalRows(row, { error, output, unit, morphs, scratch, goal }) {
  const packed = join(scratch, 'packed.glb');
  const before = readFileSync(morphs);
  const size = output.bytes / 1000;
  const { mesh } = await readGltf(before);
  const millimetres = { m: 1000, cm: 10, mm: 1 }[unit] * diagonalOf(boundsOf(mesh.positions));
  const rivals = [];
  for (const bits of BITS) {
    runCommand([process.execPath, GLTFPACK, '-cz', '-af', '0', '-vp', String(bits), '-i', morphs, '-o', packed]);
    const rival = readFileSync(packed);
    const distance = millimetres * (await surfaceRms(before, rival, true));
    rivals.push({ name: `${RIVAL} -vp ${bits}`, size: rival.length / 1000, distance });
  }
  const rows = rivals.flatMap(({ name, size: reference, distance }) => [
    row(`size beside ${name}`, size, 'KB', { reference, referenceName: name }),
    row(`rms distance beside ${name}`, error.rms, 'mm', { reference: distance, referenceName: name }),
  ]);
  // The finest that errs no less.
  const like = rivals.find(({ distance }) => distance >= error.rms);
  if (!like) return rows;
  const beside = { reference: like.size, referenceName: like.name, ...goal('ratio <= 0.45') };
  return [...rows, row(`size at no larger error than ${RIVAL}`, size, 'KB', beside)];
}
