/** What three.js expects of any mesh: shadows, rays, attributes without end. */
import {
  BufferAttribute,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  type MeshStandardMaterial,
  OrthographicCamera,
  PlaneGeometry,
  Raycaster,
  RepeatWrapping,
  Scene,
  SkinnedMesh,
  Vector3,
} from 'three';
import { type Renderer, RenderTarget, type WebGPURenderer } from 'three/webgpu';
import { useEightWeights } from '../../../src/webgl/index.ts';
import { enhance, updateSkins } from '../../../src/webgpu/index.ts';
import { capture } from './capture.ts';
import { bakedGeometry, picture } from './picture.ts';
import type { PlayRequest } from './playing.ts';
import { isClassic, rendererOf } from './renderers.ts';
import { play, stage } from './stage.ts';

const SIZE = 96;

/** How many pixels differ between the shadow of a mesh and that of its posed vertices, of how many in shadow. */
export async function shadows(request: PlayRequest): Promise<{ readonly differing: number; readonly dark: number }> {
  const renderer = await rendererOf(request.renderer);
  const set = await stage(request.file, { all: true });
  const { mesh, gltf } = set;
  if (request.enhance) enhance(set.scene, renderer as Renderer, request.enhance);
  if (request.eight) useEightWeights(set.scene);
  play(set, request.time);
  const scene = new Scene();
  scene.add(gltf.scene);
  mesh.castShadow = true;
  scene.updateMatrixWorld(true);
  if (!isClassic(renderer)) updateSkins(scene, renderer as Renderer);
  const geometry = bakedGeometry(mesh, 'exact').applyMatrix4(mesh.matrixWorld);
  const baked = new Mesh(geometry, new MeshLambertMaterial({ side: DoubleSide }));
  baked.castShadow = true;
  const floor = new Mesh(new PlaneGeometry(6, 6), new MeshLambertMaterial());
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = -1;
  floor.receiveShadow = true;
  const light = new DirectionalLight(0xffffff, 3);
  light.position.set(1, 4, 0.5);
  light.castShadow = true;
  light.shadow.mapSize.set(256, 256);
  for (const side of ['left', 'bottom'] as const) light.shadow.camera[side] = -2;
  for (const side of ['right', 'top'] as const) light.shadow.camera[side] = 2;
  scene.add(floor, light, baked);
  // From below the mesh: the floor with its shadow, and nothing in front of it.
  const camera = new OrthographicCamera(-2, 2, 2, -2, 0.01, 10);
  camera.position.set(0, -0.5, 0);
  camera.up.set(0, 0, 1);
  camera.lookAt(0, -2, 0);
  renderer.shadowMap.enabled = true;
  baked.visible = false;
  const own = await picture(renderer, scene, camera, SIZE);
  baked.visible = true;
  mesh.visible = false;
  const expected = await picture(renderer, scene, camera, SIZE);
  renderer.shadowMap.enabled = false;
  const lit = Math.max(...expected.filter((_, k) => k % 4 === 0));
  let [differing, dark] = [0, 0];
  for (let k = 0; k < own.length; k += 4) {
    if (Math.abs(own[k] - expected[k]) > 0.05) differing++;
    if (expected[k] < 0.5 * lit) dark++;
  }
  return { differing, dark };
}

/** First hits of rays from all round: ours, and three's own search over all triangles. */
export async function rayHits(
  file: string,
  time: number,
): Promise<{ readonly ours: readonly number[]; readonly theirs: readonly number[] }> {
  const set = await stage(file, { all: true });
  play(set, time);
  const { mesh } = set;
  const center = mesh.boundingSphere?.center.clone().applyMatrix4(mesh.matrixWorld) ?? new Vector3();
  const raycaster = new Raycaster();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let k = 0; k < 24; k++) {
    const from = new Vector3(Math.sin(k * 2.4), Math.cos(k * 1.7), Math.sin(k * 0.9 + 1)).setLength(5).add(center);
    const aim = center.clone().add(new Vector3(Math.sin(k), Math.cos(3 * k), Math.sin(5 * k)).multiplyScalar(0.15));
    raycaster.set(from, aim.sub(from).normalize());
    const hit = raycaster.intersectObject(mesh)[0];
    ours.push(hit?.distance ?? -1);
    const found: { distance: number }[] = [];
    SkinnedMesh.prototype.raycast.call(mesh, raycaster, found as never);
    theirs.push(found.length > 0 ? Math.min(...found.map(({ distance }) => distance)) : -1);
  }
  return { ours, theirs };
}

/** A material that uses seven attributes besides those of the skin: the frame must be drawn all the same. */
export async function nineAttributes(file: string, time: number): Promise<number> {
  const renderer = (await rendererOf('webgpu')) as WebGPURenderer;
  const set = await stage(file, { all: true });
  const { mesh, scene } = set;
  const n = mesh.geometry.getAttribute('position').count;
  const attribute = (name: string, size: number) =>
    mesh.geometry.setAttribute(name, new BufferAttribute(new Float32Array(size * n).fill(0.5), size));
  for (const [name, size] of [
    ['uv', 2],
    ['uv1', 2],
    ['uv2', 2],
    ['color', 3],
    ['tangent', 4],
  ] as const)
    attribute(name, size);
  const image = (channel: number) => {
    const made = new DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
    made.channel = channel;
    made.wrapS = RepeatWrapping;
    made.needsUpdate = true;
    return made;
  };
  const material = mesh.material as MeshStandardMaterial;
  Object.assign(material, {
    vertexColors: true,
    map: image(0),
    aoMap: image(1),
    lightMap: image(2),
    normalMap: image(0),
  });
  enhance(scene, renderer, { normals: 'blended' });
  play(set, time);
  const camera = new OrthographicCamera(-3, 3, 3, -3, 0.1, 20);
  camera.position.set(3, -2, 9);
  const target = new RenderTarget(32, 32, { type: 1015 });
  renderer.setRenderTarget(target);
  renderer.setClearColor(0, 0);
  renderer.render(scene, camera);
  const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, 32, 32)) as Float32Array;
  renderer.setRenderTarget(null);
  target.dispose();
  const drawn = pixels.filter((value, k) => k % 4 === 3 && value > 0).length;
  const { positions } = await capture(renderer, scene, mesh);
  return positions.every(Number.isFinite) ? drawn : -1;
}
