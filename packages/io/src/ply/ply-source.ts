/**
 * One value after the other from the body of a PLY file, the same way for its three encodings. Every count is checked
 * against what the bytes that are left could hold at most.
 */
import { InputError } from '@pelt/model';
import { ByteCursor, requireFit } from '../cursor.ts';
import { fileLabel } from '../read-options.ts';
import { TextScanner } from '../text-scanner.ts';
import { PLY_TYPE_SIZES, type PlyElement, type PlyHeader, type PlyProperty, type PlyType } from './ply-header.ts';

export interface PlySource {
  /** The next value; NaN where text holds something that is not a number. */
  value(type: PlyType, field: string): number;
  /** Checks that `count` values of this type can still come. */
  requireValues(count: number, type: PlyType, field: string): void;
  /** Checks that all rows of an element can still come. */
  requireRows(element: PlyElement): void;
  /** Passes over an element of single values in one step, where that is possible. */
  skipRows(element: PlyElement): boolean;
}

export function openPlySource(bytes: Uint8Array, header: PlyHeader, name: string): PlySource {
  return header.encoding === 'ascii'
    ? new TextSource(bytes, header.end, name)
    : new BinarySource(bytes, header.end, name, header.encoding === 'binary_little_endian');
}

/** Reads the length of a list, checked against what is left. */
export function readPlyListLength(source: PlySource, property: PlyProperty, field: string): number {
  const length = source.value(property.countType ?? 'uint8', field);
  source.requireValues(length, property.type, field);
  return length;
}

/** Passes over one property of one row. */
export function skipPlyProperty(source: PlySource, property: PlyProperty, field: string): void {
  const length = property.countType === undefined ? 1 : readPlyListLength(source, property, field);
  for (let k = 0; k < length; k++) source.value(property.type, field);
}

/** Passes over all rows of an element that is of no use. */
export function skipPlyElement(source: PlySource, element: PlyElement): void {
  if (source.skipRows(element)) return;
  const fields = element.properties.map(({ name }) => `${element.name}.${name}`);
  for (let row = 0; row < element.count; row++) {
    element.properties.forEach((property, k) => {
      skipPlyProperty(source, property, fields[k]);
    });
  }
}

class BinarySource implements PlySource {
  readonly #cursor: ByteCursor;

  constructor(bytes: Uint8Array, start: number, name: string, littleEndian: boolean) {
    this.#cursor = new ByteCursor(bytes, 'PLY', name, littleEndian);
    this.#cursor.take(start, 'header');
  }

  value(type: PlyType, field: string): number {
    const cursor = this.#cursor;
    const { view, littleEndian } = cursor;
    switch (type) {
      case 'int8':
        return view.getInt8(cursor.take(1, field));
      case 'uint8':
        return view.getUint8(cursor.take(1, field));
      case 'int16':
        return view.getInt16(cursor.take(2, field), littleEndian);
      case 'uint16':
        return view.getUint16(cursor.take(2, field), littleEndian);
      case 'int32':
        return view.getInt32(cursor.take(4, field), littleEndian);
      case 'uint32':
        return view.getUint32(cursor.take(4, field), littleEndian);
      case 'float32':
        return view.getFloat32(cursor.take(4, field), littleEndian);
      case 'float64':
        return view.getFloat64(cursor.take(8, field), littleEndian);
    }
  }

  requireValues(count: number, type: PlyType, field: string): void {
    this.#cursor.requireItems(count, PLY_TYPE_SIZES[type], field);
  }

  requireRows(element: PlyElement): void {
    this.#cursor.requireItems(element.count, leastRowBytes(element), `element ${element.name}`);
  }

  skipRows(element: PlyElement): boolean {
    if (element.properties.some(({ countType }) => countType !== undefined)) return false;
    this.#cursor.take(element.count * leastRowBytes(element), `element ${element.name}`);
    return true;
  }
}

/** Bytes of a row whose lists are empty. */
function leastRowBytes({ properties }: PlyElement): number {
  return properties.reduce((sum, { type, countType }) => sum + PLY_TYPE_SIZES[countType ?? type], 0);
}

/** A value takes a digit and a blank at least; behind the last one the blank may be missing. */
const LEAST_TEXT_BYTES = 2;

class TextSource implements PlySource {
  readonly #scanner: TextScanner;
  readonly #label: string;

  constructor(bytes: Uint8Array, start: number, name: string) {
    this.#scanner = new TextScanner(bytes, start);
    this.#label = fileLabel('PLY', name);
  }

  value(_type: PlyType, field: string): number {
    if (!this.#scanner.moreInText()) {
      throw new InputError(`${this.#label}: the file ends at '${field}'; it is cut short, export it again`);
    }
    return this.#scanner.number();
  }

  requireValues(count: number, _type: PlyType, field: string): void {
    requireFit(this.#label, field, count, LEAST_TEXT_BYTES, this.#scanner.end - this.#scanner.position + 1);
  }

  requireRows(element: PlyElement): void {
    const rowBytes = LEAST_TEXT_BYTES * element.properties.length;
    const remaining = this.#scanner.end - this.#scanner.position + 1;
    requireFit(this.#label, `element ${element.name}`, element.count, rowBytes, remaining);
  }

  skipRows(element: PlyElement): boolean {
    return element.properties.length === 0;
  }
}
