/** A character from a GLB on the stage, in the calm grey of everything that hands are on. */
import { PeltLoaderPlugin, type PeltMesh } from '@pelt/three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type AnimationClip, Color, MeshStandardMaterial, type Object3D } from 'three/webgpu';
import { NEUTRAL } from './palette.ts';
import type { Stage } from './stage.ts';

export interface Character {
  readonly root: Object3D;
  readonly mesh: PeltMesh;
  readonly meshes: readonly PeltMesh[];
  readonly clips: readonly AnimationClip[];
}

/**
 * Reads a file and puts it on the stage.
 *
 * @param all  also meshes that carry no model of pelt
 */
export async function openCharacter(stage: Stage, bytes: ArrayBuffer, all = true): Promise<Character> {
  const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all }));
  const gltf = await loader.parseAsync(bytes.slice(0), '');
  const { meshes } = gltf.userData.pelt as { meshes: readonly PeltMesh[] };
  const [mesh] = meshes;
  if (!mesh) throw new Error('the file has no skinned mesh; fit bones again');
  for (const part of meshes) {
    part.material = new MeshStandardMaterial({ color: new Color().setRGB(...NEUTRAL), roughness: 0.78 });
    part.castShadow = true;
    part.frustumCulled = false;
  }
  stage.world.add(gltf.scene);
  gltf.scene.updateMatrixWorld(true);
  return { root: gltf.scene, mesh, meshes, clips: gltf.animations };
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
