/** A VRM by three's GLTFLoader with the plug-in of three-vrm. */
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { Texture } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { readThreeScene } from './three-scene.mjs';

export async function readThreeVrm(bytes) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register(() => ({ name: 'no-textures', loadTexture: () => Promise.resolve(new Texture()) }));
  const { scene, animations, userData } = await loader.parseAsync(new Uint8Array(bytes).buffer, '');
  if (!userData.vrm) throw new Error('three-vrm finds no avatar');
  const bones = Object.values(userData.vrm.humanoid.rawHumanBones).filter((bone) => bone?.node).length;
  return { ...readThreeScene(scene, animations, 1), bones };
}
