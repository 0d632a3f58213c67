import { describe, expect, it } from 'vitest';
import { gatherCorners, trianglesOfFaces } from '../src/faces.ts';

const SQUARE = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0);

describe('trianglesOfFaces', () => {
  it('hands triangles through without a copy', () => {
    const corners = Uint32Array.of(0, 1, 2, 0, 2, 3);
    const faces = trianglesOfFaces(SQUARE, Uint32Array.of(3, 3), corners, 'OBJ');
    expect(faces.triangles).toBe(corners);
    expect(gatherCorners(corners, faces)).toBe(corners);
  });

  it('cuts larger faces and tells which corner went where', () => {
    const faces = trianglesOfFaces(SQUARE, Uint32Array.of(3, 4), Uint32Array.of(2, 1, 0, 3, 2, 1, 0), 'OBJ');
    expect([...faces.triangles]).toEqual([2, 1, 0, 3, 2, 1, 3, 1, 0]);
    expect([...gatherCorners(Uint32Array.of(10, 11, 12, 13, 14, 15, 16), faces)]).toEqual([
      10, 11, 12, 13, 14, 15, 13, 15, 16,
    ]);
  });

  it('takes no faces', () => {
    expect(trianglesOfFaces(SQUARE, new Uint32Array(0), new Uint32Array(0), 'OBJ').triangles).toHaveLength(0);
  });
});
