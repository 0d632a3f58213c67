import { describe, expect, it } from 'vitest';
import { vertexNormals } from '../../src/metrics/vertex-normals.ts';

describe('vertexNormals', () => {
  it('is twice the area along the normal, for one triangle', () => {
    const positions = new Float32Array([0, 0, 0, 2, 0, 0, 0, 3, 0]);
    const out = vertexNormals(positions, new Uint32Array([0, 1, 2]), new Float64Array(9));
    expect([...out]).toEqual([0, 0, 6, 0, 0, 6, 0, 0, 6]);
  });

  it('weighs the triangles round a vertex by their area', () => {
    // a floor triangle of area 2 and a wall triangle of area ½, sharing the edge 0–1
    const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, -1]);
    const out = vertexNormals(positions, new Uint32Array([0, 1, 2, 0, 1, 3]), new Float64Array(12));
    expect([...out.subarray(0, 3)]).toEqual([0, 1, 4]);
    expect([...out.subarray(9, 12)]).toEqual([0, 1, 0]);
  });

  it('is zero without area or triangles, and overwrites what was there', () => {
    const positions = new Float32Array([0, 0, 0, 1, 1, 1, 2, 2, 2]);
    expect([...vertexNormals(positions, new Uint32Array([0, 1, 2]), new Float64Array(9).fill(7))]).toEqual(
      new Array(9).fill(0),
    );
  });
});
