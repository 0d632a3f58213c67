/** A file of the examples' models in Node: loaded as in a page, without a renderer. */
import { AnimationMixer, type Object3D, Scene } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type PeltContent, type PeltLoaderOptions, PeltLoaderPlugin, type PeltMesh } from '../src/index.ts';

export interface Loaded {
  readonly gltf: GLTF;
  readonly scene: Scene;
  readonly mesh: PeltMesh;
  /** Poses everything at a time of the first clip. */
  play(time: number, root?: Object3D): void;
}

export async function loadModel(
  bytes: Uint8Array,
  options: Partial<PeltLoaderOptions> = { all: true },
): Promise<Loaded> {
  const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, options));
  const gltf = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
  const scene = new Scene();
  scene.add(gltf.scene);
  const { meshes } = gltf.userData.pelt as PeltContent;
  return {
    gltf,
    scene,
    mesh: meshes[0],
    play(time, root = gltf.scene) {
      const mixer = new AnimationMixer(root);
      mixer.clipAction(gltf.animations[0]).play();
      mixer.setTime(time);
      scene.updateMatrixWorld(true);
    },
  };
}
