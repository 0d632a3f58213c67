/** How long reading an FBX takes beside three's loader. */
import { readFileSync } from 'node:fs';
import { glbToFbx } from '@pelt/io';
import { loadThreeFbx } from './readers/three-fbx.mjs';

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
  return rows;
}
