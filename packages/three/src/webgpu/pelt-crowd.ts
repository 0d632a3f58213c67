/**
 * Many instances of one model in one draw call, on WebGPURenderer. Each has its own pose, or its own moment of a clip
 * that was baked into a texture:
 *
 *   const crowd = new PeltCrowd(mesh, renderer, 1000, { clip: gltf.animations[0], root: gltf.scene });
 *   crowd.setMatrixAt(k, place); crowd.setTimeAt(k, seconds);
 *   crowd.update(renderer); renderer.render(scene, camera);
 *
 * A pose costs 48 bytes per joint and frame, a moment 8. Virtual bones of two-layer skins are blended on the GPU, for
 * all instances in one pass.
 */
import { resolveOptions, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { type AnimationClip, type DataTexture, type Matrix4, Mesh, type Object3D, RGFormat } from 'three';
import { Fn } from 'three/tsl';
import type { NodeMaterial, Renderer, RenderTarget } from 'three/webgpu';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { rowsOf } from '../model/geometry-rig.ts';
import { displacementCount } from '../model/pelt-model.ts';
import { type BakedClip, bakeClip } from './baked-clip.ts';
import { type CrowdPalettes, crowdVertex } from './crowd-nodes.ts';
import { nodeMaterialOf } from './node-material.ts';
import { SkinSurface } from './skin-surface.ts';
import { SkinTables } from './skin-tables.ts';
import { floatTarget, type TexelPass, withCleanState } from './texel-pass.ts';
import { floatTexture, PaletteNode, paletteSize, TexelTable } from './texel-table.ts';
import { blendVirtualBones, masterTexels } from './virtual-bones.ts';

export interface CrowdOptions {
  /** Bakes this clip; absent: every instance is posed by itself. */
  readonly clip: AnimationClip | undefined;
  /** What the clip's tracks are found in, such as `gltf.scene`. */
  readonly root: Object3D | undefined;
  /** Frames baked per second. */
  readonly framesPerSecond: number;
  /** Blend between two baked frames; without, the nearest is shown, at half the price. */
  readonly smooth: boolean;
}

export const CROWD_DEFAULTS: CrowdOptions = { clip: undefined, root: undefined, framesPerSecond: 60, smooth: false };

const MOST_ROWS = 8192;

/**
 * Many instances of one model in one draw call.
 * @example
 * {@includeCode ../../examples/crowd.page.ts}
 */
export class PeltCrowd extends Mesh {
  readonly isPeltCrowd = true;
  readonly #joints: number;
  readonly #tables: SkinTables;
  readonly #places: DataTexture;
  readonly #moments: DataTexture | undefined;
  readonly #poses: DataTexture | undefined;
  readonly #poseWidth: number;
  readonly #baked: BakedClip | undefined;
  readonly #virtual: RenderTarget | undefined;
  #virtualPass: TexelPass | undefined;
  #masters: TexelTable | undefined;
  #posesChanged = true;
  readonly #smooth: boolean;
  readonly #rows = new Float64Array(TRANSFORM_SIZE);

  constructor(source: PeltMesh, renderer: Renderer, count: number, options?: Partial<CrowdOptions>) {
    const { clip, root, framesPerSecond, smooth } = resolveOptions('PeltCrowd', CROWD_DEFAULTS, options);
    if (!Number.isInteger(count) || count < 1)
      throw new UsageError(`PeltCrowd: ${count} instances, expected 1 or more`);
    if (Array.isArray(source.material)) throw new UsageError(`PeltCrowd: '${source.name}' has several materials`);
    const { model, geometry } = source;
    const skeleton = requirePaletteSkeleton(source);
    const material = nodeMaterialOf(renderer, source.material);
    super(geometry, material);
    if (displacementCount(model) > 0) {
      console.warn(`pelt: a crowd of '${source.name}' is shown without the displacements of its learnt skin`);
    }
    this.#smooth = smooth;
    this.name = source.name;
    this.count = count;
    // It spans the view as a rule; its parts would have to be culled one by one.
    this.frustumCulled = false;
    this.castShadow = source.castShadow;
    this.receiveShadow = source.receiveShadow;
    this.#joints = skeleton.joints.length;
    this.#tables = new SkinTables(new SkinSurface([source]));
    const bones = model.masters ? model.added : model.added + this.#joints;
    this.#places = instanceTable(count, 3);
    for (let k = 0; k < count; k++) floats(this.#places).set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * k);
    const posed = model.masters ? this.#joints : bones;
    this.#poseWidth = 4 * paletteSize(posed, 3).width * paletteSize(posed, 3).height;
    const { width, height } = paletteSize(bones, 3);
    let palettes: CrowdPalettes;
    if (clip) {
      if (!root) throw new UsageError('PeltCrowd: a clip needs the root in which its tracks are found');
      this.#baked = bakeClip(source, root, clip, bones, framesPerSecond);
      this.#moments = momentTable(count);
      const moments = new PaletteNode(this.#moments, count, 1);
      const { frames, texture } = this.#baked;
      palettes = { baked: new PaletteNode(texture, bones, 3), moments, frames, smooth };
    } else {
      if (count * height > MOST_ROWS) {
        throw new UsageError(
          `PeltCrowd: ${count} posed instances; up to ${Math.floor(MOST_ROWS / height)} fit, or bake a clip`,
        );
      }
      const of = paletteSize(posed, 3);
      this.#poses = floatTexture(new Float32Array(count * this.#poseWidth), of.width, of.height * count);
      if (model.masters) {
        this.#virtual = floatTarget(width, height * count);
        this.#masters = new TexelTable(masterTexels(model));
        this.#virtualPass = blendVirtualBones(model, new PaletteNode(this.#poses, this.#joints, 3), this.#masters);
        palettes = { posed: new PaletteNode(this.#virtual.texture, bones, 3) };
      } else palettes = { posed: new PaletteNode(this.#poses, bones, 3) };
      skeleton.update();
      for (let k = 0; k < count; k++) this.setPoseAt(k, model.masters ? skeleton.transforms : skeleton.palette);
    }
    const places = new PaletteNode(this.#places, count, 3);
    (material as NodeMaterial).positionNode = Fn(() => crowdVertex(this.#tables, geometry, places, palettes, height))();
  }

  /** Bytes uploaded in a frame in which all instances move but stay where they are. */
  get uploadBytes(): number {
    return floats((this.#moments ?? this.#poses) as DataTexture).byteLength;
  }

  setMatrixAt(index: number, matrix: Matrix4): void {
    this.#require(index);
    floats(this.#places).set(rowsOf(matrix, this.#rows, 0), TRANSFORM_SIZE * index);
    this.#places.needsUpdate = true;
  }

  /**
   * @param palette  the transforms that are uploaded: a skeleton's `transforms` where the skin has two layers, else its
   *   `palette`
   */
  setPoseAt(index: number, palette: Float64Array): void {
    this.#require(index);
    const poses = this.#poses;
    if (!poses) throw new UsageError('PeltCrowd: it plays a baked clip; setTimeAt says where each instance is');
    if (palette.length > this.#poseWidth)
      throw new UsageError(`PeltCrowd: ${palette.length} numbers of a pose, too many`);
    floats(poses).set(palette, this.#poseWidth * index);
    this.#posesChanged = true;
  }

  /** The pose that a mesh of the same model is in. */
  setPoseFrom(index: number, { skeleton, model }: PeltMesh): void {
    skeleton.update();
    this.setPoseAt(index, model.masters ? skeleton.transforms : skeleton.palette);
  }

  /** @param seconds  into the baked clip, which repeats */
  setTimeAt(index: number, seconds: number): void {
    this.#require(index);
    const [moments, baked] = [this.#moments, this.#baked];
    if (!moments || !baked) throw new UsageError('PeltCrowd: no clip was baked; setPoseAt poses each instance');
    const { frames, duration } = baked;
    const phase = duration > 0 ? (seconds / duration) % 1 : 0;
    const at = (phase < 0 ? phase + 1 : phase) * frames;
    const data = floats(moments);
    const whole = (this.#smooth ? Math.floor(at) : Math.round(at)) % frames;
    data[2 * index] = whole;
    data[2 * index + 1] = at - Math.floor(at);
    moments.needsUpdate = true;
  }

  /** Uploads changed poses and blends virtual bones: call it once per frame, before rendering. */
  update(renderer: Renderer): void {
    if (!this.#posesChanged || !this.#poses) return;
    this.#posesChanged = false;
    this.#poses.needsUpdate = true;
    const [pass, target] = [this.#virtualPass, this.#virtual];
    if (pass && target) withCleanState(renderer, () => pass.render(renderer, target));
  }

  override dispose(): void {
    this.#tables.dispose();
    for (const texture of [this.#places, this.#moments, this.#poses, this.#baked?.texture]) texture?.dispose();
    this.#masters?.dispose();
    this.#virtual?.dispose();
    this.#virtualPass?.dispose();
    (this.material as NodeMaterial).dispose();
  }

  #require(index: number): void {
    if (!(Number.isInteger(index) && index >= 0 && index < this.count)) {
      throw new UsageError(`PeltCrowd: there is no instance ${index}; there are ${this.count}`);
    }
  }
}

function instanceTable(count: number, texels: number): DataTexture {
  const { width, height } = paletteSize(count, texels);
  return floatTexture(new Float32Array(4 * width * height), width, height);
}

/** Two floats an instance: a frame, and how far it is to the next. */
function momentTable(count: number): DataTexture {
  const { width, height } = paletteSize(count, 1);
  return floatTexture(new Float32Array(2 * width * height), width, height, RGFormat);
}

function floats({ image }: DataTexture): Float32Array {
  return image.data as Float32Array;
}
