import { InputError } from '@pelt/model';
import type { CheckedAccessor } from './check-accessors.ts';

const FLOAT = 5126;
const UNSIGNED = [5121, 5123, 5125];

/** Largest value of each normalised integer type; the signed ones reach −1 twice. */
const NORMALIZED_MAX: Readonly<Record<number, number>> = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

/** Numbers of an accessor, in the type that they are stored in. */
type StoredArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** The decoded accessors of a file, as floats or as whole numbers, checked when they are taken. */
export class AccessorSet {
  readonly #accessors: readonly CheckedAccessor[];
  readonly #arrays: readonly StoredArray[];
  readonly #floats = new Map<number, Float32Array>();

  constructor(accessors: readonly CheckedAccessor[], arrays: readonly StoredArray[]) {
    this.#accessors = accessors;
    this.#arrays = arrays;
  }

  get length(): number {
    return this.#accessors.length;
  }

  /** Elements, as decoded. */
  count(index: number): number {
    return this.#arrays[index].length / this.size(index);
  }

  /** Numbers in one element. */
  size(index: number): number {
    return this.#accessors[index].size;
  }

  /** The numbers as they are stored; not to be written to. */
  raw(index: number): StoredArray {
    return this.#arrays[index];
  }

  normalized(index: number): boolean {
    return this.#accessors[index].normalized;
  }

  /** count × size finite numbers, normalised integers decoded; not to be written to. */
  floats(index: number, where: string, sizes: readonly number[]): Float32Array {
    const { size, componentType, normalized } = this.#accessors[index];
    if (!sizes.includes(size)) {
      throw new InputError(`${where} refers to accessors[${index}] with ${size} numbers an element, expected ${sizes}`);
    }
    let values = this.#floats.get(index);
    if (!values) {
      const array = this.#arrays[index];
      values = array instanceof Float32Array ? array : Float32Array.from(array);
      if (normalized && componentType !== FLOAT) {
        const max = NORMALIZED_MAX[componentType];
        if (!max) throw new InputError(`accessors[${index}] is normalised, which its componentType does not allow`);
        for (let k = 0; k < values.length; k++) values[k] = Math.max(array[k] / max, -1);
      }
      requireFinite(values, index, size);
      this.#floats.set(index, values);
    }
    return values;
  }

  /** count × size whole numbers: indices, joints. */
  unsigned(index: number, where: string, size: number): ArrayLike<number> {
    const { size: actual, componentType } = this.#accessors[index];
    if (actual !== size) {
      throw new InputError(
        `${where} refers to accessors[${index}] with ${actual} numbers an element, expected ${size}`,
      );
    }
    if (!UNSIGNED.includes(componentType)) {
      throw new InputError(`${where} refers to accessors[${index}], which does not hold unsigned integers`);
    }
    return this.#arrays[index];
  }
}

function requireFinite(values: Float32Array, index: number, size: number): void {
  for (let k = 0; k < values.length; k++) {
    if (!Number.isFinite(values[k])) {
      throw new InputError(`accessors[${index}]: element ${Math.floor(k / size)} is ${values[k]}, not a finite number`);
    }
  }
}
