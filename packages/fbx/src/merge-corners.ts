/**
 * The loader gives every triangle three vertices of its own. Corners that agree in every attribute, bit for bit, become
 * one vertex again; vertices keep the order of their first corner.
 */
import type { BufferGeometry } from 'three';

export interface MergedCorners {
  /** Vertex of each corner. */
  readonly indices: Uint32Array<ArrayBuffer>;
  /** A corner of each vertex. */
  readonly corners: Uint32Array;
}

export function mergeCorners(geometry: BufferGeometry): MergedCorners {
  const attributes = [
    ...Object.values(geometry.attributes),
    ...Object.values(geometry.morphAttributes).flatMap((targets) => targets ?? []),
  ];
  const columns = attributes.map(({ itemSize, array }) => ({
    size: itemSize,
    bits: new Uint32Array(Float32Array.from(array).buffer),
  }));
  const count = geometry.attributes.position.count;
  const indices = new Uint32Array(count);
  const corners: number[] = [];
  const found = new Map<number, number[]>();
  for (let corner = 0; corner < count; corner++) {
    let hash = 0;
    for (const { size, bits } of columns) {
      for (let k = corner * size; k < (corner + 1) * size; k++)
        hash = Math.imul(hash ^ bits[k], 0x9e3779b1) ^ (hash >>> 15);
    }
    const bucket = found.get(hash) ?? [];
    let vertex = bucket.find((candidate) => agree(columns, corners[candidate], corner));
    if (vertex === undefined) {
      vertex = corners.length;
      corners.push(corner);
      found.set(hash, [...bucket, vertex]);
    }
    indices[corner] = vertex;
  }
  return { indices, corners: Uint32Array.from(corners) };
}

function agree(columns: readonly { size: number; bits: Uint32Array }[], a: number, b: number): boolean {
  return columns.every(({ size, bits }) => {
    for (let k = 0; k < size; k++) if (bits[a * size + k] !== bits[b * size + k]) return false;
    return true;
  });
}
