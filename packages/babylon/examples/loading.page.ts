// In a page.
import { AppendSceneAsync, Engine, Scene } from '@babylonjs/core';
import '@babylonjs/loaders/glTF/index.js';
import { registerGLTFExtension } from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js';
import { PeltExtension, PeltSliders, peltSkinOf, registerPelt } from '@pelt/babylon';

registerPelt();
// Or under a name of your own:
registerGLTFExtension('characters', false, (loader) => new PeltExtension(loader));

const scene = new Scene(new Engine(document.createElement('canvas')));
scene.createDefaultCamera();
await AppendSceneAsync('face.glb', scene);
const mesh = scene.meshes.find((each) => peltSkinOf(each));
const sliders = mesh && peltSkinOf(mesh)?.sliders;
if (!(sliders instanceof PeltSliders)) throw new Error('the file has no sliders');
sliders.set(sliders.names[0], 0.7);
if (sliders.get(sliders.names[0]) === 0) throw new Error('the slider did not move');
scene.render();
