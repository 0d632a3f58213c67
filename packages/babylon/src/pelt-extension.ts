/**
 * Lets Babylon's glTF loader open what pelt writes:
 *
 *   registerPelt();
 *   await AppendSceneAsync('arm.glb', scene);
 *
 * Meshes of files with PELT_envelope, PELT_two_layer or PELT_sliders play by them; everything else is left as the loader
 * makes it.
 */
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { GLTFLoader } from '@babylonjs/loaders/glTF/2.0/glTFLoader.js';
import type { IGLTFLoaderExtension } from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtension.js';
import {
  registerGLTFExtension,
  unregisterGLTFExtension,
} from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js';
import type { IScene } from '@babylonjs/loaders/glTF/2.0/glTFLoaderInterfaces.js';
import { InputError, type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';
import {
  decodeEnvelope,
  decodeLayers,
  decodePayloadArray,
  decodeSliders,
  ENVELOPE_EXTENSION,
  type GltfExtension,
  SLIDERS_EXTENSION,
  TWO_LAYER_EXTENSION,
} from '@pelt/model/internal';
import { EnvelopePalette } from '@pelt/skin/envelope/runtime';
import { blendTransforms } from '@pelt/skin/reduce/runtime';
import { type LoadedRig, loadedRig } from './loaded-rig.ts';
import { beforeFrames, JointPose, PaletteSkeleton, rememberSkin } from './pelt-skin.ts';
import { PeltSliders, useSliderCurves } from './pelt-sliders.ts';
import { useSoftwareSkin } from './software-skin.ts';

/** How the loader knows the extension. */
const NAME = 'PELT';
const OWN = [ENVELOPE_EXTENSION, TWO_LAYER_EXTENSION, SLIDERS_EXTENSION];
/** More weights per vertex Babylon's shaders do not have. */
const MOST_SLOTS = 8;

/**
 * Registers the extension with Babylon's glTF loader, once for all files that are loaded from then on.
 *
 * @example
 * {@includeCode ../examples/loading.page.ts}
 */
export function registerPelt(): void {
  unregisterGLTFExtension(NAME);
  registerGLTFExtension(NAME, false, (loader) => new PeltExtension(loader));
}

/**
 * The extension itself, for those who register it under another name.
 * @example
 * {@includeCode ../examples/loading.page.ts}
 */
export class PeltExtension implements IGLTFLoaderExtension {
  readonly name = NAME;
  enabled = true;
  readonly #loader: GLTFLoader;

  constructor(loader: GLTFLoader) {
    this.#loader = loader;
  }

  dispose(): void {}

  loadSceneAsync(context: string, scene: IScene): Promise<void> | null {
    const { extensions = {} } = this.#loader.gltf;
    if (!OWN.some((name) => name in extensions)) return null;
    return this.#loader.loadSceneAsync(context, scene).then(() => this.#apply());
  }

  async #apply(): Promise<void> {
    const loaded = loadedRig(this.#loader);
    if (!loaded) return;
    const [envelope, layers, sliders] = await Promise.all(OWN.map((name) => this.#read(name)));
    if (envelope) useEnvelope(loaded, envelope);
    else if (layers) this.#useLayers(loaded, layers);
    else if (sliders) this.#useSliders(loaded, sliders);
  }

  /** Virtual bones are computed from now on: their curves would only cost time. */
  #useLayers(loaded: LoadedRig, extension: GltfExtension): void {
    const { virtual, masters } = decodeLayers(extension);
    usePalette(loaded, loaded.bones.length, (transforms, palette) => {
      palette.set(transforms);
      blendTransforms(masters, transforms.subarray(virtual * TRANSFORM_SIZE), palette);
    });
    const computed = new Set<unknown>(loaded.bones.slice(0, virtual).map((bone) => bone.getTransformNode()));
    for (const { _babylonAnimationGroup: group } of this.#loader.gltf.animations ?? []) {
      for (const { animation, target } of [...(group?.targetedAnimations ?? [])]) {
        if (computed.has(target)) group?.removeTargetedAnimation(animation);
      }
    }
    rememberSkin(loaded.parts, { kind: 'two-layer' });
  }

  #useSliders(loaded: LoadedRig, extension: GltfExtension): void {
    const found = decodeSliders(extension, loaded.bones.length, (joint) => joint);
    const sliders = new PeltSliders(found.sliders, loaded);
    usePalette(loaded, loaded.bones.length, (transforms, palette) => sliders.fill(transforms, palette));
    for (const { name, _babylonAnimationGroup: group } of this.#loader.gltf.animations ?? []) {
      const clip = found.clips.find((each) => each.name === name);
      if (group && clip) useSliderCurves(group, clip, sliders, loaded, this.#loader.parent.targetFps);
    }
    rememberSkin(loaded.parts, { kind: 'sliders', sliders });
  }

  /** An extension at the root of the file with its arrays; undefined where it is not there. */
  async #read(name: string): Promise<GltfExtension | undefined> {
    const { gltf } = this.#loader;
    const json: unknown = gltf.extensions?.[name];
    if (!isObject(json)) return undefined;
    const read = Object.entries(isObject(json.buffers) ? json.buffers : {}).map(async ([key, entry]) => {
      const where = `${name}: buffers.${key}`;
      if (!isObject(entry)) throw new InputError(`${where} must be an object`);
      const view = gltf.bufferViews?.[entry.bufferView as number];
      if (entry.length !== 0 && !view) throw new InputError(`${where} names no bufferView of the file`);
      const bytes = view && (await this.#loader.loadBufferViewAsync(`/bufferViews/${view.index}`, view));
      // Of its own, for arrays of eight bytes must begin where they may.
      const own = bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice();
      return [key, decodePayloadArray(entry, where, own)] as const;
    });
    return { name, json, buffers: Object.fromEntries(await Promise.all(read)) };
  }
}

function useEnvelope(loaded: LoadedRig, extension: GltfExtension): void {
  const { rig: _, ...envelope } = decodeEnvelope(extension, loaded.rig);
  rememberSkin(loaded.parts, { kind: 'envelope' });
  if (envelope.displacements || envelope.skin.slots > MOST_SLOTS) {
    useSoftwareSkin(loaded, { kind: 'envelope', weights: loaded.rig.weights, envelope });
    return;
  }
  const driver = new EnvelopePalette(envelope, loaded.rig.bones);
  setWeights(loaded, envelope.skin);
  usePalette(loaded, driver.palette.length / TRANSFORM_SIZE, (transforms, palette) => {
    palette.set(driver.update(transforms));
  });
}

/** @param fill  makes the palette of a pose */
function usePalette(
  loaded: LoadedRig,
  size: number,
  fill: (transforms: Float64Array, palette: Float64Array) => void,
): void {
  const { parts, skeleton } = loaded;
  const own = new PaletteSkeleton(skeleton.name, size, skeleton.getScene());
  const pose = new JointPose(loaded);
  const palette = new Float64Array(TRANSFORM_SIZE * size);
  for (const part of parts) part.skeleton = own;
  beforeFrames(parts, () => {
    fill(pose.read(), palette);
    own.setPalette(palette);
  });
}

function setWeights({ parts }: LoadedRig, { slots, bones, weights }: SkinWeights): void {
  const kinds = [
    [VertexBuffer.MatricesIndicesKind, VertexBuffer.MatricesWeightsKind],
    [VertexBuffer.MatricesIndicesExtraKind, VertexBuffer.MatricesWeightsExtraKind],
  ];
  let first = 0;
  for (const part of parts) {
    const n = part.getTotalVertices();
    kinds.forEach(([indexKind, weightKind], set) => {
      if (4 * set >= slots) {
        part.removeVerticesData(indexKind);
        part.removeVerticesData(weightKind);
        return;
      }
      const [indices, shares] = [new Float32Array(4 * n), new Float32Array(4 * n)];
      for (let i = 0; i < n; i++) {
        for (let s = 0; s < Math.min(4, slots - 4 * set); s++) {
          const from = (first + i) * slots + 4 * set + s;
          indices[4 * i + s] = bones[from];
          shares[4 * i + s] = weights[from];
        }
      }
      part.setVerticesData(indexKind, indices, false, 4);
      part.setVerticesData(weightKind, shares, false, 4);
    });
    part.numBoneInfluencers = slots;
    first += n;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
