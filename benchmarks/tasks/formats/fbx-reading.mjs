/** How long reading an FBX takes beside three's loader, and how much memory beside the arrays that it holds. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { glbToFbx, readObj, readPc2, sequenceFromCache, writeMorphGlb } from '@pelt/io';
import { loadThreeFbx } from './readers/three-fbx.mjs';

/** Large enough that what a process takes by itself does not count. */
const MEMORY_FILES = ['rigs/horse.glb', 'horse-gallop'];
const MOST_MEMORY = 1.5;
const FILES = ['gltf/BrainStem.glb', 'gltf/Soldier.glb', 'rigs/horse.glb'];

export async function fbxReadingRows(context) {
  const rows = [];
  const { readFbxScene } = await import(new URL('../../../packages/io/dist/fbx/read-fbx.js', import.meta.url));
  const { WarningTally } = await import(new URL('../../../packages/io/dist/warning-tally.js', import.meta.url));
  for (const file of FILES) {
    const name = `reading ${file.replace('.glb', '.fbx')}`;
    if (!context.wants(name)) continue;
    context.log(name);
    const fbx = await glbToFbx(readFileSync(context.data(file)));
    const warnings = new WarningTally('FBX', undefined);
    const options = { name: '', label: 'FBX', resolve: undefined, warnings };
    const { warn } = console;
    console.warn = () => {};
    const { value, reference } = context.compareTimes(
      () => readFbxScene(fbx, options),
      () => loadThreeFbx(fbx),
    );
    console.warn = warn;
    rows.push({
      case: name,
      metric: 'time',
      value: value / 1000,
      unit: 's',
      reference: reference / 1000,
      referenceName: 'three FBXLoader',
      target: 'ratio <= 1',
    });
  }
  return [...rows, ...(await memoryRows(context))];
}

async function memoryRows(context) {
  const rows = [];
  const folder = mkdtempSync(join(tmpdir(), 'pelt-fbx-'));
  try {
    for (const file of MEMORY_FILES) {
      const name = `memory of reading ${file.replace('.glb', '')}.fbx`;
      if (!context.wants(name)) continue;
      context.log(name);
      const [small, large] = [join(folder, 'small.fbx'), join(folder, 'large.fbx')];
      writeFileSync(small, await glbToFbx(readFileSync(context.data('gltf/RiggedSimple.glb'))));
      writeFileSync(large, await glbToFbx(await glbOf(context, file)));
      const child = fileURLToPath(new URL('./children/fbx-memory.mjs', import.meta.url));
      const { grown, arrays } = JSON.parse(
        execFileSync(process.execPath, ['--expose-gc', child, small, large], { encoding: 'utf8' }),
      );
      rows.push({
        case: name,
        metric: 'memory',
        value: grown / 1e6,
        unit: 'MB',
        reference: arrays / 1e6,
        referenceName: 'its arrays',
        target: `ratio <= ${MOST_MEMORY}`,
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows;
}

/** A file of the data, or a mesh and its cache as morph targets. */
async function glbOf(context, file) {
  if (file.endsWith('.glb')) return readFileSync(context.data(file));
  const rest = readObj(readFileSync(context.data(`${file}/rest.obj`)));
  const sequence = sequenceFromCache(rest, readPc2(readFileSync(context.data(`${file}/clip.pc2`))));
  return (await writeMorphGlb(sequence)).bytes;
}
