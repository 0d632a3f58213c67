// In a page.
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { AppendSceneAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { peltSkinOf, registerPelt } from '@pelt/babylon';

registerPelt();
const scene = new Scene(new Engine(document.createElement('canvas')));
scene.createDefaultCamera();

await AppendSceneAsync('face.glb', scene);
const mesh = scene.meshes.find((each) => peltSkinOf(each));
const sliders = mesh && peltSkinOf(mesh)?.sliders;
sliders?.set(sliders.names[0], 0.7);
scene.render();
