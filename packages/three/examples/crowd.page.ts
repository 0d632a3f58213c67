// In a page.
import { PeltLoaderPlugin, peltMeshesOf } from '@pelt/three';
import { PeltCrowd, PeltCrowdGroup } from '@pelt/three/webgpu';
import { Matrix4, PerspectiveCamera, Scene } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { WebGPURenderer } from 'three/webgpu';

const renderer = new WebGPURenderer();
await renderer.init();
const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
const gltf = await loader.loadAsync('models/small.glb');
const [mesh] = peltMeshesOf(gltf.scene);

// A hundred creatures in one draw call, each at its own place in the clip.
const crowd = new PeltCrowd(mesh, renderer, 100, { clip: gltf.animations[0], root: gltf.scene });
const scene = new Scene().add(crowd);
const place = new Matrix4();
for (let k = 0; k < 100; k++) {
  crowd.setMatrixAt(k, place.makeTranslation(k % 10, 0, -Math.floor(k / 10)));
  crowd.setTimeAt(k, 0.1 * k);
}
crowd.update(renderer); // once per frame, before rendering
renderer.render(scene, new PerspectiveCamera());
if (crowd.uploadBytes !== 8 * 100) throw new Error('8 bytes per instance and frame');
crowd.dispose();

// All meshes of a character at once.
const group = new PeltCrowdGroup(gltf.scene, renderer, 100, { clip: gltf.animations[0] });
group.setMatrixAt(3, place);
group.setTimeAt(3, 0.5);
group.update(renderer);
if (group.crowds.length !== peltMeshesOf(gltf.scene).length) throw new Error('a crowd for each mesh');
group.dispose();
renderer.dispose();
