import { InputError } from './errors.ts';
import { requireFinite, requireIndices, requireLength, requireTimes } from './require.ts';
import { TRANSFORM_SIZE } from './rig.ts';

/**
 * Bones that follow sliders: at slider values c the bone j has, in its own rest frame, the affine transform
 *
 *   L_j(c) = I + Σ_s c_s N_sj,
 *
 * so that a vertex goes to Σ_j w_ij B_j L_j(c) B_j⁻¹ p_i, B_j being the bone's frame. It is linear in the values, as
 * blend shapes are. Most numbers of the N are zero, and only the others are kept.
 */
export interface Sliders {
  /** S, each once */
  readonly names: readonly string[];
  /** S + 1: where the entries of each slider begin */
  readonly starts: Uint32Array;
  /** The bone of each entry */
  readonly bones: Uint16Array;
  /** Which of the 12 numbers of N, row-major 3 × 4, each entry is */
  readonly elements: Uint8Array;
  readonly values: Float32Array;
}

/**
 * Throws `InputError` unless names are distinct, entries are in the order of their sliders, finite and in range.
 * @example
 * {@includeCode ../examples/sliders.ts}
 */
export function validateSliders(sliders: Sliders, boneCount: number): void {
  const { names, starts, bones, elements, values } = sliders;
  const repeated = names.find((name, s) => names.indexOf(name) !== s);
  if (repeated !== undefined) throw new InputError(`sliders: two are called '${repeated}'`);
  requireLength('sliders: starts', starts, names.length + 1);
  requireLength('sliders: bones', bones, values.length);
  requireLength('sliders: elements', elements, values.length);
  if (starts[0] !== 0 || starts[names.length] !== values.length) {
    throw new InputError(`sliders: starts must lead from 0 to ${values.length}`);
  }
  for (let s = 0; s < names.length; s++) {
    if (starts[s] > starts[s + 1]) throw new InputError(`sliders: starts fall at slider ${s} '${names[s]}'`);
  }
  requireIndices('sliders: bones', bones, boneCount);
  requireIndices('sliders: elements', elements, TRANSFORM_SIZE);
  requireFinite('sliders: values', values);
}

/** Slider values over time. */
export interface SliderClip {
  readonly name: string;
  /** F seconds, strictly increasing */
  readonly times: Float64Array;
  /** F × S */
  readonly values: Float32Array;
}

/**
 * Throws `InputError` unless times increase and every frame has a finite value for each of `count` sliders.
 * @example
 * {@includeCode ../examples/sliders.ts}
 */
export function validateSliderClip(clip: SliderClip, count: number): void {
  const what = `slider clip '${clip.name}'`;
  if (clip.times.length === 0) throw new InputError(`${what}: no frames`);
  requireTimes(`${what}: times`, clip.times);
  requireLength(`${what}: values`, clip.values, clip.times.length * count);
  requireFinite(`${what}: values`, clip.values);
}
