/**
 * The faces of a PLY file: a list of vertices for each, and beside it, in some files, a list of UVs, two numbers for each
 * corner. Equal UVs at one vertex become one, so that only true seams tell its corners apart.
 */
import { GrowableFloat32, GrowableUint32 } from '../growable.ts';
import { MAX_FLOAT32 } from '../text-scanner.ts';
import type { WarningTally } from '../warning-tally.ts';
import type { PlyElement } from './ply-header.ts';
import { type PlySource, readPlyListLength, skipPlyProperty } from './ply-source.ts';

export interface PlyFaces {
  /** Corners of each face, at least 3. */
  readonly sizes: Uint32Array;
  /** Vertex of each corner; what is not an index at all is `BAD_VERTEX`. */
  readonly corners: Uint32Array;
  /** UVs, v downwards, and the entry of each corner; absent where the file has none at its corners. */
  readonly uvs: { readonly values: Float32Array; readonly corners: Uint32Array } | undefined;
}

/** Larger than any count of vertices, so that the check of ranges finds it. */
export const BAD_VERTEX = 0xffffffff;

/** @param element  whose rows are next in `source`, and known to fit */
export function readPlyFaces(element: PlyElement, source: PlySource, warnings: WarningTally): PlyFaces {
  const order = element.properties.map((property) => ({ property, field: `face.${property.name}` }));
  const isList = (name: string) => order.some(({ property }) => property.countType && property.name === name);
  const vertexList = isList('vertex_indices') ? 'vertex_indices' : 'vertex_index';
  const uvs = isList('texcoord') ? new CornerUvs() : undefined;
  const sizes = new GrowableUint32();
  const corners = new GrowableUint32();
  const faceUvs: number[] = [];
  for (let row = 0; row < element.count; row++) {
    const first = corners.length;
    let uvNumbers = 0;
    for (const { property, field } of order) {
      if (property.countType !== undefined && property.name === vertexList) {
        const length = readPlyListLength(source, property, field);
        for (let k = 0; k < length; k++) corners.push(vertexIndex(source.value(property.type, field)));
      } else if (property.countType !== undefined && property.name === 'texcoord') {
        uvNumbers = readPlyListLength(source, property, field);
        for (let k = 0; k < uvNumbers; k++) faceUvs[k] = source.value(property.type, field);
      } else skipPlyProperty(source, property, field);
    }
    const size = corners.length - first;
    if (size < 3) {
      warnings.add('a face has fewer than 3 corners and is left out');
      corners.truncate(first);
      continue;
    }
    sizes.push(size);
    if (!uvs) continue;
    const complete = uvNumbers === size * 2;
    if (!complete) warnings.add('some faces have no texture coordinates; the corner (0, 0) of the image is used');
    for (let k = 0; k < size; k++) {
      uvs.push(corners.at(first + k), complete ? faceUvs[k * 2] : 0, complete ? faceUvs[k * 2 + 1] : 0, warnings);
    }
  }
  return { sizes: sizes.toArray(), corners: corners.toArray(), uvs: uvs?.result() };
}

function vertexIndex(value: number): number {
  return Number.isInteger(value) && value >= 0 && value < BAD_VERTEX ? value : BAD_VERTEX;
}

/** So many seams meet at no real vertex; a limit keeps the search for equal UVs from growing with the square. */
const MAX_COMPARED = 64;

class CornerUvs {
  readonly #values = new GrowableFloat32();
  readonly #corners = new GrowableUint32();
  /** The entries that each vertex has so far. */
  readonly #entriesOf = new Map<number, { u: number; v: number; entry: number }[]>();

  /** @param fileV  counted upwards, as files do */
  push(vertex: number, fileU: number, fileV: number, warnings: WarningTally): void {
    const finite = Math.abs(fileU) <= MAX_FLOAT32 && Math.abs(fileV) <= MAX_FLOAT32;
    if (!finite) warnings.add('a texture coordinate is not a finite number; 0 is used');
    this.#corners.push(this.#entry(vertex, finite ? fileU : 0, finite ? fileV : 0));
  }

  result(): PlyFaces['uvs'] {
    return this.#corners.length > 0 ? { values: this.#values.toArray(), corners: this.#corners.toArray() } : undefined;
  }

  #entry(vertex: number, u: number, v: number): number {
    let entries = this.#entriesOf.get(vertex);
    if (!entries) {
      entries = [];
      this.#entriesOf.set(vertex, entries);
    }
    for (let k = entries.length - 1; k >= Math.max(entries.length - MAX_COMPARED, 0); k--) {
      if (entries[k].u === u && entries[k].v === v) return entries[k].entry;
    }
    const entry = this.#values.length / 2;
    this.#values.push(u);
    this.#values.push(1 - v);
    entries.push({ u, v, entry });
    return entry;
  }
}
