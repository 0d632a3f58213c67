// In a page.
import { AppendSceneAsync, Engine, Scene } from '@babylonjs/core';
import '@babylonjs/loaders/glTF/index.js';
import { peltSkinOf, registerPelt } from '@pelt/babylon';

registerPelt();
const scene = new Scene(new Engine(document.createElement('canvas')));
scene.createDefaultCamera();

await AppendSceneAsync('face.glb', scene);
const mesh = scene.meshes.find((each) => peltSkinOf(each));
const sliders = mesh && peltSkinOf(mesh)?.sliders;
sliders?.set(sliders.names[0], 0.7);
scene.render();
