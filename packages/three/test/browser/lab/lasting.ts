/** What stays behind: memory over many frames, textures after dispose, words in the console. */
import { PerspectiveCamera } from 'three';
import { type Renderer, RenderTarget } from 'three/webgpu';
import { enhance, updateSkins, uploadBytes } from '../../../src/webgpu/index.ts';
import { type RendererKind, rendererOf } from './renderers.ts';
import { play, stage } from './stage.ts';

declare const gc: () => void;

/** Bytes by which the heap has grown over some frames, and bytes that one frame uploads. */
export async function heapGrowth(
  file: string,
  kind: RendererKind,
  frames: number,
): Promise<{ readonly bytes: number; readonly upload: number }> {
  const renderer = (await rendererOf(kind)) as Renderer;
  const set = await stage(file);
  const { scene, mesh } = set;
  enhance(scene, renderer);
  const camera = new PerspectiveCamera();
  camera.position.set(3, -2, 6);
  const target = new RenderTarget(8, 8);
  const used = () => {
    gc();
    return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
  };
  const action = set.mixer.clipAction(set.gltf.animations[0]).play();
  renderer.setRenderTarget(target);
  const run = async (count: number) => {
    for (let t = 0; t < count; t++) {
      set.mixer.update(0.011);
      updateSkins(scene, renderer);
      renderer.render(scene, camera);
      // The browser frees what the GPU is done with between tasks only.
      if (t % 50 === 49) await new Promise((resume) => setTimeout(resume));
    }
  };
  await run(200);
  const before = used();
  await run(frames);
  const bytes = used() - before;
  renderer.setRenderTarget(null);
  action.stop();
  const upload = uploadBytes(mesh);
  mesh.dispose();
  mesh.geometry.dispose();
  target.dispose();
  return { bytes, upload };
}

/** Textures and geometries that the renderer knows after a model was shown and freed, beyond those before. */
export async function leftAfterDispose(
  file: string,
  kind: RendererKind,
): Promise<{ readonly textures: number; readonly geometries: number; readonly held: number }> {
  const renderer = (await rendererOf(kind)) as Renderer;
  const target = new RenderTarget(8, 8);
  const camera = new PerspectiveCamera();
  camera.position.z = 9;
  const show = async (): Promise<number> => {
    const set = await stage(file);
    enhance(set.scene, renderer, { normals: 'exact' });
    play(set, 0);
    updateSkins(set.scene, renderer);
    renderer.setRenderTarget(target);
    renderer.render(set.scene, camera);
    const held = renderer.info.memory.textures;
    set.mesh.dispose();
    set.mesh.geometry.dispose();
    renderer.setRenderTarget(null);
    return held;
  };
  // The first time makes what three.js keeps for itself; what earlier tests left to the collector goes now.
  await show();
  for (let k = 0; k < 3; k++) {
    gc();
    await new Promise((resume) => setTimeout(resume, 30));
  }
  const before = { ...renderer.info.memory };
  const held = await show();
  const after = { ...renderer.info.memory };
  target.dispose();
  return {
    textures: after.textures - before.textures,
    geometries: after.geometries - before.geometries,
    held: held - before.textures,
  };
}

/** Renders a model that a renderer cannot show in full, several times. */
export async function breakDown(file: string, kind: RendererKind): Promise<void> {
  const renderer = await rendererOf(kind);
  const set = await stage(file);
  play(set, 0);
  const camera = new PerspectiveCamera();
  camera.position.set(3, -2, 9);
  for (let k = 0; k < 3; k++) renderer.render(set.scene, camera);
}
