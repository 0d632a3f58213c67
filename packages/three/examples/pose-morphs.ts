import { writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { decompose, eigenSkin } from '@pelt/skin';
import { elbowScene } from '@pelt/testkit';
import { PeltLoaderPlugin, PoseMorphs, peltMeshesOf } from '@pelt/three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// What pelt fit --eigenskin 2 writes.
const numerics = await openNumerics({ threads: 1 });
const { sequence } = elbowScene({ frames: 7, rings: 9, sides: 6 });
const { rig, clip } = decompose(sequence, { bones: 2, restPose: 'keep' }, { numerics });
const { deltas, amounts } = eigenSkin({ sequence, rig, clip }, { rank: 2 }, { numerics });
numerics.close();
const { bytes } = await writeSkinnedGlb({ rig, clips: [clip], morphs: { deltas, weights: [amounts] } });

const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
const gltf = await loader.parseAsync(bytes.slice().buffer, '');
const [mesh] = peltMeshesOf(gltf.scene);
const morphs = new PoseMorphs(mesh, gltf.animations);

// Whatever moves the joints, in every frame:
mesh.skeleton.joints[1].rotation.z += 0.1;
morphs.update();
if (!mesh.morphTargetInfluences?.some((amount) => amount !== 0)) throw new Error('the morph targets follow the joints');
