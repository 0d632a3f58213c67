/** An FBX by three's FBXLoader. */
import { Group, LoadingManager, Texture } from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { readThreeScene } from './three-scene.mjs';

export function loadThreeFbx(bytes) {
  const manager = new LoadingManager();
  // Pictures would need a page.
  manager.addHandler(/./, { setPath() {}, load: () => new Texture() });
  globalThis.window ??= { innerWidth: 16, innerHeight: 9 };
  // The loader looks the mesh of a morph animation up by its name, and stops where a bone has the same.
  Group.prototype.getObjectByName = function (name) {
    let found;
    this.traverse((object) => {
      if (object.name === name && object.morphTargetDictionary) found ??= object;
    });
    return found ?? { morphTargetDictionary: {} };
  };
  try {
    return new FBXLoader(manager).parse(new Uint8Array(bytes).buffer, '');
  } finally {
    delete Group.prototype.getObjectByName;
  }
}

export function readThreeFbx(bytes) {
  const root = loadThreeFbx(bytes);
  return readThreeScene(root, root.animations, 0.01 * (root.userData.unitScaleFactor ?? 1));
}
