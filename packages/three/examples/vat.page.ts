// In a page.
import { writeVat } from '@pelt/io';
import { elbowScene } from '@pelt/testkit';
import {
  BufferAttribute,
  DataTexture,
  FloatType,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  RenderTarget,
  Scene,
} from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { float, positionGeometry, texture, uniform, uv, vec2, vec3 } from 'three/tsl';
import { MeshBasicNodeMaterial, WebGPURenderer } from 'three/webgpu';

// What `pelt convert --vat exr` writes: mesh, texture, remap.
const { sequence } = elbowScene();
const { files } = await writeVat(sequence, { encoding: 'exr' });
const [glb, exr, json] = files.map(({ bytes }) => bytes);
const { Min, Max, Frames } = JSON.parse(new TextDecoder().decode(json))['os-remap'];
const { data, width = 1, height = 1 } = new EXRLoader().setDataType(FloatType).parse(exr.slice().buffer);
const picture = new DataTexture(data, width, height, undefined, FloatType);
picture.minFilter = picture.magFilter = NearestFilter;
picture.needsUpdate = true;

// The texel of a vertex in the first frame is at its second UVs, that of the next frame a row below. Rows of the loader
// begin at the bottom. Red, green and blue are x, −z and y. Normals are half a picture below, as 0.5 + 0.5 n.
const frame = uniform(0);
const row = uv(1).y.add(frame.div(height));
const { r, g, b } = texture(picture, vec2(uv(1).x, row.oneMinus()))
  .level(float(0))
  .rgb.mul(vec3(...Max).sub(vec3(...Min)))
  .add(vec3(...Min));
const material = new MeshBasicNodeMaterial();
material.positionNode = positionGeometry.add(vec3(r, b, g.negate()));

// The same picture as of the mesh that the CPU poses.
const gltf = await new GLTFLoader().parseAsync(glb.slice().buffer, '');
const [mesh] = gltf.scene.getObjectsByProperty('isMesh', true) as Mesh[];
const renderer = new WebGPURenderer();
await renderer.init();
const target = new RenderTarget(64, 64);
const camera = new OrthographicCamera(-3, 3, 3, -3, -9, 9);
async function pixels(shown: Mesh): Promise<ArrayLike<number>> {
  shown.frustumCulled = false; // bounds are those of the rest pose
  renderer.setRenderTarget(target);
  renderer.render(new Scene().add(shown), camera);
  return renderer.readRenderTargetPixelsAsync(target, 0, 0, 64, 64);
}
frame.value = Frames - 1;
const played = await pixels(new Mesh(mesh.geometry, material));
const posed = mesh.geometry.clone();
posed.setAttribute('position', new BufferAttribute(sequence.frames.slice(-sequence.rest.positions.length), 3));
const wanted = await pixels(new Mesh(posed, new MeshBasicNodeMaterial()));
const rest = await pixels(new Mesh(mesh.geometry, new MeshBasicNodeMaterial()));
const differing = (other: ArrayLike<number>) => Array.from(wanted).filter((value, k) => value !== other[k]).length;
if (differing(played) >= 0.1 * differing(rest)) throw new Error('the texture plays the last frame');
renderer.dispose();
