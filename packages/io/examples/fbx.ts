import { readFile } from 'node:fs/promises';
import { fbxToGlb, readGltf } from '@pelt/io';

const glb = await fbxToGlb(await readFile('character.fbx'), { name: 'character.fbx' });
const { skinned, animations } = await readGltf(glb);
if (!skinned || animations.length !== 1) throw new Error('the skin and its clip are in the GLB');
