/** Models at a moment, as the renderers and the CPU side of the mesh show them. */
import { AnimationMixer, Group, type Object3D, type Scene } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import type { Renderer } from 'three/webgpu';
import { type PeltMesh, peltMeshesOf } from '../../../src/index.ts';
import { useEightWeights } from '../../../src/webgl/index.ts';
import { type EnhanceOptions, enhance, updateSkins } from '../../../src/webgpu/index.ts';
import { base64 } from './base64.ts';
import { capture } from './capture.ts';
import { type AnyRenderer, isClassic, type RendererKind, rendererOf } from './renderers.ts';
import { load, play, stage } from './stage.ts';

export interface PlayRequest {
  readonly file: string;
  readonly renderer: RendererKind;
  readonly time: number;
  /** Shaders of our own; absent: three's. */
  readonly enhance?: Partial<EnhanceOptions>;
  /** Eight weights on the classic renderer. */
  readonly eight?: boolean;
  readonly all?: boolean;
}

export interface Played {
  /** Base64 of n × 3 float32 */
  readonly positions: string;
  readonly normals: string;
  /** What the CPU side of the mesh says, for the same vertices. */
  readonly rayPositions: string;
  /** Least and largest corner that the mesh is bounded by. */
  readonly box: readonly number[];
  readonly kind: string;
}

export async function playFile(request: PlayRequest): Promise<Played> {
  const renderer = await rendererOf(request.renderer);
  const set = await stage(request.file, { all: request.all ?? false });
  equip(set.scene, renderer, request);
  play(set, request.time);
  return look(renderer, set.scene, set.mesh);
}

/** A file as three.js plays it by itself. */
export async function playPlain(file: string, kind: RendererKind, time: number): Promise<string> {
  const renderer = await rendererOf(kind);
  const set = await stage(file, { plain: true });
  if (set.gltf.animations.length > 0) play(set, time);
  else set.scene.updateMatrixWorld(true);
  const { positions } = await capture(renderer, set.scene, set.mesh);
  set.mesh.geometry.dispose();
  return base64(positions);
}

/** Every primitive of a file, or of a clone of it. */
export async function playParts(request: PlayRequest & { readonly cloned: boolean }): Promise<Played[]> {
  const renderer = await rendererOf(request.renderer);
  const set = await stage(request.file, { all: true });
  equip(set.scene, renderer, request);
  let root: Object3D = set.gltf.scene;
  if (request.cloned) {
    root = clone(set.gltf.scene);
    set.parent.add(root);
    set.gltf.scene.visible = false;
  }
  const mixer = new AnimationMixer(root);
  mixer.clipAction(set.gltf.animations[0]).play();
  mixer.setTime(request.time);
  set.scene.updateMatrixWorld(true);
  const meshes = peltMeshesOf(root);
  const results: Played[] = [];
  for (const mesh of meshes) results.push(await look(renderer, set.scene, mesh, false));
  for (const mesh of peltMeshesOf(set.scene)) mesh.dispose();
  for (const { geometry } of meshes) geometry.dispose();
  return results;
}

/** A poser in a pose that was solved elsewhere. */
export async function poseFile(
  request: Omit<PlayRequest, 'time'> & { readonly transforms: readonly number[]; readonly blend: readonly number[] },
): Promise<Played> {
  const renderer = await rendererOf(request.renderer);
  const { scene, mesh } = await stage(request.file);
  equip(scene, renderer, request);
  mesh.setTransforms(Float64Array.from(request.transforms));
  mesh.morphTargetInfluences = [...request.blend];
  scene.updateMatrixWorld(true);
  return look(renderer, scene, mesh);
}

/** A model and its clone at two moments, in one scene. */
export async function cloneApart(request: PlayRequest & { readonly other: number }): Promise<Played[]> {
  const renderer = await rendererOf(request.renderer);
  const set = await stage(request.file, { all: request.all ?? false });
  equip(set.scene, renderer, request);
  const copy = clone(set.gltf.scene);
  const place = new Group();
  place.position.set(-1, 4, 2);
  place.rotation.y = 1;
  set.scene.add(place.add(copy));
  play(set, request.time);
  const mixer = new AnimationMixer(copy);
  mixer.clipAction(set.gltf.animations[0]).play();
  mixer.setTime(request.other);
  set.scene.updateMatrixWorld(true);
  const [copied] = peltMeshesOf(copy);
  const results = [await look(renderer, set.scene, set.mesh, false), await look(renderer, set.scene, copied, false)];
  for (const mesh of [set.mesh, copied]) mesh.dispose();
  return results;
}

/** Two files at the same time, one of them without any extension. */
export async function twoFiles(
  learnt: string,
  plain: string,
): Promise<{ readonly kinds: readonly string[]; readonly plainType: string; readonly plainIsOurs: boolean }> {
  const [first, second] = await Promise.all([load(learnt), load(plain)]);
  const [mesh] = peltMeshesOf(first.scene);
  const skinned: PeltMesh[] = [];
  second.scene.traverse((child) => {
    if ((child as PeltMesh).isSkinnedMesh) skinned.push(child as PeltMesh);
  });
  return { kinds: [mesh.model.kind], plainType: skinned[0].type, plainIsOurs: skinned[0].isPeltMesh === true };
}

function equip(scene: Scene, renderer: AnyRenderer, request: Pick<PlayRequest, 'enhance' | 'eight'>): void {
  if (request.enhance) enhance(scene, renderer as Renderer, request.enhance);
  if (request.eight) useEightWeights(scene);
}

async function look(renderer: AnyRenderer, scene: Scene, mesh: PeltMesh, isLast = true): Promise<Played> {
  if (!isClassic(renderer)) updateSkins(scene, renderer as Renderer);
  const { positions, normals } = await capture(renderer, scene, mesh);
  const points = new Float32Array(positions.length);
  const point = mesh.position.clone();
  mesh.skeleton.update();
  for (let i = 0; 3 * i < points.length; i++) mesh.getVertexPosition(i, point).toArray(points, 3 * i);
  const box = mesh.boundingBox;
  if (isLast) {
    mesh.dispose();
    mesh.geometry.dispose();
  }
  return {
    positions: base64(positions),
    normals: base64(normals),
    rayPositions: base64(points),
    box: box ? [...box.min.toArray(), ...box.max.toArray()] : [],
    kind: mesh.model.kind,
  };
}
