import { readFile } from 'node:fs/promises';
import { fbxToGlb, glbToFbx, readGltf } from '@pelt/io';

const glb = await fbxToGlb(await readFile('character.fbx'), { name: 'character.fbx' });
const { skinned, animations } = await readGltf(glb);
if (!skinned || animations.length !== 1) throw new Error('the skin and its clip are in the GLB');

const fbx = await glbToFbx(glb, { name: 'character.glb' });
if (new TextDecoder().decode(fbx.subarray(0, 18)) !== 'Kaydara FBX Binary') throw new Error('a binary FBX is written');
