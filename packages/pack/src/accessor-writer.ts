/** The accessors of a file in the making: as little text as the format allows, and equal data once. */
import type { GLTF } from '@gltf-transform/core';
import type { PackedViews, ViewArray, ViewPlace } from './packed-views.ts';

export interface WrittenArray extends ViewArray {
  readonly componentType: GLTF.AccessorComponentType;
  readonly normalized?: boolean;
  readonly type: GLTF.AccessorType;
  readonly count: number;
  readonly min?: readonly number[];
  readonly max?: readonly number[];
  /** Rows that are not zero, where the array is stored by these alone. */
  readonly sparse?: SparseRows;
}

export interface SparseRows {
  /** Ascending */
  readonly rows: Uint32Array;
  /** Their bytes, as readers see them */
  readonly bytes: Uint8Array;
}

export class AccessorWriter {
  /** In the order of their numbers. */
  readonly arrays: (Omit<WrittenArray, keyof ViewArray | 'sparse'> & { sparse?: object | undefined })[] = [];
  readonly #views: PackedViews;
  readonly #known = new Map<string, number>();

  constructor(views: PackedViews) {
    this.#views = views;
  }

  /** The number of the accessor, which is that of its array among the views' places. */
  add(array: WrittenArray): number {
    const { componentType, normalized, type, count, min, max } = array;
    const sparse = array.sparse && this.#sparse(array.sparse, count);
    this.arrays.push({ componentType, normalized, type, count, min, max, sparse });
    return this.#views.add(sparse ? { ...array, isZero: true } : array);
  }

  /** Once the places of all arrays are known. */
  write(places: readonly ViewPlace[]): GLTF.IAccessor[] {
    return this.arrays.map(
      ({ componentType, normalized, type, count, min, max, sparse }, k) =>
        ({
          ...places[k],
          componentType,
          ...(normalized && { normalized }),
          count,
          type,
          ...(min && max && { min: shortest(min), max: shortest(max) }),
          ...(sparse && { sparse }),
        }) as GLTF.IAccessor,
    );
  }

  #sparse({ rows, bytes }: SparseRows, count: number): object {
    const short = count <= SHORT_LIMIT;
    const indices = short ? Uint16Array.from(rows) : rows;
    return {
      count: rows.length,
      indices: {
        bufferView: this.#views.addBytes(new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength)),
        componentType: short ? UNSIGNED_SHORT : UNSIGNED_INT,
      },
      values: { bufferView: this.#views.addBytes(bytes) },
    };
  }

  /** The same, unless the same bytes were added before: then owners share them. */
  share(array: WrittenArray): number {
    const { componentType, type, count, filter = '', purpose, normalized = false, bytes } = array;
    const key = `${purpose} ${componentType} ${normalized} ${type} ${count} ${filter} ${String.fromCharCode(...bytes.subarray(0, KEY_BYTES))}`;
    for (let same = 0; ; same++) {
      const at = this.#known.get(`${key} ${same}`);
      if (at === undefined) {
        const added = this.add(array);
        this.#known.set(`${key} ${same}`, added);
        this.#bytes.set(added, bytes);
        return added;
      }
      if (equal(this.#bytes.get(at) as Uint8Array, bytes)) return at;
    }
  }

  readonly #bytes = new Map<number, Uint8Array>();
}

const [UNSIGNED_SHORT, UNSIGNED_INT, SHORT_LIMIT] = [5123, 5125, 0x10000];

/** Bytes that are looked up; what begins alike is compared. */
const KEY_BYTES = 64;

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

/** Decimal numbers with as few digits as give the same 32-bit floats back. */
function shortest(values: readonly number[]): number[] {
  return values.map((value) => {
    for (let digits = 1; digits < 9; digits++) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === Math.fround(value)) return short;
    }
    return Number(value.toPrecision(9));
  });
}
