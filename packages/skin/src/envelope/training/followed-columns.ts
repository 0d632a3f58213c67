/**
 * The columns by which a proxy may differ from the joint that it follows: differences of keys and of other joints to this
 * joint. A joint has four, those of its linear part and of where it takes the proxy's middle; a key has three.
 */
import type { DriveSamples } from './drive-samples.ts';
import { PLACE } from './palette-moments.ts';

/** Numbers of the samples, with factors, that sum to a column. */
type Combination = readonly (readonly [place: number, factor: number])[];

export class FollowedColumns {
  /** Columns of each key, and of each other joint. */
  readonly groups: readonly (readonly number[])[];
  readonly #combinations: readonly Combination[];
  readonly #samples: DriveSamples;
  /** Where the joint takes the proxy's middle. */
  readonly #place: Combination;
  readonly #home: number;
  readonly #products: Float64Array;
  readonly #column: Float64Array;

  /**
   * @param home   the joint
   * @param lever  the proxy's middle, from the middle of the mesh
   */
  constructor(samples: DriveSamples, home: number, lever: readonly number[]) {
    const { keys, bones, width } = samples;
    const combinations: Combination[] = [];
    const groups: number[][] = [];
    const column = (combination: Combination) => combinations.push(combination) - 1;
    const h = 3 * keys + PLACE * home;
    for (let l = 0; l < keys; l++) {
      groups.push(linear(3 * l, h).map(column));
    }
    const placeOf = (at: number): Combination => [...lever.map((z, a) => [at + a, z] as const), [at + 3, 1]];
    for (let j = 0; j < bones; j++) {
      const at = 3 * keys + PLACE * j;
      const negative = placeOf(h).map(([place, factor]) => [place, -factor] as const);
      if (j !== home) groups.push([...linear(at, h), [...placeOf(at), ...negative]].map(column));
    }
    this.groups = groups;
    this.#combinations = combinations;
    this.#samples = samples;
    this.#place = placeOf(h);
    this.#home = h;
    this.#products = new Float64Array(width);
    this.#column = new Float64Array(combinations.length);
  }

  /** Inner product of two columns. */
  entry(a: number, b: number): number {
    const { gram, width } = this.#samples;
    let sum = 0;
    for (const [u, f] of this.#combinations[a]) {
      for (const [v, g] of this.#combinations[b]) sum += f * g * gram[u * width + v];
    }
    return sum;
  }

  /** Inner products of column a with all; a buffer that the next call overwrites. */
  column(a: number): Float64Array {
    const { gram, width } = this.#samples;
    const products = this.#products.fill(0);
    for (const [u, f] of this.#combinations[a]) for (let v = 0; v < width; v++) products[v] += f * gram[u * width + v];
    return this.#combined(products, 1, this.#column);
  }

  /**
   * What proxy p does beyond the joint, in a metric: y = [ρ Δ, Δz] L.
   *
   * @returns  inner products with the columns, and ‖y‖²
   */
  target(p: number, extent: number, factor: Float64Array): { cross: Float64Array; total: number } {
    const { rows, width, numbers, transforms } = this.#samples;
    const stride = transforms.length / rows;
    const products = new Float64Array(PLACE * width);
    const y = new Float64Array(PLACE);
    const away = new Float64Array(PLACE);
    let total = 0;
    for (let row = 0; row < rows; row++) {
      const [from, to] = [row * width, row * stride + PLACE * p];
      let place = transforms[to + 3];
      for (let a = 0; a < 3; a++) {
        away[a] = extent * (transforms[to + a] - numbers[from + this.#home + a]);
        place += transforms[to + a] * this.#place[a][1];
      }
      away[3] = this.#place.reduce((sum, [at, f]) => sum - f * numbers[from + at], place);
      for (let o = 0; o < PLACE; o++) {
        y[o] = 0;
        for (let k = o; k < PLACE; k++) y[o] += away[k] * factor[PLACE * k + o];
        total += y[o] ** 2;
      }
      for (let v = 0, at = 0; v < width; v++) {
        for (let o = 0; o < PLACE; o++, at++) products[at] += numbers[from + v] * y[o];
      }
    }
    return { cross: this.#combined(products, PLACE, new Float64Array(PLACE * this.#column.length)), total };
  }

  #combined(products: Float64Array, outputs: number, out: Float64Array): Float64Array {
    out.fill(0);
    this.#combinations.forEach((combination, b) => {
      for (const [v, g] of combination) {
        for (let o = 0; o < outputs; o++) out[b * outputs + o] += g * products[v * outputs + o];
      }
    });
    return out;
  }
}

/** Differences of the linear parts of two transforms. */
function linear(at: number, home: number): Combination[] {
  return [0, 1, 2].map((a) => [
    [at + a, 1],
    [home + a, -1],
  ]);
}
