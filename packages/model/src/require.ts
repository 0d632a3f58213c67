import { InputError } from './errors.ts';

/** Checks of public input, shared by the validators. `what` begins the message: `mesh 'arm': positions`. */
export function requireLength(what: string, values: { readonly length: number }, expected: number): void {
  if (values.length !== expected) throw new InputError(`${what}: length ${values.length}, expected ${expected}`);
}

/** @param stride  numbers in one element, so that the message can name the element */
export function requireFinite(what: string, values: Float32Array | Float64Array, stride = 1): void {
  for (let k = 0; k < values.length; k++) {
    if (!Number.isFinite(values[k])) {
      throw new InputError(`${what}: element ${Math.floor(k / stride)} is ${values[k]}, not a finite number`);
    }
  }
}

export function requireIndices(what: string, indices: Uint32Array | Uint16Array | Uint8Array, count: number): void {
  for (let k = 0; k < indices.length; k++) {
    if (indices[k] >= count) {
      throw new InputError(`${what}: index ${indices[k]} at ${k} is out of range, there are ${count}`);
    }
  }
}

/** Times of frames or keys: finite, not negative, strictly increasing. */
export function requireTimes(what: string, times: Float32Array | Float64Array): void {
  requireFinite(what, times);
  for (let t = 0; t < times.length; t++) {
    if (times[t] < 0) throw new InputError(`${what}: frame ${t} is at ${times[t]} s, before 0`);
    if (t > 0 && times[t] <= times[t - 1]) {
      throw new InputError(
        `${what}: frame ${t} at ${times[t]} s does not come after frame ${t - 1} at ${times[t - 1]} s`,
      );
    }
  }
}
