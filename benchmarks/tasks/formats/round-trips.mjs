/**
 * Characters written as FBX, USDZ and VRM, read by programs that are not ours, and compared with what pelt plays of the GLB:
 * every corner, at moments between keys, of every clip.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fbxToGlb, glbToFbx, glbToUsdz, readObj, readPc2, sequenceFromCache, usdToGlb, writeMorphGlb } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { readAssimp } from './readers/assimp.mjs';
import { hasBlender, readBlender } from './readers/blender.mjs';
import { compareReaders, momentsOf } from './readers/compare.mjs';
import { readOwn } from './readers/own.mjs';
import { readThreeFbx } from './readers/three-fbx.mjs';
import { readThreeUsd } from './readers/three-usd.mjs';
import { readThreeVrm } from './readers/three-vrm.mjs';

/** Largest distance of a corner, over the size of the model. */
const MOST_DISTANCE = 1e-4;
const MOMENTS = { moments: 5 };
const FOLDERS = ['gltf', 'rigs'];
/** Those that the commands recognise as a human body. */
const BODIES = ['Soldier.glb', 'human-male.glb', 'cryptovoxels.vrm'];

export async function roundTripRows(context) {
  const rows = [];
  const blender = hasBlender();
  if (!blender) context.log('Blender is not installed; npm run test:blender installs it');
  for (const { name, load } of subjects(context)) {
    const wanted = ['FBX', 'USDZ', 'VRM'].some((format) => context.wants(`${name} → ${format}`));
    if (!wanted) continue;
    context.log(name);
    const glb = await load();
    const own = await readOwn(glb);
    const compare = (format, reader, other, options = MOMENTS) => {
      const { distance, where, differences } = compareReaders(own, other, options);
      const label = `${name} → ${format} → ${reader}`;
      if (distance > MOST_DISTANCE || differences.length > 0)
        context.log(`${label}: ${where}; ${differences.join('; ')}`);
      rows.push(
        { case: label, metric: 'distance', value: distance, unit: 'sizes', target: `value <= ${MOST_DISTANCE}` },
        {
          case: label,
          metric: 'missing clips, parts, materials',
          value: differences.length,
          unit: '',
          target: 'value <= 0',
        },
      );
    };
    await quietly(async () => {
      if (context.wants(`${name} → FBX`)) {
        const fbx = await glbToFbx(glb);
        compare('FBX', 'pelt', await readOwn(await fbxToGlb(fbx)));
        compare('FBX', 'three', readThreeFbx(fbx));
        if (!morphs(own)) compare('FBX', 'assimp', await readAssimp(fbx));
        if (blender) {
          // Blender has no pose of a skeleton beside that in which it is bound, and that of a clip.
          compare('FBX', 'Blender', readBlender(fbx, 'fbx', momentsOf(own, MOMENTS)), { ...MOMENTS, rest: false });
        }
      }
      if (context.wants(`${name} → USDZ`)) {
        const usdz = await glbToUsdz(glb);
        compare('USDZ', 'pelt', await readOwn(await usdToGlb(usdz)));
        // three's loader of USD reads no blend shapes, and no names of materials.
        if (!morphs(own)) compare('USDZ', 'three', { ...readThreeUsd(usdz), materials: own.materials });
      }
      if (context.wants(`${name} → VRM`) && BODIES.includes(name)) {
        const files = new MemoryFiles({ 'in.glb': Uint8Array.from(glb) });
        const outputs = new MemoryOutputs();
        await runJob({ command: 'convert', inputs: ['in.glb'], output: 'out.vrm' }, { files, outputs });
        const other = await readThreeVrm(outputs.files.get('out.vrm'));
        compare('VRM', 'three-vrm', other);
        rows.push({
          case: `${name} → VRM → three-vrm`,
          metric: 'human bones',
          value: other.bones,
          unit: '',
          target: 'value >= 15',
        });
      }
    });
  }
  return rows;
}

function morphs({ clips }) {
  return clips.some(({ channels }) => channels.some(({ path }) => path === 'weights'));
}

function subjects(context) {
  const files = FOLDERS.flatMap((folder) => {
    const path = context.data(folder);
    return existsSync(path) ? readdirSync(path).map((file) => `${path}/${file}`) : [];
  });
  return [
    ...files.map((path) => ({ name: basename(path), load: () => readFileSync(path) })),
    { name: 'face', load: () => faceGlb(context) },
  ];
}

/** Shapes of a face as morph targets, one a frame. */
async function faceGlb(context) {
  const rest = readObj(readFileSync(context.data('face/rest.obj')));
  const sequence = sequenceFromCache(rest, readPc2(readFileSync(context.data('face/shapes.pc2'))));
  return (await writeMorphGlb(sequence)).bytes;
}

/** Loaders tell the console of pictures that they cannot decode without a page. */
async function quietly(action) {
  const { warn, error } = console;
  console.warn = () => {};
  console.error = () => {};
  try {
    await action();
  } finally {
    console.warn = warn;
    console.error = error;
  }
}
