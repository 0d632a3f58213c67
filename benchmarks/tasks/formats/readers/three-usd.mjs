/** A USDZ by three's USDLoader. */
import { USDLoader } from 'three/addons/loaders/USDLoader.js';
import { readThreeScene } from './three-scene.mjs';

export function readThreeUsd(bytes) {
  const root = new USDLoader().parse(new Uint8Array(bytes).buffer, '');
  return readThreeScene(root, root.animations ?? [], 1);
}
