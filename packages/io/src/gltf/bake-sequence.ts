import { InputError, type Mesh, type MeshSequence, resolveOptions, UsageError } from '@pelt/model';
import { blendLinear } from '@pelt/model/internal';
import { FrameGather, type FrameSource, readFrames, requireFrameRequest } from '../frame-source.ts';
import { fileLabel } from '../read-options.ts';
import { sampleTimes } from './sample-times.ts';
import type { GltfAnimation, GltfAsset, GltfScene } from './scene.ts';
import { ScenePose } from './scene-pose.ts';

/**
 * A glTF's animation as plain positions: at every moment the morph targets are added to the rest pose, then the bones
 * blend: v = Σ w M (p + Σ a δ), the order that the glTF specification (3.7.2.2, 3.7.3.3) demands.
 */
export interface BakeOptions {
  /** Which animation, by name or by index. */
  readonly clip: string | number;
  /** Frames a second; absent: the animation's own keys. */
  readonly fps: number | undefined;
  /** Seconds after the first key at which to sample, rising; absent: by `fps`. */
  readonly times: ArrayLike<number> | undefined;
}

export const BAKE_DEFAULTS: BakeOptions = { clip: 0, fps: undefined, times: undefined };

/** Positions are indexed by 32-bit numbers in most engines; a sequence beyond this would not fit memory either. */
const MAX_NUMBERS = 2 ** 31;

/**
 * Evaluates an animation of a glTF file, with its skins and morph targets, to positions per frame. Time 0 is the first
 * key; a file without animations gives one frame.
 * @example
 * {@includeCode ../../examples/sequences.ts}
 */
export function bakeSequence(asset: GltfAsset, options?: Partial<BakeOptions>): MeshSequence {
  const motion = new GltfMotion(asset, options);
  const { length } = motion.times;
  const size = asset.mesh.positions.length;
  if (length * size > MAX_NUMBERS) {
    throw new InputError(
      `${length} frames of ${size / 3} vertices do not fit into memory; sample the animation at a lower rate`,
    );
  }
  return readFrames(motion);
}

/**
 * An animation of a glTF file, with random access to its frames, evaluated on demand.
 * @example
 * {@includeCode ../../examples/frame-source.ts}
 */
export class GltfMotion implements FrameSource {
  readonly name: string;
  readonly label: string;
  /** The mesh in the bind pose. */
  readonly rest: Mesh;
  readonly times: Float64Array;
  /** Second of the file at which the animation begins. */
  readonly start: number;
  readonly #scene: GltfScene;
  readonly #animation: GltfAnimation;
  /** The frame times in the file's own seconds. */
  readonly #moments: Float64Array;
  readonly #pose: ScenePose;
  readonly #bones: Float64Array;
  readonly #morphed: Float64Array;
  readonly #gather = new FrameGather();

  constructor(asset: GltfAsset, options?: Partial<BakeOptions>) {
    const { clip, fps, times: given } = resolveOptions('bakeSequence', BAKE_DEFAULTS, options);
    const { scene, mesh, animations } = asset;
    const animation = animations.length === 0 && options?.clip === undefined ? STILL : animationOf(asset, clip);
    const own = sampleTimes(scene, animation, fps);
    const times = given ? Float64Array.from(given, (time) => time + own[0]) : own;
    this.name = animation.name || asset.name;
    this.label = fileLabel('glTF', asset.name);
    this.rest = mesh;
    this.times = times.map((time) => time - times[0]);
    this.start = times[0];
    this.#scene = scene;
    this.#animation = animation;
    this.#moments = times;
    this.#pose = new ScenePose(scene);
    this.#bones = new Float64Array(12 * scene.bones.length);
    this.#morphed = new Float64Array(mesh.positions.length);
  }

  /**
   * @param t         frame number, 0 to S − 1
   * @param out       n × 3 positions, or m × 3 if `vertices` is given; overwritten
   * @param vertices  m vertex indices, in any order; absent: all vertices
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void {
    const n = this.rest.positions.length / 3;
    requireFrameRequest(t, this.times.length, n, out, vertices);
    this.#gather.read(n, vertices, out, (whole) => this.#bake(t, whole));
  }

  #bake(t: number, out: Float32Array): void {
    this.#pose.setTime(this.#animation, this.#moments[t]);
    this.#pose.boneTransforms(this.#bones);
    this.#morphed.set(this.rest.positions);
    addMorphs(this.#scene, this.#pose, this.#morphed);
    blendLinear(this.#morphed, this.#scene.weights, this.#bones, out);
  }
}

/**
 * Evaluates frames of a glTF file one at a time, by the seconds of its animations: all of them need not fit memory.
 * @example
 * {@includeCode ../../examples/skinned.ts}
 */
export class FrameBaker {
  readonly #asset: GltfAsset;
  readonly #bones: Float64Array;
  readonly #morphed: Float64Array;

  constructor(asset: GltfAsset) {
    this.#asset = asset;
    this.#bones = new Float64Array(12 * asset.scene.bones.length);
    this.#morphed = new Float64Array(asset.mesh.positions.length);
  }

  /**
   * @param time  in the animation's own seconds
   * @param out   n × 3
   */
  bake(animation: GltfAnimation, time: number, out: Float32Array): Float32Array {
    const { scene, mesh } = this.#asset;
    const pose = new ScenePose(scene);
    pose.setTime(animation, time);
    pose.boneTransforms(this.#bones);
    this.#morphed.set(mesh.positions);
    addMorphs(scene, pose, this.#morphed);
    return blendLinear(this.#morphed, scene.weights, this.#bones, out);
  }
}

export const STILL: GltfAnimation = { name: '', channels: [], start: 0, end: 0 };

function animationOf({ animations }: GltfAsset, clip: string | number): GltfAnimation {
  const found = typeof clip === 'number' ? animations[clip] : animations.find(({ name }) => name === clip);
  if (found) return found;
  const names = animations.map(({ name }, k) => name || String(k)).join(', ');
  throw new UsageError(`there is no clip '${clip}'; ${names ? `the file has ${names}` : 'the file has none'}`);
}

/** @param positions  n × 3, the rest pose; overwritten */
function addMorphs(scene: GltfScene, pose: ScenePose, positions: Float64Array): void {
  for (const { node, firstVertex, targets, restWeights } of scene.morphs) {
    const weights = pose.morphWeights(node);
    if (!weights) continue;
    targets.forEach((target, k) => {
      const weight = weights[k] - restWeights[k];
      if (!target || weight === 0) return;
      for (let c = 0; c < target.length; c++) positions[3 * firstVertex + c] += weight * target[c];
    });
  }
}
