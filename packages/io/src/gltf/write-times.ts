import type { Accessor } from '@gltf-transform/core';
import { type Clip, InputError } from '@pelt/model';
import type { GlbDocument } from './glb-document.ts';

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

/** The times of one clip, and of those of its frames that are keys of some curve: each list is stored once. */
export class KeyTimes {
  readonly #glb: GlbDocument;
  readonly #times: Float32Array<ArrayBuffer>;
  readonly #lists = new Map<string, Accessor>();

  constructor(glb: GlbDocument, times: Float32Array<ArrayBuffer>) {
    this.#glb = glb;
    this.#times = times;
  }

  of(frames: Int32Array | undefined): Accessor {
    const name = frames && frames.length < this.#times.length ? frames.join() : '';
    let accessor = this.#lists.get(name);
    if (!accessor) {
      const times = name && frames ? elementsOf(this.#times, 1, frames) : this.#times;
      accessor = this.#glb.accessor('SCALAR', times);
      this.#lists.set(name, accessor);
    }
    return accessor;
  }
}

/** The elements at some frames. */
export function elementsOf(values: Float32Array, size: number, frames: Int32Array): Float32Array<ArrayBuffer> {
  const out = new Float32Array(frames.length * size);
  frames.forEach((t, k) => {
    out.set(values.subarray(t * size, (t + 1) * size), k * size);
  });
  return out;
}

/** Throws unless there are keys for every bone: frames of the clip, rising, from the first to the last. */
export function requireKeys(keys: readonly Int32Array[], bones: number, clip: Clip | undefined): void {
  const last = (clip?.times.length ?? 0) - 1;
  if (keys.length !== bones) throw new InputError(`keys: of ${keys.length} bones, but there are ${bones}`);
  keys.forEach((frames, j) => {
    const rising = frames.every((t, k) => k === 0 || t > frames[k - 1]);
    if (!rising || frames[0] !== 0 || frames[frames.length - 1] !== last) {
      throw new InputError(`keys: those of bone ${j} must rise from frame 0 to frame ${last}`);
    }
  });
}
