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
import type { SwingState } from '@pelt/skin/dynamics/runtime';
import { type AnimationClip, type DataTexture, Matrix4, Mesh, type Object3D, RGFormat } from 'three';
import { Fn } from 'three/tsl';
import type { NodeMaterial, Renderer, RenderTarget } from 'three/webgpu';
import { topOf } from '../drive/rest-space.ts';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { matrixOf, rowsOf } from '../model/geometry-rig.ts';
import { SkinSurface } from '../model/skin-surface.ts';
import { type BakedClip, bakeClip, MOST_ROWS } from './baked-clip.ts';
import { type CrowdPoses, crowdVertex } from './crowd-nodes.ts';
import { nodeMaterialOf } from './node-material.ts';
import { displacementPose, jointTable, type PoseTable, paletteTable } from './pose-table.ts';
import { SkinTables } from './skin-tables.ts';
import { floatTarget, type TexelPass, withCleanState } from './texel-pass.ts';
import { floatTexture, PaletteNode, paletteSize, TexelTable } from './texel-table.ts';
import { blendVirtualBones, masterTexels } from './virtual-bones.ts';

export interface CrowdOptions {
  /** Bakes this clip; absent: every instance is posed by itself. */
  readonly clip: AnimationClip | undefined;
  /**
   * What the clip's tracks are found in, such as `gltf.scene`, and what an instance stands for: its matrix takes the place
   * of the root's. Absent: the topmost object above the mesh that is no scene.
   */
  readonly root: Object3D | undefined;
  /** Frames baked per second. */
  readonly fps: number;
  /** Blend between two baked frames; without, the nearest is shown, at half the price. */
  readonly smooth: boolean;
}

export const CROWD_DEFAULTS: CrowdOptions = { clip: undefined, root: undefined, fps: 60, smooth: false };

/**
 * Many instances of one model in one draw call.
 * @example
 * {@includeCode ../../examples/crowd.page.ts}
 */
export class PeltCrowd extends Mesh {
  readonly isPeltCrowd = true;
  readonly #tables: SkinTables;
  readonly #places: DataTexture;
  readonly #moments: DataTexture | undefined;
  /** What is kept of a pose, and the textures of all poses: of the instances, or of the baked clip. */
  readonly #poseTables: readonly PoseTable[];
  readonly #poses: readonly DataTexture[];
  readonly #baked: BakedClip | undefined;
  readonly #virtual: RenderTarget | undefined;
  #virtualPass: TexelPass | undefined;
  #masters: TexelTable | undefined;
  #posesChanged = true;
  readonly #smooth: boolean;
  readonly #rows = new Float64Array(TRANSFORM_SIZE);
  /** From the mesh, in whose space palettes are, to the root: characters come scaled and turned by nodes above it. */
  readonly #base = new Matrix4();
  readonly #product = new Matrix4();
  /** Of the instances that `advanceFrom` has posed. */
  readonly #swings: (SwingState | undefined)[] = [];

  constructor(source: PeltMesh, renderer: Renderer, count: number, options?: Partial<CrowdOptions>) {
    const { clip, root, fps, smooth } = resolveOptions('PeltCrowd', CROWD_DEFAULTS, options);
    if (!Number.isInteger(count) || count < 1)
      throw new UsageError(`PeltCrowd: ${count} instances, expected 1 or more`);
    if (Array.isArray(source.material)) throw new UsageError(`PeltCrowd: '${source.name}' has several materials`);
    if (source.skinning !== 'linear') {
      throw new UsageError(
        `PeltCrowd: '${source.name}' blends dual quaternions, which a crowd does not; set its skinning to 'linear'`,
      );
    }
    const { model, geometry } = source;
    const skeleton = requirePaletteSkeleton(source);
    const material = nodeMaterialOf(renderer, source.material);
    super(geometry, material);
    if (geometry.morphAttributes.position) {
      console.warn(`pelt: a crowd of '${source.name}' is shown without its morph targets`);
    }
    this.#smooth = smooth;
    this.name = source.name;
    this.count = count;
    // It spans the view as a rule; its parts would have to be culled one by one.
    this.frustumCulled = false;
    this.castShadow = source.castShadow;
    this.receiveShadow = source.receiveShadow;
    this.#tables = new SkinTables(new SkinSurface([source]));
    const top = root ?? topOf(source);
    source.updateWorldMatrix(true, false);
    this.#base.copy(top.matrixWorld).invert().multiply(source.matrixWorld);
    this.#places = instanceTable(count, 3);
    for (let k = 0; k < count; k++) floats(this.#places).set(rowsOf(this.#base, this.#rows, 0), TRANSFORM_SIZE * k);
    const joints = skeleton.joints.length;
    const bones = model.masters ? model.added : model.added + joints;
    const displaced = displacementPose(model, joints);
    const more = displaced ? [displaced.cardinal, displaced.axes] : [];
    let poses: Omit<CrowdPoses, 'displacements'>;
    if (clip) {
      if (!root) throw new UsageError('PeltCrowd: a clip needs the root in which its tracks are found');
      this.#poseTables = [paletteTable(bones), ...more];
      this.#baked = bakeClip(source, root, clip, this.#poseTables, fps);
      this.#poses = this.#baked.textures;
      this.#moments = momentTable(count);
      const moments = new PaletteNode(this.#moments, count, 1);
      const { frames } = this.#baked;
      poses = { palettes: this.#poseTables[0].node(this.#poses[0]), baked: { moments, frames, smooth } };
    } else {
      this.#poseTables = [model.masters ? jointTable(joints) : paletteTable(bones), ...more];
      requireRoom(count, Math.max(paletteSize(bones, 3).height, ...this.#poseTables.map(({ height }) => height)));
      this.#poses = this.#poseTables.map((table) => table.texture(count));
      let palettes = this.#poseTables[0].node(this.#poses[0]);
      if (model.masters) {
        const { width, height } = paletteSize(bones, 3);
        this.#virtual = floatTarget(width, height * count);
        this.#masters = new TexelTable(masterTexels(model));
        this.#virtualPass = blendVirtualBones(model, palettes, this.#masters);
        palettes = new PaletteNode(this.#virtual.texture, bones, 3);
      }
      poses = { palettes };
      for (let k = 0; k < count; k++) this.setPoseFrom(k, source);
    }
    const displacements = displaced && {
      cardinal: displaced.cardinal.node(this.#poses[1]),
      axes: displaced.axes.node(this.#poses[2]),
    };
    const places = new PaletteNode(this.#places, count, 3);
    (material as NodeMaterial).positionNode = Fn(() =>
      crowdVertex(this.#tables, geometry, places, { ...poses, displacements }),
    )();
  }

  /** Bytes uploaded in a frame in which all instances move but stay where they are. */
  get uploadBytes(): number {
    const textures = this.#moments ? [this.#moments] : this.#poses;
    return textures.reduce((sum, texture) => sum + floats(texture).byteLength, 0);
  }

  /** @param matrix  where the root of the instance stands */
  setMatrixAt(index: number, matrix: Matrix4): void {
    this.#require(index);
    this.#product.multiplyMatrices(matrix, this.#base);
    floats(this.#places).set(rowsOf(this.#product, this.#rows, 0), TRANSFORM_SIZE * index);
    this.#places.needsUpdate = true;
  }

  /**
   * Poses an instance by transforms alone, without the displacements of a learnt skin; `setPoseFrom` has them.
   *
   * @param palette  the transforms that are uploaded: a skeleton's `transforms` where the skin has two layers, else its
   *   `palette`
   */
  setPoseAt(index: number, palette: Float64Array): void {
    this.#requirePosed(index);
    const [{ size }, cardinal] = this.#poseTables;
    if (palette.length > size) throw new UsageError(`PeltCrowd: ${palette.length} numbers of a pose, too many`);
    floats(this.#poses[0]).set(palette, size * index);
    if (cardinal) floats(this.#poses[1]).fill(0, cardinal.size * index, cardinal.size * (index + 1));
    this.#posesChanged = true;
  }

  /** The pose that a mesh of the same model is in. */
  setPoseFrom(index: number, mesh: PeltMesh): void {
    this.#requirePosed(index);
    mesh.skeleton.update();
    this.#poseTables.forEach((table, k) => {
      table.write(mesh, floats(this.#poses[k]), table.size * index);
    });
    this.#posesChanged = true;
  }

  /**
   * The pose that a mesh of the same model is in, with a swing of the instance's own: its secondary motion goes on from
   * where it was, by this pose and by the place of the instance in the world.
   *
   * @param seconds  since the last call for this instance
   */
  advanceFrom(index: number, mesh: PeltMesh, seconds: number): void {
    this.#requirePosed(index);
    const { swing } = mesh.skeleton;
    if (swing) {
      const shown = swing.state;
      swing.state = this.#swings[index] ??= swing.player.createState();
      matrixOf(floats(this.#places), TRANSFORM_SIZE * index, this.#product).premultiply(this.matrixWorld);
      mesh.skeleton.advance(seconds, this.#product);
      this.setPoseFrom(index, mesh);
      swing.state = shown;
    } else this.setPoseFrom(index, mesh);
  }

  /** Forgets the motion of an instance: its next pose counts as one that has been held. Call it after a seek. */
  resetSwingAt(index: number): void {
    this.#require(index);
    this.#swings[index] = undefined;
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
    if (!this.#posesChanged || this.#baked) return;
    this.#posesChanged = false;
    for (const texture of this.#poses) texture.needsUpdate = true;
    const [pass, target] = [this.#virtualPass, this.#virtual];
    if (pass && target) withCleanState(renderer, () => pass.render(renderer, target));
  }

  override dispose(): void {
    this.#tables.dispose();
    for (const texture of [this.#places, this.#moments, ...this.#poses]) texture?.dispose();
    this.#masters?.dispose();
    this.#virtual?.dispose();
    this.#virtualPass?.dispose();
    (this.material as NodeMaterial).dispose();
  }

  #requirePosed(index: number): void {
    this.#require(index);
    if (this.#baked) throw new UsageError('PeltCrowd: it plays a baked clip; setTimeAt says where each instance is');
  }

  #require(index: number): void {
    if (!(Number.isInteger(index) && index >= 0 && index < this.count)) {
      throw new UsageError(`PeltCrowd: there is no instance ${index}; there are ${this.count}`);
    }
  }
}

function requireRoom(count: number, height: number): void {
  const most = Math.floor(MOST_ROWS / height);
  if (count > most) throw new UsageError(`PeltCrowd: ${count} posed instances; up to ${most} fit, or bake a clip`);
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
