/** Errors of a slider fit, in model units: of every slider fully on, and over random mixtures of several. */
import { Random } from '@pelt/math';
import { checkCancelled, type RunContext, TRANSFORM_SIZE } from '@pelt/model';
import { deformLinear } from '../../shared/blending/linear.ts';
import { SliderBones, sliderTransforms } from '../runtime/slider-bones.ts';
import type { SliderFit, SliderShapes } from './fit-sliders.ts';

/** Root mean square, mean and largest distance of the vertices. */
export interface MixtureErrors {
  readonly rms: number;
  readonly mean: number;
  readonly max: number;
}

export interface SliderErrors extends MixtureErrors {
  /** S, each slider alone and fully on; the errors above are over all of them. */
  readonly sliders: readonly (MixtureErrors & { readonly name: string })[];
  /** Over random mixtures of up to eight sliders at random values. */
  readonly mixtures: MixtureErrors & { readonly count: number };
}

/** Most sliders in a mixture. */
const MOST_MIXED = 8;

/**
 * Plays a fit and compares it with its blend shapes. Its mesh may be a little off theirs, as one that was packed is. The
 * mixtures are the same for the same seed.
 *
 * @example
 * {@includeCode ../../../examples/sliders.ts}
 */
export function sliderErrors(
  input: SliderShapes,
  fit: SliderFit,
  { mixtures = 1000, seed = 1 }: { readonly mixtures?: number; readonly seed?: number } = {},
  context?: RunContext,
): SliderErrors {
  const S = input.names.length;
  const player = new FitPlayer(input, fit);
  const values = new Float32Array(S);
  const all = new Tally();
  const sliders = input.names.map((name, s) => {
    checkCancelled(context);
    const own = new Tally();
    values.fill(0);
    values[s] = 1;
    player.compare(values, own);
    all.add(own);
    return { name, ...own.result() };
  });
  const random = new Random(seed);
  const mixed = new Tally();
  for (let k = 0; k < mixtures; k++) {
    checkCancelled(context);
    values.fill(0);
    const count = 1 + Math.floor(random.uniform() * Math.min(MOST_MIXED, S));
    for (let q = 0; q < count; q++) values[Math.floor(random.uniform() * S)] = random.uniform();
    player.compare(values, mixed);
  }
  return { ...all.result(), sliders, mixtures: { ...mixed.result(), count: mixtures } };
}

class Tally {
  #squares = 0;
  #sum = 0;
  #max = 0;
  #count = 0;

  put(squared: number): void {
    const distance = Math.sqrt(squared);
    this.#squares += squared;
    this.#sum += distance;
    if (distance > this.#max) this.#max = distance;
    this.#count++;
  }

  add(other: Tally): void {
    this.#squares += other.#squares;
    this.#sum += other.#sum;
    this.#max = Math.max(this.#max, other.#max);
    this.#count += other.#count;
  }

  result(): MixtureErrors {
    const count = Math.max(1, this.#count);
    return { rms: Math.sqrt(this.#squares / count), mean: this.#sum / count, max: this.#max };
  }
}

/**
 * The fit beside its blend shapes. Without corrections the error is linear in the values: v(c) - ṽ(c) = e + Σ_s c_s r_s, e
 * that of the neutral face, so that a mixture costs a sum of fields, not the skinning of a mesh. Corrections are skinned,
 * too, and add a product of values at the few vertices that have them: Σ_s c_s (Σ_j w_ij L_j(c)) d_si, with the linear part
 * L of a bone.
 */
class FitPlayer {
  readonly #fit: SliderFit;
  readonly #bones: SliderBones;
  readonly #transforms: Float64Array;
  /** n × 3: e */
  readonly #still: Float32Array;
  /** S × n × 3: r_s, of the bones alone */
  readonly #residuals: Float32Array;
  readonly #error: Float32Array;
  /** n × 3, zero but at the vertices of `#corrected` */
  readonly #displaced: Float64Array;
  readonly #corrected = new Set<number>();

  constructor({ mesh, shapes, names }: SliderShapes, fit: SliderFit) {
    const { rig } = fit;
    const { positions } = rig.mesh;
    this.#fit = fit;
    this.#bones = new SliderBones(fit.sliders, rig.bones.length);
    this.#transforms = new Float64Array(this.#bones.local.length);
    this.#residuals = new Float32Array(shapes.length);
    this.#still = positions.map((value, k) => value - mesh.positions[k]);
    this.#error = new Float32Array(positions.length);
    this.#displaced = new Float64Array(positions.length);
    const one = new Float32Array(names.length);
    for (let s = 0; s < names.length; s++) {
      one.fill(0);
      one[s] = 1;
      sliderTransforms(this.#bones.update(one), rig.bones, this.#transforms);
      const field = this.#residuals.subarray(s * positions.length, (s + 1) * positions.length);
      deformLinear(positions, rig.weights, this.#transforms, field);
      for (let k = 0; k < field.length; k++) field[k] -= shapes[s * positions.length + k] + this.#still[k];
    }
  }

  compare(values: Float32Array, tally: Tally): void {
    const error = this.#error;
    error.set(this.#still);
    for (let s = 0; s < values.length; s++) {
      const c = values[s];
      if (c === 0) continue;
      const first = s * error.length;
      for (let k = 0; k < error.length; k++) error[k] += c * this.#residuals[first + k];
      this.#displace(s, c);
    }
    if (this.#corrected.size > 0) this.#correct(values);
    for (let k = 0; k < error.length; k += 3) {
      tally.put(error[k] * error[k] + error[k + 1] * error[k + 1] + error[k + 2] * error[k + 2]);
    }
  }

  #displace(s: number, c: number): void {
    const { starts, vertices, displacements } = this.#fit.corrections;
    for (let k = starts[s]; k < starts[s + 1]; k++) {
      this.#corrected.add(vertices[k]);
      for (let r = 0; r < 3; r++) this.#displaced[3 * vertices[k] + r] += c * displacements[3 * k + r];
    }
  }

  #correct(values: Float32Array): void {
    const { bones, weights } = this.#fit.rig;
    const T = sliderTransforms(this.#bones.update(values), bones, this.#transforms);
    for (const i of this.#corrected) {
      const d = this.#displaced.subarray(3 * i, 3 * i + 3);
      for (let slot = i * weights.slots; slot < (i + 1) * weights.slots; slot++) {
        const w = weights.weights[slot];
        const at = TRANSFORM_SIZE * weights.bones[slot];
        for (let r = 0; r < 3; r++) {
          const row = at + 4 * r;
          this.#error[3 * i + r] += w * (T[row] * d[0] + T[row + 1] * d[1] + T[row + 2] * d[2]);
        }
      }
      d.fill(0);
    }
    this.#corrected.clear();
  }
}
