/**
 * Rounds of a `VolumeSystem` until they change little, each looking where the last ones lead (`Mixing`). All vectors stay
 * in wasm memory.
 */
import { type Block, type Numerics, ScopeOwner } from '@pelt/math';
import * as kernels from '../generated/calls.ts';
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
  readonly #measuring: kernels.VolumeMeasure;
  readonly #looking: kernels.VolumeLookAhead;
  readonly #placing: kernels.VolumePlace;

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
    const misses = scope.f64(MIXING_SLOTS * size);
    const steps = scope.f64(MIXING_SLOTS * size);
    this.#sums = scope.f64(SUMS * Math.ceil(this.#pairs / GRAIN));
    this.#factors = scope.f64(MIXING_SLOTS);
    const history = { y: this.#result, look: this.#look, steps, stride: 8 * size, slots: MIXING_SLOTS };
    const last = { lastY: vector(), lastMiss: vector() };
    this.#measuring = { ...history, ...last, misses, slot: 0, sums: this.#sums, grain: GRAIN };
    this.#looking = { ...history, factors: this.#factors };
    this.#placing = {
      values: this.#look,
      free: scope.i32From(system.free),
      positions: system.positions,
      copy: undefined,
    };
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
    this.#place(this.#look, this.#result);
    this.#system.advance(weight, this.#result);
    this.#measuring.slot = this.#mixing.slot;
    kernels.volumeMeasure(this.#numerics, this.#pairs, GRAIN, this.#measuring);
    const sums = this.#total();
    const [x, y, z, squares, missed] = sums;
    if (this.#accelerate) {
      const [along, ofMiss, ofNewest] = [0, 1, 2].map((kind) => {
        return sums.subarray(LEAD + kind * MIXING_SLOTS, LEAD + (kind + 1) * MIXING_SLOTS);
      });
      this.#mixing.next({ missed, along, ofMiss, ofNewest }, this.#factors.view);
    }
    kernels.volumeLookAhead(this.#numerics, this.#pairs, GRAIN, this.#looking);
    const spread = squares - (x * x + y * y + z * z) / this.#system.free.length;
    return spread > 0 ? Math.sqrt(missed / spread) : 0;
  }

  /** Puts the free vertices where the last round had them. */
  finish(): void {
    this.#place(this.#result, undefined);
  }

  /** @param copy  for a second copy of the values */
  #place(values: Block<Float64Array>, copy: Block<Float64Array> | undefined): void {
    this.#placing.values = values;
    this.#placing.copy = copy;
    kernels.volumePlace(this.#numerics, this.#system.free.length, PLACE_GRAIN, this.#placing);
  }

  /** The chunks' sums added in order. */
  #total(): Float64Array {
    const sums = this.#sums.view;
    const result = new Float64Array(SUMS);
    for (let k = 0; k < sums.length; k++) result[k % SUMS] += sums[k];
    return result;
  }
}
