import { puppetExtension, readGltf, readPuppet, writeSkinnedGlb } from '@pelt/io';
import { elbowScene } from '@pelt/testkit';

const { rig, clip } = elbowScene({ frames: 3, rings: 9, sides: 6 });
const pose = (t: number) => ({ transforms: clip.transforms.slice(24 * t, 24 * (t + 1)) });
const pairs = {
  name: 'arm',
  joints: ['shoulder', 'elbow', 'hand'],
  neutral: 0,
  pairs: [
    { name: 'straight', performer: Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), character: pose(0) },
    { name: 'bent', performer: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0), character: pose(2) },
  ],
};
const extension = puppetExtension({ pairs, settings: { parts: 'limbs', contacts: 'none' } });
const { bytes } = await writeSkinnedGlb({ rig, clips: [clip], extensions: [extension] });

const saved = readPuppet(await readGltf(bytes, { name: 'arm.glb' }), rig.bones.length);
if (saved?.pairs.pairs[1].name !== 'bent' || saved.settings.parts !== 'limbs')
  throw new Error('pairs travel in the file');
