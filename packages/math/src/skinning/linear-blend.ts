/**
 * Linear blend skinning on the CPU with everything in wasm memory: made once for a skin, then one call a pose.
 *
 * 42k vertices with four weights take a sixth of the time of plain TypeScript (benchmarks, task math).
 */
import { NumericError } from '../errors.ts';
import type { Numerics } from '../numerics/numerics.ts';
import type { Block, Scope } from '../numerics/scope.ts';

/** Vertices that one thread poses at a time. */
const GRAIN = 2048;

export class LinearBlend {
  readonly #numerics: Numerics;
  readonly #scope: Scope;
  readonly #n: number;
  readonly #slots: number;
  readonly #bones: number;
  readonly #inputs: readonly number[];
  readonly #columns: Block<Float32Array>;
  readonly #out: Block<Float32Array>;

  /**
   * @param rest     n × 3
   * @param bones    n × K bone indices, row-major
   * @param weights  n × K
   * @param count    number of bones
   */
  constructor(numerics: Numerics, rest: Float32Array, bones: Uint16Array, weights: Float32Array, count: number) {
    this.#numerics = numerics;
    this.#n = rest.length / 3;
    this.#slots = this.#n > 0 ? bones.length / this.#n : 0;
    this.#bones = count;
    if (bones.length !== weights.length || !Number.isInteger(this.#slots)) {
      throw new NumericError(
        `LinearBlend: ${bones.length} bones and ${weights.length} weights for ${this.#n} vertices`,
      );
    }
    if (bones.some((bone) => bone >= count)) throw new NumericError(`LinearBlend: a bone index is not below ${count}`);
    const scope = numerics.scope();
    this.#scope = scope;
    const restBlock = scope.f32(rest.length);
    const bonesBlock = scope.u16(bones.length);
    const weightsBlock = scope.f32(weights.length);
    this.#columns = scope.f32(16 * count);
    this.#out = scope.f32(rest.length);
    restBlock.view.set(rest);
    bonesBlock.view.set(bones);
    weightsBlock.view.set(weights);
    this.#inputs = [restBlock.pointer, bonesBlock.pointer, weightsBlock.pointer];
  }

  /**
   * @param transforms  m × 12, row-major 3 × 4 [R | t], rest → pose
   * @returns n × 3, a view that the next call overwrites
   */
  pose(transforms: Float64Array): Float32Array {
    if (transforms.length !== 12 * this.#bones) {
      throw new NumericError(`LinearBlend: ${transforms.length} numbers are not ${this.#bones} transforms`);
    }
    const columns = this.#columns.view;
    for (let j = 0; j < this.#bones; j++) {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) {
          columns[16 * j + 4 * column + row] = transforms[12 * j + 4 * row + column];
        }
      }
    }
    const args = [...this.#inputs, this.#slots, this.#columns.pointer, this.#out.pointer];
    this.#numerics.run('linearBlend', this.#n, GRAIN, args);
    return this.#out.view;
  }

  dispose(): void {
    this.#scope.dispose();
  }
}
