// In a page.
import { writeSkinnedGlb } from '@pelt/io';
import { barCharacter, PERFORMER_JOINTS, PERFORMER_POSES, performerPose } from '@pelt/testkit';
import { PeltLoaderPlugin, PuppetDriver, peltMeshesOf } from '@pelt/three';
import { Scene } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const { rig, registration } = barCharacter();
const { bytes } = await writeSkinnedGlb({ rig, clips: [] });
const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
const gltf = await loader.parseAsync(bytes.slice().buffer, '');
new Scene().add(gltf.scene).updateMatrixWorld(true);
const [mesh] = peltMeshesOf(gltf.scene);

// Pairs of poses say how the character answers to the performer.
const driver = new PuppetDriver(mesh, registration, PERFORMER_JOINTS);
await driver.ready;
const changed = new Promise((resolve) => driver.addEventListener('change', resolve));
driver.update(performerPose(PERFORMER_POSES.armsFront), 0); // joints of the performer, and seconds
await changed;
mesh.skeleton.update();
if (!mesh.skeleton.isDriven) throw new Error('the puppet poses the mesh');
driver.dispose();
