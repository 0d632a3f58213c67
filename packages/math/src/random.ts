import { log } from './elementary/exponential.ts';

/**
 * Seeded random numbers: the same seed gives the same sequence on every platform.
 *
 * xoshiro128** on four 32-bit words, filled from the seed by SplitMix32. Normal numbers by ratio of uniforms: their
 * value is a quotient, and the logarithm only decides on the rare point between the two quick bounds, so that no
 * platform's last bit of `Math.log` gets into a result.
 *
 * References: Blackman, Vigna. Scrambled linear pseudorandom number generators. 2021. Steele, Lea, Flood. Fast
 * splittable pseudorandom number generators. 2014. Leva. A fast normal random number generator. 1992.
 * @example
 * {@includeCode ../examples/points.ts}
 */
export class Random {
  readonly #state = new Uint32Array(4);

  /** @param seed  any finite number; its integer part counts, modulo 2³² */
  constructor(seed: number) {
    let state = seed >>> 0;
    for (let k = 0; k < 4; k++) {
      state = (state + 0x9e3779b9) >>> 0;
      let z = state;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      this.#state[k] = z ^ (z >>> 16);
    }
  }

  /** 32 random bits. */
  bits(): number {
    const s = this.#state;
    const product = Math.imul(s[1], 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** Uniform in [low, high), with 53 random bits. */
  uniform(low = 0, high = 1): number {
    const top = this.bits() >>> 5;
    const bottom = this.bits() >>> 6;
    return low + (high - low) * ((top * 0x4000000 + bottom) / 0x20000000000000);
  }

  /** Uniform integer in [0, count), without bias; count ≤ 2³². */
  integer(count: number): number {
    // Of the 2³² values the last incomplete run of `count` is thrown away.
    const limit = 0x100000000 - (0x100000000 % count);
    let value = this.bits();
    while (value >= limit) value = this.bits();
    return value % count;
  }

  /** Normal with mean 0 and variance 1. */
  normal(): number {
    for (;;) {
      const u = 1 - this.uniform();
      const v = 1.7156 * (this.uniform() - 0.5);
      const x = u - 0.449871;
      const y = Math.abs(v) + 0.386595;
      const q = x * x + y * (0.196 * y - 0.25472 * x);
      if (q < 0.27597) return v / u;
      if (q <= 0.27846 && v * v <= -4 * u * u * log(u)) return v / u;
    }
  }
}
