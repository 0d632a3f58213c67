/**
 * Rounds of a `VolumeSystem` until they change little, each looking where the last ones lead (`Mixing`). All vectors stay
 * in wasm memory.
 */
import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import { MIXING_SLOTS, Mixing } from './mixing.ts';
import type { VolumeSystem } from './volume-system.ts';

/** Pairs of vertices in a chunk: each of its vectors takes 48 kB. */
const GRAIN = 1024;
/** Vertices in a chunk of what is only copied. */
const PLACE_GRAIN = 4096;
/** Sums of a chunk before those of the slots. */
const LEAD = 5;
const SUMS = LEAD + 3 * MIXING_SLOTS;

/**
 * Rounds of a `VolumeSystem` until they change little, with Anderson acceleration.
 * @example
 * {@includeCode ../../examples/volume.ts}
 */
export class VolumeIteration extends ScopeOwner {
  readonly #numerics: Numerics;
  readonly #system: VolumeSystem;
  readonly #accelerate: boolean;
  readonly #mixing = new Mixing();
  readonly #pairs: number;
  /** free × 3: where the next round looks, and what the last one gave. */
  readonly #look: Block<Float64Array>;
  readonly #result: Block<Float64Array>;
  readonly #sums: Block<Float64Array>;
  readonly #factors: Block<Float64Array>;
  readonly #measureArgs: number[];
  readonly #lookArgs: number[];
  readonly #placeArgs: number[];

  constructor(numerics: Numerics, system: VolumeSystem, accelerate: boolean) {
    super(numerics);
    this.#numerics = numerics;
    this.#system = system;
    this.#accelerate = accelerate;
    const { scope } = this;
    const count = system.free.length;
    this.#pairs = Math.ceil(count / 2);
    const size = 6 * this.#pairs;
    const vector = () => scope.f64(size);
    this.#look = vector();
    this.#result = vector();
    const history = [scope.f64(MIXING_SLOTS * size), scope.f64(MIXING_SLOTS * size)];
    this.#sums = scope.f64(SUMS * Math.ceil(this.#pairs / GRAIN));
    this.#factors = scope.f64(MIXING_SLOTS);
    const [look, result] = [this.#look.pointer, this.#result.pointer];
    this.#measureArgs = [
      result,
      look,
      vector().pointer,
      vector().pointer,
      history[0].pointer,
      history[1].pointer,
      8 * size,
      MIXING_SLOTS,
      0,
      this.#sums.pointer,
      GRAIN,
    ];
    this.#lookArgs = [result, look, history[1].pointer, 8 * size, MIXING_SLOTS, this.#factors.pointer];
    this.#placeArgs = [0, scope.i32From(system.free).pointer, system.positions.pointer, 0];
  }

  /** The next round looks at the free vertices as they are in the system's positions. */
  beginAtPositions(): void {
    const look = this.#look.view;
    const positions = this.#system.positions.view;
    this.#system.free.forEach((v, k) => {
      for (let axis = 0; axis < 3; axis++) look[3 * k + axis] = positions[3 * v + axis];
    });
    this.#mixing.begin();
  }

  /** The next round looks at the free vertices that fit the system's rotations best. */
  beginFromRotations(): void {
    this.#system.stepFromRotations(this.#look);
    this.#mixing.begin();
  }

  /**
   * One round.
   *
   * @param weight  of the volume
   * @returns       what it changed, in root mean square distances of the free vertices from their centre
   */
  round(weight: number): number {
    this.#place(this.#look, this.#result.pointer);
    this.#system.advance(weight, this.#result);
    this.#measureArgs[8] = this.#mixing.slot;
    this.#numerics.run('volumeMeasure', this.#pairs, GRAIN, this.#measureArgs);
    const sums = this.#total();
    const [x, y, z, squares, missed] = sums;
    if (this.#accelerate) {
      const [along, ofMiss, ofNewest] = [0, 1, 2].map((kind) => {
        return sums.subarray(LEAD + kind * MIXING_SLOTS, LEAD + (kind + 1) * MIXING_SLOTS);
      });
      this.#mixing.next({ missed, along, ofMiss, ofNewest }, this.#factors.view);
    }
    this.#numerics.run('volumeLookAhead', this.#pairs, GRAIN, this.#lookArgs);
    const spread = squares - (x * x + y * y + z * z) / this.#system.free.length;
    return spread > 0 ? Math.sqrt(missed / spread) : 0;
  }

  /** Puts the free vertices where the last round had them. */
  finish(): void {
    this.#place(this.#result, 0);
  }

  /** @param copy  address of a second copy, or 0 */
  #place(values: Block<Float64Array>, copy: number): void {
    this.#placeArgs[0] = values.pointer;
    this.#placeArgs[3] = copy;
    this.#numerics.run('volumePlace', this.#system.free.length, PLACE_GRAIN, this.#placeArgs);
  }

  /** The chunks' sums added in order. */
  #total(): Float64Array {
    const sums = this.#sums.view;
    const result = new Float64Array(SUMS);
    for (let k = 0; k < sums.length; k++) result[k % SUMS] += sums[k];
    return result;
  }
}
