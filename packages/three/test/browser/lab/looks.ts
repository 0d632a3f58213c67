/** A shaded model beside the same mesh posed by the CPU, under one light. */
import {
  AmbientLight,
  Color,
  DirectionalLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
} from 'three';
import type { Renderer } from 'three/webgpu';
import { useEightWeights } from '../../../src/webgl/index.ts';
import { enhance, updateSkins } from '../../../src/webgpu/index.ts';
import { bakedGeometry, picture, pngOf } from './picture.ts';
import type { PlayRequest } from './playing.ts';
import { isClassic, rendererOf } from './renderers.ts';
import { play, stage } from './stage.ts';

const SIZE = 160;

export interface LooksRequest extends PlayRequest {
  /** Of the baked mesh; positions alone would leave shading unseen. */
  readonly normals: 'exact' | 'blended';
  /** A pose that was solved elsewhere, in place of the clip. */
  readonly posed?: { readonly transforms: readonly number[]; readonly blend: readonly number[] };
}

export interface Looks {
  /** Pixels that the baked mesh covers, and those whose brightness differs by more than 2 %. */
  readonly covered: number;
  readonly differing: number;
  /** How much brighter the brightest pixel of the mesh is than its darkest: shading is seen. */
  readonly contrast: number;
  /** Model, baked mesh and their difference, ten times as strong. */
  readonly png: string;
}

export async function looks(request: LooksRequest): Promise<Looks> {
  const renderer = await rendererOf(request.renderer);
  const set = await stage(request.file, { all: true });
  const { mesh, parent } = set;
  mesh.material = new MeshStandardMaterial({ color: 0xd8b08c, roughness: 0.6 });
  if (request.enhance) enhance(set.scene, renderer as Renderer, request.enhance);
  if (request.eight) useEightWeights(set.scene);
  if (request.posed) {
    mesh.setTransforms(Float64Array.from(request.posed.transforms));
    mesh.morphTargetInfluences = [...request.posed.blend];
    set.scene.updateMatrixWorld(true);
  } else play(set, request.time);
  const baked = new Mesh(
    bakedGeometry(mesh, request.normals),
    new MeshStandardMaterial({ color: 0xd8b08c, roughness: 0.6 }),
  );
  const scene = new Scene();
  scene.background = new Color(0);
  const light = new DirectionalLight(0xffffff, 2.5);
  light.position.set(1, 2, 3);
  scene.add(parent, light, new AmbientLight(0xffffff, 0.15));
  scene.updateMatrixWorld(true);
  mesh.parent?.add(baked);
  baked.matrixAutoUpdate = false;
  baked.matrix.copy(mesh.matrix);
  baked.geometry.computeBoundingSphere();
  const center = baked.geometry.boundingSphere?.center.clone().applyMatrix4(mesh.matrixWorld) ?? new Vector3();
  const camera = new PerspectiveCamera(30, 1, 0.1, 50);
  camera.position.copy(center).add(new Vector3(1.5, 1, 3.5));
  camera.lookAt(center);
  scene.updateMatrixWorld(true);
  if (!isClassic(renderer)) updateSkins(scene, renderer as Renderer);
  baked.visible = false;
  const own = await picture(renderer, scene, camera, SIZE);
  baked.visible = true;
  mesh.visible = false;
  const expected = await picture(renderer, scene, camera, SIZE);
  const apart = own.map((value, k) => 10 * (value - expected[k]));
  mesh.dispose();
  mesh.geometry.dispose();
  baked.geometry.dispose();
  return { ...compared(own, expected), png: pngOf([own, expected, apart], SIZE, request.renderer !== 'webgpu') };
}

function compared(own: Float32Array, expected: Float32Array): Pick<Looks, 'covered' | 'differing' | 'contrast'> {
  let [covered, differing, most, least] = [0, 0, 0, Infinity];
  for (let k = 0; k < own.length; k += 4) {
    if (expected[k] > 0) {
      covered++;
      most = Math.max(most, expected[k]);
      least = Math.min(least, expected[k]);
    }
    if (!(Math.abs(own[k] - expected[k]) <= 0.02)) differing++;
  }
  return { covered, differing, contrast: most - least };
}
