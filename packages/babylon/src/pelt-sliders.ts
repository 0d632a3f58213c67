/**
 * Sliders of a face: their values by name, and what the joints and the morph targets make of them. With T_j the transform
 * of a joint and R_j its frame at rest, the palette is T_j R_j (I + Σ_s c_s N_sj) R_j⁻¹.
 */
import { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { type SliderClip, type Sliders, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { SliderBones } from '@pelt/skin/sliders/runtime';
import type { LoadedRig } from './loaded-rig.ts';
import { multiplyTransforms } from './transforms.ts';

/**
 * The sliders of a face in Babylon.
 * @example
 * {@includeCode ../examples/loading.page.ts}
 */
export class PeltSliders {
  readonly names: readonly string[];
  /** One for each name; read before every frame. Animations write them. */
  readonly values: Float32Array;
  readonly #bones: SliderBones;
  readonly #rig: LoadedRig;
  readonly #rests: Float64Array;

  constructor(sliders: Sliders, rig: LoadedRig) {
    this.#rig = rig;
    this.#bones = new SliderBones(sliders, rig.bones.length);
    this.names = sliders.names;
    this.values = this.#bones.values;
    this.#rests = new Float64Array(TRANSFORM_SIZE * rig.bones.length);
    for (const [j, { rest }] of rig.rig.bones.entries()) this.#rests.set(rest, TRANSFORM_SIZE * j);
  }

  get(name: string): number {
    return this.values[this.#indexOf(name)];
  }

  /** @param value  0 for the neutral face, 1 for the whole shape */
  set(name: string, value: number): void {
    this.values[this.#indexOf(name)] = value;
  }

  /**
   * @param transforms  m × 12 of the joints, rest → pose
   * @param palette     m × 12; overwritten
   */
  fill(transforms: Float64Array, palette: Float64Array): void {
    const local = this.#bones.update();
    const { inverses, parts } = this.#rig;
    palette.set(transforms);
    for (let at = 0; at < palette.length; at += TRANSFORM_SIZE) {
      multiplyTransforms(palette, this.#rests, at, palette);
      multiplyTransforms(palette, local, at, palette);
      multiplyTransforms(palette, inverses, at, palette);
    }
    for (const part of parts) this.#setMorphs(part);
  }

  /** Target k belongs to slider k. */
  #setMorphs({ morphTargetManager: targets }: Mesh): void {
    for (let k = 0; k < (targets?.numTargets ?? 0); k++) {
      const target = targets?.getTarget(k);
      if (target && target.influence !== this.values[k]) target.influence = this.values[k];
    }
  }

  #indexOf(name: string): number {
    const found = this.#bones.indexOf(name);
    if (found === undefined) {
      throw new UsageError(
        `there is no slider '${name}'; the file has ${this.names.map((each) => `'${each}'`).join(', ')}`,
      );
    }
    return found;
  }
}

/**
 * Lets an animation move the sliders in place of the joints, whose curves are for players without the extension.
 *
 * @param fps  of the loader: what its frames are counted in
 */
export function useSliderCurves(
  group: AnimationGroup,
  clip: SliderClip,
  sliders: PeltSliders,
  rig: LoadedRig,
  fps: number,
) {
  const baked = new Set<unknown>();
  for (const bone of rig.bones) {
    const node = bone.getTransformNode();
    baked.add(node);
    if (node?.parent) baked.add(node.parent);
  }
  const targets = rig.parts.flatMap(({ morphTargetManager: morphs }) =>
    Array.from({ length: morphs?.numTargets ?? 0 }, (_, k) => morphs?.getTarget(k)),
  );
  for (const target of targets) baked.add(target);
  for (const { animation, target } of [...group.targetedAnimations]) {
    if (baked.has(target)) group.removeTargetedAnimation(animation);
  }
  const S = sliders.names.length;
  sliders.names.forEach((name, s) => {
    const curve = new Animation(`${clip.name}.${name}`, `values.${s}`, fps, Animation.ANIMATIONTYPE_FLOAT);
    curve.setKeys(Array.from(clip.times, (time, t) => ({ frame: time * fps, value: clip.values[t * S + s] })));
    group.addTargetedAnimation(curve, sliders);
  });
}
