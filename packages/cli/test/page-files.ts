import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FrameMeshes, writeObj, writePc2, writeSkinnedGlb } from '@pelt/io';
import { frameCount } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { writeDogFiles } from './fixtures.ts';

/** What the pages work on: a mesh, its cache, the same as a folder of frames, a skinned character, a dog and a performance. */
export async function writePageFiles(folder: string): Promise<void> {
  const { sequence, rig, clip } = creatureScene({ frames: 6, detail: 0.11 });
  const meshes = new FrameMeshes(sequence);
  mkdirSync(join(folder, 'frames'));
  writeFileSync(join(folder, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'clip.pc2'), writePc2(sequence));
  for (let t = 0; t < frameCount(sequence); t++) {
    writeFileSync(join(folder, 'frames', `frame-${t + 1}.obj`), writeObj(meshes.at(t))[0].bytes);
  }
  writeFileSync(join(folder, 'character.glb'), (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
  await writeDogFiles(folder);
}
