import { describe, expect, it } from 'vitest';
import { vertexAttribute } from '../src/vertex-attribute.ts';
import { tetrahedron } from './meshes.ts';

describe('vertexAttribute', () => {
  it('hands an attribute of vertices through', () => {
    const values = Float32Array.of(0, 1, 2, 3);
    expect(vertexAttribute({ size: 2, values }, tetrahedron())).toEqual({ values, split: 0 });
  });

  it('puts values of corners in vertex order where they agree', () => {
    const mesh = tetrahedron();
    // Vertex i has value 3 − i: the index counts the other way round.
    const indices = mesh.triangles.map((vertex) => 3 - vertex);
    const { values, split } = vertexAttribute(
      { size: 2, values: Float32Array.of(0, 9, 1, 9, 2, 9, 3, 9), indices },
      mesh,
    );
    expect([...values]).toEqual([3, 9, 2, 9, 1, 9, 0, 9]);
    expect(split).toBe(0);
  });

  it('takes the mean where they differ, counts those, and leaves unused vertices at 0', () => {
    const mesh = { ...tetrahedron(), triangles: Uint32Array.of(0, 1, 2, 0, 2, 1) };
    const { values, split } = vertexAttribute(
      { size: 2, values: Float32Array.of(0, 0, 1, 0.5), indices: Uint32Array.of(0, 1, 1, 1, 1, 1) },
      mesh,
    );
    expect([...values]).toEqual([0.5, 0.25, 1, 0.5, 1, 0.5, 0, 0]);
    expect(split).toBe(1);
  });
});
