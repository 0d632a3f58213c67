/** Errors of a slider fit, in model units: of every slider fully on, and over random mixtures of several. */
import { Random } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';
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
 * Plays a fit and compares it with its blend shapes.
 *
 * @param mixtures  number of random mixtures
 * @param seed      of the mixtures
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

/** The fit beside its blend shapes. */
class FitPlayer {
  readonly #input: SliderShapes;
  readonly #fit: SliderFit;
  readonly #bones: SliderBones;
  readonly #transforms: Float64Array;
  readonly #rest: Float32Array;
  readonly #posed: Float32Array;
  readonly #wanted: Float32Array;

  constructor(input: SliderShapes, fit: SliderFit) {
    const { positions } = input.mesh;
    this.#input = input;
    this.#fit = fit;
    this.#bones = new SliderBones(fit.sliders, fit.rig.bones.length);
    this.#transforms = new Float64Array(this.#bones.local.length);
    this.#rest = positions.slice();
    this.#posed = new Float32Array(positions.length);
    this.#wanted = new Float32Array(positions.length);
  }

  compare(values: Float32Array, tally: Tally): void {
    const { rig, corrections } = this.#fit;
    const { mesh, shapes } = this.#input;
    const { positions } = mesh;
    const [wanted, rest, posed] = [this.#wanted, this.#rest, this.#posed];
    wanted.set(positions);
    rest.set(positions);
    for (let s = 0; s < values.length; s++) {
      const c = values[s];
      if (c === 0) continue;
      const first = s * positions.length;
      for (let k = 0; k < positions.length; k++) wanted[k] += c * (shapes[first + k] - positions[k]);
      for (let k = corrections.starts[s]; k < corrections.starts[s + 1]; k++) {
        const at = 3 * corrections.vertices[k];
        for (let r = 0; r < 3; r++) rest[at + r] += c * corrections.displacements[3 * k + r];
      }
    }
    sliderTransforms(this.#bones.update(values), rig.bones, this.#transforms);
    deformLinear(rest, rig.weights, this.#transforms, posed);
    for (let k = 0; k < posed.length; k += 3) {
      const [x, y, z] = [posed[k] - wanted[k], posed[k + 1] - wanted[k + 1], posed[k + 2] - wanted[k + 2]];
      tally.put(x * x + y * y + z * z);
    }
  }
}
