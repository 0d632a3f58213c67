import { glbToVrm, REQUIRED_BONES, readGltf, springNodes, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';

const { rig, clip } = chainScene({ joints: ['hinge'], frames: 4, ringsPerLink: 3, sides: 5 });
const { bytes: glb } = await writeSkinnedGlb({ rig, clips: [clip] });

// Node 1 stands for every bone here; a character names its own.
const humanoid = Object.fromEntries(REQUIRED_BONES.map((bone) => [bone, 1]));
const vrm = await glbToVrm(glb, { title: 'hero', humanoid, authors: ['me'] });
const { scene } = await readGltf(vrm);
if (!scene.bones.some(({ place }) => place === 'hips')) throw new Error('the file says which bone is which');
if (springNodes(vrm).size > 0) throw new Error('nothing swings here');
