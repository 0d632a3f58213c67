/** In the browser: frames of two faces in alternation, both driven by `morphTargetInfluences`. */
import { PeltLoaderPlugin } from '@pelt/three';
import { enhance, updateSkins } from '@pelt/three/webgpu';
import { DirectionalLight, PerspectiveCamera, Scene } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { RenderTarget, WebGPURenderer } from 'three/webgpu';

const ACTIVE = 20;
const WARM_UP = 2;
const FRAMES = 2;

async function load(file, renderer) {
  const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
  const gltf = await loader.parseAsync(await (await fetch(file)).arrayBuffer(), '');
  const scene = new Scene();
  scene.add(gltf.scene, new DirectionalLight());
  const meshes = [];
  gltf.scene.traverse((child) => {
    child.frustumCulled = false;
    if (child.morphTargetInfluences?.length >= ACTIVE) meshes.push(child);
  });
  if (meshes.length === 0) throw new Error(`${file} has no mesh with ${ACTIVE} influences`);
  enhance(scene, renderer, { normals: 'blended' });
  return { scene, meshes, times: [] };
}

/** Ends when the GPU has done all that was asked. */
async function finish({ backend: { device, gl } }) {
  if (device) await device.queue.onSubmittedWorkDone();
  else gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

/** Milliseconds of a frame of each file: the least of the rounds, which other work on the machine disturbs least. */
globalThis.compareFaces = async (kind, files, rounds) => {
  const renderer = new WebGPURenderer({ forceWebGL: kind === 'webgl2' });
  await renderer.init();
  renderer.setRenderTarget(new RenderTarget(16, 16));
  const camera = new PerspectiveCamera(50, 1, 0.1, 1000);
  camera.position.set(0, 0, 100);
  const shown = [];
  for (const file of files) shown.push(await load(file, renderer));
  for (let round = 0; round < rounds + WARM_UP; round++) {
    for (const { scene, meshes, times } of shown) {
      let total = 0;
      for (let k = 0; k < FRAMES; k++) {
        for (const { morphTargetInfluences: values } of meshes) {
          values.fill(0);
          for (let s = 0; s < ACTIVE; s++) values[Math.floor((s * values.length) / ACTIVE)] = ((s + round + k) % 7) / 7;
        }
        await finish(renderer);
        const start = performance.now();
        updateSkins(scene, renderer);
        renderer.render(scene, camera);
        await finish(renderer);
        total += performance.now() - start;
      }
      if (round >= WARM_UP) times.push(total / FRAMES);
    }
  }
  renderer.dispose();
  return shown.map(({ times }) => Math.min(...times));
};
