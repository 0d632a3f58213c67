import { readObj, writeSkinnedGlb } from '@pelt/io';
import { IDENTITY_TRANSFORM, type Rig } from '@pelt/model';
import { PeltLoaderPlugin, peltMeshesOf } from '@pelt/three';
import { useEightWeights } from '@pelt/three/webgl';
import { Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// A triangle that follows eight bones to the same degree.
const rig: Rig = {
  name: 'triangle',
  mesh: readObj(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')),
  bones: Array.from({ length: 8 }, (_, j) => ({
    name: `bone-${j}`,
    parent: -1,
    rest: Float64Array.from(IDENTITY_TRANSFORM),
  })),
  weights: {
    slots: 8,
    bones: Uint16Array.from({ length: 24 }, (_, k) => k % 8),
    weights: new Float32Array(24).fill(1 / 8),
  },
};
const { bytes } = await writeSkinnedGlb({ rig, clips: [] });

const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser));
const gltf = await loader.parseAsync(bytes.slice().buffer, '');
const [mesh] = peltMeshesOf(gltf.scene); // also in gltf.userData.pelt.meshes
if (mesh.model.skin.slots !== 8) throw new Error('the plugin reads all weights of a vertex');

// One bone of eight moves by 4, so the vertices move by 0.5.
mesh.skeleton.joints[0].position.y = 4;
gltf.scene.updateMatrixWorld(true);
mesh.skeleton.update();
const { y } = mesh.getVertexPosition(0, new Vector3());
if (Math.abs(y - 0.5) > 1e-6) throw new Error('an eighth of the way');

// The classic WebGLRenderer plays the first four weights by itself, and all eight after this.
if (useEightWeights(gltf.scene)[0] !== mesh) throw new Error('the mesh has five weights or more');
mesh.dispose();
