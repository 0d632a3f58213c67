/** A file on a stage: loaded with the plugin, under a parent that is moved, turned and scaled, at a moment of its clip. */
import { AnimationMixer, DirectionalLight, Group, type Mesh, Scene, type SkinnedMesh } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type PeltContent, PeltLoaderPlugin, type PeltMesh } from '../../../src/index.ts';

export interface Stage {
  readonly gltf: GLTF;
  readonly scene: Scene;
  readonly parent: Group;
  readonly mixer: AnimationMixer;
  readonly mesh: PeltMesh;
}

export async function load(file: string, options: { all?: boolean; plain?: boolean } = {}): Promise<GLTF> {
  const loader = new GLTFLoader();
  if (!options.plain) loader.register((parser) => new PeltLoaderPlugin(parser, { all: options.all ?? false }));
  // FileLoader abandons its stream at the end, which the page would report as a failed request.
  const bytes = await (await fetch(file)).arrayBuffer();
  return loader.parseAsync(bytes, '');
}

export async function stage(file: string, options: { all?: boolean; plain?: boolean } = {}): Promise<Stage> {
  const gltf = await load(file, options);
  const scene = new Scene();
  const parent = new Group();
  parent.position.set(3, -2, 1.5);
  parent.rotation.set(0.4, 1.1, -0.7);
  parent.scale.set(1.4, 0.8, 1.1);
  parent.add(gltf.scene);
  scene.add(parent, new DirectionalLight());
  return { gltf, scene, parent, mixer: new AnimationMixer(gltf.scene), mesh: firstMesh(gltf) };
}

export function firstMesh(gltf: GLTF): PeltMesh {
  const content = gltf.userData.pelt as PeltContent | undefined;
  if (content?.meshes.length) return content.meshes[0];
  const found: SkinnedMesh[] = [];
  gltf.scene.traverse((child) => {
    if ((child as Mesh).isMesh) found.push(child as SkinnedMesh);
  });
  return found[0] as PeltMesh;
}

export function play({ gltf, mixer, scene }: Stage, time: number): void {
  mixer.stopAllAction();
  const action = mixer.clipAction(gltf.animations[0]);
  action.play();
  mixer.setTime(time);
  scene.updateMatrixWorld(true);
}
