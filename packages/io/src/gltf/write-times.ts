import { InputError } from '@pelt/model';

/** Times as a file holds them, in 32 bits, where two moments can become one. */
export function floatTimes(times: Float64Array, name: string): Float32Array<ArrayBuffer> {
  const floats = Float32Array.from(times);
  for (let t = 1; t < floats.length; t++) {
    if (floats[t] <= floats[t - 1]) {
      throw new InputError(
        `clip '${name}': frames ${t - 1} and ${t}, at ${times[t - 1]} s and ${times[t]} s, are one moment in 32 bits`,
      );
    }
  }
  return floats;
}
