/** A GLB as the examples show it: loaded through `PeltLoaderPlugin`, with exact normals, painted by what it means. */
import type { SkinWeights } from '@pelt/model';
import { PeltLoaderPlugin, type PeltMesh, peltMeshesOf, skinOf } from '@pelt/three';
import { type EnhanceOptions, enhance, updateSkins } from '@pelt/three/webgpu';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import {
  type AnimationClip,
  AnimationMixer,
  BufferAttribute,
  Color,
  DynamicDrawUsage,
  type Group,
  MeshStandardMaterial,
  Vector3,
} from 'three/webgpu';
import { boneColours, HEAT_TABLE, heatRow, NEUTRAL } from '../../../../apps/studio/src/viewport/palette.ts';
import type { LiveHost } from './host.ts';

/** Where the models of the examples are. */
export function modelUrl(name: string): string {
  return new URL(`${document.body.dataset.root ?? ''}assets/models/${name}`, location.href).href;
}

export async function fetchModel(name: string): Promise<ArrayBuffer> {
  const response = await fetch(modelUrl(name));
  if (!response.ok) throw new Error(`the server answers ${response.status} for ${name}`);
  return response.arrayBuffer();
}

export class Model {
  readonly root: Group;
  readonly mesh: PeltMesh;
  readonly duration: number;
  readonly mixer: AnimationMixer | undefined;
  /** n × 3, in model space; see `readPositions`. */
  readonly positions: Float32Array;
  readonly #colours: BufferAttribute;
  readonly #at = new Vector3();

  /** Loads a model and puts it on the stage; `stock` leaves it to three's own skinning. */
  static async load(
    host: LiveHost,
    bytes: ArrayBuffer,
    options: Partial<EnhanceOptions> | 'stock' = {},
  ): Promise<Model> {
    const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser, { all: true }));
    const gltf = await loader.parseAsync(bytes, '');
    const model = new Model(gltf.scene, gltf.animations);
    host.stage.world.add(gltf.scene);
    gltf.scene.updateMatrixWorld(true);
    if (options !== 'stock') enhance(gltf.scene, host.stage.renderer, { normals: 'exact', ...options });
    return model;
  }

  private constructor(root: Group, animations: readonly AnimationClip[]) {
    this.root = root;
    [this.mesh] = peltMeshesOf(root);
    const { count } = this.mesh.geometry.getAttribute('position');
    this.positions = new Float32Array(3 * count);
    this.#colours = new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    this.mesh.geometry.setAttribute('color', this.#colours);
    this.mesh.material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.78 });
    this.mesh.castShadow = true;
    this.mesh.frustumCulled = false;
    this.paintPlain(NEUTRAL);
    this.duration = animations[0]?.duration ?? 0;
    if (animations[0]) {
      this.mixer = new AnimationMixer(root);
      this.mixer.clipAction(animations[0]).play();
    }
  }

  setTime(seconds: number): void {
    this.mixer?.setTime(this.duration > 0 ? seconds % this.duration : 0);
    this.root.updateMatrixWorld(true);
  }

  /** Positions of all vertices as they are posed now. */
  readPositions(): Float32Array {
    const { mesh, positions } = this;
    mesh.skeleton.update();
    for (let i = 0; 3 * i < positions.length; i++) {
      mesh.getVertexPosition(i, this.#at);
      this.#at.toArray(positions, 3 * i);
    }
    return positions;
  }

  paintPlain(colour: readonly [number, number, number]): void {
    for (let k = 0; k < this.#colours.array.length; k++) this.#colours.array[k] = colour[k % 3];
    this.#colours.needsUpdate = true;
  }

  /** Each vertex by its distance from where it should be; `limit` is the end of the scale. */
  paintHeat(truth: Float32Array, limit: number): void {
    const found = this.readPositions();
    for (let k = 0; k < found.length; k += 3) {
      const away = Math.hypot(found[k] - truth[k], found[k + 1] - truth[k + 1], found[k + 2] - truth[k + 2]);
      const row = heatRow(away / limit);
      for (let c = 0; c < 3; c++) this.#colours.array[k + c] = HEAT_TABLE[row + c];
    }
    this.#colours.needsUpdate = true;
  }

  /** Each vertex by the mix of its bones' colours. */
  paintBones(): void {
    const { slots, bones, weights }: SkinWeights = skinOf(this.mesh.geometry);
    const palette = boneColours(this.mesh.skeleton.joints.length);
    for (let i = 0; 3 * i < this.#colours.array.length; i++) {
      for (let c = 0; c < 3; c++) {
        let mixed = 0;
        for (let s = i * slots; s < (i + 1) * slots; s++) mixed += weights[s] * (palette[bones[s]] ?? NEUTRAL)[c];
        this.#colours.array[3 * i + c] = mixed;
      }
    }
    this.#colours.needsUpdate = true;
  }

  dispose(): void {
    this.root.removeFromParent();
    this.mesh.dispose();
    this.mesh.geometry.dispose();
  }
}

/** Before the picture: passes of our shaders over what has moved. */
export function updateModels({ stage }: LiveHost): void {
  stage.world.updateMatrixWorld(true);
  updateSkins(stage.world, stage.renderer);
}

/** Linear RGB of a CSS colour. */
export function linear(css: string): [number, number, number] {
  const { r, g, b } = new Color(css);
  return [r, g, b];
}
