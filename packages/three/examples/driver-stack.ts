import { writeSkinnedGlb } from '@pelt/io';
import { poseFromJoints } from '@pelt/model';
import { armScene } from '@pelt/testkit';
import { bonesOf, type DriverLayer, DriverStack, PeltLoaderPlugin, peltMeshesOf } from '@pelt/three';
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const { rig, clip } = armScene({ frames: 4 });
const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
const gltf = await loader.parseAsync(bytes.buffer, '');
const [mesh] = peltMeshesOf(gltf.scene);

// A clip moves all joints; on top of it something else has the last of them.
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();
const stack = new DriverStack(mesh);
const bones = bonesOf(mesh.skeleton.joints, mesh.skeleton.inverses);
const last = bones[bones.length - 1].name;
const hand: DriverLayer = stack.add('hand', { joints: [last] });

mixer.setTime(0.05);
hand.setTransforms(poseFromJoints(bones, { [last]: { degrees: [0, 0, 30] } }).transforms);
stack.update(); // once per frame
mesh.skeleton.update();
const shown = mesh.skeleton.transforms.slice();

hand.enabled = false;
stack.update();
mesh.skeleton.update();
const root = shown.subarray(0, 12).every((value, k) => value === mesh.skeleton.transforms[k]);
if (!root || shown.every((value, k) => value === mesh.skeleton.transforms[k]))
  throw new Error('the hand alone differs');
