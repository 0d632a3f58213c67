/** A character from a GLB on the stage, in the calm grey of everything that hands are on. */
import { type MeshSliders, type PeltContent, PeltLoaderPlugin, type PeltMesh, PoseMorphs } from '@pelt/three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type AnimationClip, Color, MeshStandardMaterial, type Object3D } from 'three/webgpu';
import { NEUTRAL } from './palette.ts';
import type { Stage } from './stage.ts';

export interface Character {
  readonly root: Object3D;
  readonly mesh: PeltMesh;
  readonly meshes: readonly PeltMesh[];
  readonly clips: readonly AnimationClip[];
  /** Sets the morph targets that follow the pose, where the skin has such. */
  readonly morphs: readonly PoseMorphs[];
  /** Where the file has sliders. */
  readonly sliders: MeshSliders | undefined;
}

/**
 * Reads a file and puts it on the stage.
 *
 * @param all  also meshes that carry no model of pelt
 */
export async function openCharacter(stage: Stage, bytes: ArrayBuffer, all = true): Promise<Character> {
  const loader = new GLTFLoader()
    .setMeshoptDecoder(MeshoptDecoder)
    .register((parser) => new PeltLoaderPlugin(parser, { all }));
  const gltf = await loader.parseAsync(bytes.slice(0), '');
  const { meshes, eigenskin, sliders } = gltf.userData.pelt as PeltContent;
  const [mesh] = meshes;
  if (!mesh) throw new Error('the file has no skinned mesh; fit bones again');
  for (const part of meshes) {
    part.material = new MeshStandardMaterial({ color: new Color().setRGB(...NEUTRAL), roughness: 0.78 });
    part.castShadow = true;
    part.frustumCulled = false;
  }
  stage.world.add(gltf.scene);
  gltf.scene.updateMatrixWorld(true);
  const morphs = eigenskin ? meshes.map((part) => new PoseMorphs(part, eigenskin, gltf.scene)) : [];
  return { root: gltf.scene, mesh, meshes, clips: gltf.animations, morphs, sliders };
}

export function closeCharacter({ root, meshes }: Character): void {
  root.removeFromParent();
  for (const mesh of meshes) {
    mesh.geometry.dispose();
    mesh.dispose();
  }
}

/** Names of the joints as the file has them: three.js changes some. */
export function jointNames({ skeleton }: PeltMesh): string[] {
  return skeleton.joints.map(({ name, userData }) => (typeof userData.name === 'string' ? userData.name : name));
}
