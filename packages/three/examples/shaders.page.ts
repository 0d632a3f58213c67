// In a page.
import { PeltLoaderPlugin, type PeltMesh } from '@pelt/three';
import { enhance, updateSkins, uploadBytes } from '@pelt/three/webgpu';
import { AnimationMixer, PerspectiveCamera, Scene } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { WebGPURenderer } from 'three/webgpu';

const renderer = new WebGPURenderer();
await renderer.init();
const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser));
const gltf = await loader.loadAsync('models/arm.glb');
const scene = new Scene().add(gltf.scene);
const camera = new PerspectiveCamera();
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();

const [mesh]: PeltMesh[] = enhance(scene, renderer, { normals: 'exact' });
for (let frame = 0; frame < 3; frame++) {
  mixer.update(1 / 60);
  updateSkins(scene, renderer); // once per frame, before rendering
  renderer.render(scene, camera);
}
if (uploadBytes(mesh) > 16_384) throw new Error('no more than the palette is uploaded');
mesh.dispose();
mesh.geometry.dispose();
renderer.dispose();
