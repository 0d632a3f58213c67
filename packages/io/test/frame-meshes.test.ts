import { type Mesh, type MeshSequence, validateMesh } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { FrameMeshes } from '../src/frame-meshes.ts';
import { cornerValues, expectClose, tetrahedron } from './meshes.ts';

/** A roof of two squares that meet at x = 0, folded down to both sides by `slope`. */
const roof = (slope: number) =>
  Float32Array.of(-1, 0, -slope, 0, 0, 0, 0, 1, 0, -1, 1, -slope, 1, 0, -slope, 1, 1, -slope);
const ROOF_TRIANGLES = Uint32Array.of(0, 1, 2, 0, 2, 3, 1, 4, 2, 4, 5, 2);

function moved(rest: Mesh, frame: Float32Array): Mesh {
  const sequence: MeshSequence = { name: 'roof', rest, frames: frame, times: Float64Array.of(0) };
  const mesh = new FrameMeshes(sequence).at(0);
  validateMesh(mesh);
  return mesh;
}

const up = (count: number) => Float32Array.from({ length: count * 3 }, (_, k) => (k % 3 === 2 ? 1 : 0));

describe('FrameMeshes', () => {
  it('keeps everything but the positions', () => {
    const rest: Mesh = { ...tetrahedron(), uvs: { size: 2, values: new Float32Array(8) } };
    const mesh = moved(rest, new Float32Array(12).fill(7));
    expect(mesh).toEqual({ ...rest, positions: new Float32Array(12).fill(7) });
  });

  it('gives the rest normals back at rest', () => {
    const rest: Mesh = {
      name: 'roof',
      positions: roof(0),
      triangles: ROOF_TRIANGLES,
      normals: { size: 3, values: up(6) },
    };
    expect(moved(rest, roof(0)).normals).toEqual(rest.normals);
  });

  it('keeps what was smooth smooth', () => {
    const rest: Mesh = {
      name: 'roof',
      positions: roof(0),
      triangles: ROOF_TRIANGLES,
      normals: { size: 3, values: up(6) },
    };
    const { normals } = moved(rest, roof(1));
    // At the ridge the two sides cancel out; at the eaves each side is alone.
    expectClose(normals?.values.subarray(3, 6), [0, 0, 1], 1e-6);
    expectClose(normals?.values.subarray(0, 3), [-Math.SQRT1_2, 0, Math.SQRT1_2], 1e-6);
  });

  it('keeps what was smooth smooth across a seam that splits vertices', () => {
    // The ridge twice: vertices 1 and 2 for the left side, 6 and 7 for the right.
    const split = (slope: number) => Float32Array.of(...roof(slope), 0, 0, 0, 0, 1, 0);
    const triangles = Uint32Array.of(0, 1, 2, 0, 2, 3, 6, 4, 7, 4, 5, 7);
    const rest: Mesh = { name: 'roof', positions: split(0), triangles, normals: { size: 3, values: up(8) } };
    const { normals } = moved(rest, split(1));
    expectClose(normals?.values.subarray(3, 6), [0, 0, 1], 1e-6);
    expectClose(normals?.values.subarray(18, 21), [0, 0, 1], 1e-6);
  });

  it('keeps hard edges hard, also where faces share one normal', () => {
    // Two sides with a normal each: one entry for all corners of a side.
    const s = Math.SQRT1_2;
    const indices = Uint32Array.from({ length: 12 }, (_, c) => (c < 6 ? 0 : 1));
    const normals = { size: 3 as const, values: Float32Array.of(-s, 0, s, s, 0, s), indices };
    const rest: Mesh = { name: 'roof', positions: roof(1), triangles: ROOF_TRIANGLES, normals };
    expectClose(cornerValues(moved(rest, roof(1)).normals, rest), cornerValues(normals, rest), 1e-6);
    const flat = moved(rest, roof(0));
    expectClose(cornerValues(flat.normals, flat), up(12), 1e-6);
  });

  it('gives some unit vector where a frame has no area', () => {
    const rest: Mesh = {
      name: 'roof',
      positions: roof(0),
      triangles: ROOF_TRIANGLES,
      normals: { size: 3, values: up(6) },
    };
    expect(moved(rest, new Float32Array(18)).normals?.values).toEqual(up(6));
  });
});
