/** A USDZ by three's USDLoader. */
import { ImageLoader } from 'three';
import { USDLoader } from 'three/addons/loaders/USDLoader.js';
import { readThreeScene } from './three-scene.mjs';

export function readThreeUsd(bytes) {
  const { load } = ImageLoader.prototype;
  // Pictures would need a page.
  ImageLoader.prototype.load = () => ({});
  try {
    const root = new USDLoader().parse(new Uint8Array(bytes).buffer, '');
    return readThreeScene(root, root.animations ?? [], 1);
  } finally {
    ImageLoader.prototype.load = load;
  }
}
