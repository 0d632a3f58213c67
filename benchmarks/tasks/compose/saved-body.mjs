/** A solid that was saved with its character, beside filling the same mesh again: processor time until it can be posed. */
import { bodyExtension, readCharacter, readGltf, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { bindVolume, surfaceWeights, tetrahedralize } from '@pelt/skin';
import { solidCharacter } from './solid-characters.mjs';

export { needs } from './solid-characters.mjs';

const ROUNDS = 5;

export async function measure(context) {
  const title = 'armadillo, its solid opened again';
  if (!context.wants(title)) return [];
  context.log(title);
  const { mesh, bones, clip } = solidCharacter(context, 'armadillo');
  const numerics = await openNumerics({ threads: 1 });
  const run = { numerics };
  try {
    const { mesh: body } = tetrahedralize(mesh);
    const weights = surfaceWeights({ body, bones }, {}, run);
    const rig = { name: 'armadillo', mesh, bones, weights };
    const binding = bindVolume({ body, bones, weights }, {}, run);
    const extensions = [bodyExtension({ ...binding, settings: {} })];
    const plain = (await writeSkinnedGlb({ rig, clips: [clip] })).bytes;
    const solid = (await writeSkinnedGlb({ rig, clips: [clip], extensions })).bytes;
    const [opened, filled] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      opened.push(
        await seconds(async () => {
          if (!readCharacter(await readGltf(solid, { name: 'solid.glb' })).body)
            throw new Error('no solid in the file');
        }),
      );
      filled.push(
        await seconds(async () => {
          const { mesh: surface, joints, skin } = readCharacter(await readGltf(plain, { name: 'plain.glb' }));
          const made = tetrahedralize(surface).mesh;
          bindVolume({ body: made, bones: joints, weights: skin.weights }, {}, run);
        }),
      );
    }
    return [
      {
        case: title,
        metric: `processor time, ${mesh.positions.length / 3} vertices`,
        value: median(opened),
        unit: 's',
        reference: median(filled),
        referenceName: 'filling it',
        target: 'ratio <= 0.2',
      },
    ];
  } finally {
    numerics.close();
  }
}

async function seconds(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
