import { type Bone, type Sliders, TRANSFORM_SIZE } from '@pelt/model';

/**
 * Transforms of bones that follow sliders: L_j = I + Σ_s c_s N_sj in the frame of each bone. A frame costs one product for
 * every number of the sliders that are not zero.
 * @example
 * {@includeCode ../../../examples/sliders.ts}
 */
export class SliderBones {
  readonly names: readonly string[];
  readonly #sliders: Sliders;
  readonly #index: ReadonlyMap<string, number>;
  /** S, the values; `update` reads them */
  readonly values: Float32Array;
  /** m × 12, of the last update */
  readonly local: Float64Array;

  /** @param boneCount  m */
  constructor(sliders: Sliders, boneCount: number) {
    this.#sliders = sliders;
    this.names = sliders.names;
    this.#index = new Map(sliders.names.map((name, s) => [name, s]));
    this.values = new Float32Array(sliders.names.length);
    this.local = new Float64Array(TRANSFORM_SIZE * boneCount);
    this.update();
  }

  /** The index of a slider; undefined where there is none of that name. */
  indexOf(name: string): number | undefined {
    return this.#index.get(name);
  }

  /**
   * Evaluates all bones.
   *
   * @param values  S, in place of `values`; a shorter list leaves the others at 0
   * @returns       `local`
   */
  update(values: ArrayLike<number> = this.values): Float64Array {
    const { starts, bones, elements, values: numbers } = this.#sliders;
    const { local } = this;
    local.fill(0);
    for (let at = 0; at < local.length; at += TRANSFORM_SIZE) local[at] = local[at + 5] = local[at + 10] = 1;
    const S = Math.min(values.length, this.names.length);
    for (let s = 0; s < S; s++) {
      const c = values[s];
      if (c === 0) continue;
      for (let k = starts[s]; k < starts[s + 1]; k++) local[TRANSFORM_SIZE * bones[k] + elements[k]] += c * numbers[k];
    }
    return local;
  }
}

/**
 * The same transforms from rest to pose in model space, B_j L_j B_j⁻¹, for bones whose frames are translations, as those
 * of `fitSliders` are.
 *
 * @param local  m × 12, of `SliderBones`
 * @param bones  m
 * @param out    m × 12; overwritten
 * @example
 * {@includeCode ../../../examples/sliders.ts}
 */
export function sliderTransforms(local: Float64Array, bones: readonly Bone[], out: Float64Array): Float64Array {
  bones.forEach(({ rest }, j) => {
    for (let r = 0; r < 3; r++) {
      const at = TRANSFORM_SIZE * j + 4 * r;
      const origin = rest[4 * r + 3];
      const turned = local[at] * rest[3] + local[at + 1] * rest[7] + local[at + 2] * rest[11];
      for (let c = 0; c < 3; c++) out[at + c] = local[at + c];
      out[at + 3] = local[at + 3] + origin - turned;
    }
  });
  return out;
}
