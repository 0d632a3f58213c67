import { Random } from '@pelt/math';
import { describe, expect, it } from 'vitest';
import { vertexTangents } from '../../src/gltf/tangents.ts';
import { turnedNormalDeltas } from '../../src/gltf/turn-normals.ts';
import { smoothNormals, unitVectors } from '../../src/gltf/vertex-normals.ts';
import { affine, apply, rotation, sheet } from './models.ts';

const turned = (r: Float64Array, vectors: Float32Array): Float32Array => {
  const out = new Float32Array(vectors.length);
  for (let k = 0; k < vectors.length; k += 3) out.set(apply(affine(r, [0, 0, 0]), [...vectors.subarray(k, k + 3)]), k);
  return out;
};

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, digits = 5): void {
  expect(actual.length).toBe(expected.length);
  for (let k = 0; k < actual.length; k++) expect(actual[k]).toBeCloseTo(expected[k], digits);
}

describe('smooth normals', () => {
  it('point away from a counter-clockwise triangle', () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    expectClose(smoothNormals(positions, Uint32Array.of(0, 1, 2)), [0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expectClose(smoothNormals(positions, Uint32Array.of(0, 2, 1)), [0, 0, -1, 0, 0, -1, 0, 0, -1]);
  });

  it('weigh triangles by their area', () => {
    // One triangle of area 1/2 facing z, one of area 1 facing x, on one corner.
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1);
    const [x, y, z] = smoothNormals(positions, Uint32Array.of(0, 1, 2, 0, 3, 4));
    expectClose([x / z, y], [2, 0]);
  });

  it('turn with the surface', () => {
    const { positions, triangles } = sheet();
    const r = rotation(new Random(4));
    expectClose(smoothNormals(turned(r, positions), triangles), turned(r, smoothNormals(positions, triangles)));
  });

  it('have a direction even where there is no area', () => {
    expectClose(smoothNormals(new Float32Array(9), Uint32Array.of(0, 1, 2)), [0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expectClose(unitVectors(Float32Array.of(0, 3, 4, 0, 0, 0)), [0, 0.6, 0.8, 0, 0, 1]);
  });
});

describe('turned normals', () => {
  it('stay where nothing turned, exactly', () => {
    const normals = unitVectors(Float32Array.of(1, 0, 0, 0, 2, 0));
    expect(turnedNormalDeltas(normals, normals, normals).every((value) => value === 0)).toBe(true);
  });

  it('follow their surface, and stay unit', () => {
    const random = new Random(6);
    for (let k = 0; k < 50; k++) {
      const [before, after, normal] = [0, 1, 2].map(() =>
        unitVectors(Float64Array.from({ length: 3 }, () => random.normal())),
      );
      expectClose(
        turnedNormalDeltas(before, before, after).map((value, c) => value + before[c]),
        after,
      );
      const moved = turnedNormalDeltas(normal, before, after).map((value, c) => value + normal[c]);
      expect(Math.hypot(...moved)).toBeCloseTo(1, 5);
    }
  });

  it('turn about where the surface turned over', () => {
    const up = Float32Array.of(0, 0, 1);
    expectClose(turnedNormalDeltas(up, up, Float32Array.of(0, 0, -1)), [0, 0, -2]);
  });
});

describe('tangents', () => {
  const flat = {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
    triangles: Uint32Array.of(0, 1, 2),
  };

  it('run along u, with the picture upright', () => {
    // v grows downwards in a picture: the upper corner has v = 0.
    const uvs = Float32Array.of(0, 1, 1, 1, 0, 0);
    const tangents = vertexTangents(flat.positions, flat.normals, uvs, flat.triangles);
    expectClose(tangents.subarray(0, 4), [1, 0, 0, 1]);
  });

  it('say so where the picture is mirrored', () => {
    const uvs = Float32Array.of(1, 1, 0, 1, 1, 0);
    const tangents = vertexTangents(flat.positions, flat.normals, uvs, flat.triangles);
    expectClose(tangents.subarray(0, 4), [-1, 0, 0, -1]);
  });

  it('are unit, perpendicular to the normal and have a side, for any UVs and for none', () => {
    const { positions, triangles } = sheet();
    const normals = smoothNormals(positions, triangles);
    const random = new Random(8);
    const some = Float32Array.from({ length: 40 }, () => random.uniform());
    for (const uvs of [some, new Float32Array(40)]) {
      const tangents = vertexTangents(positions, normals, uvs, triangles);
      for (let i = 0; i < 20; i++) {
        const [x, y, z, side] = tangents.subarray(4 * i, 4 * i + 4);
        expect(Math.hypot(x, y, z)).toBeCloseTo(1, 5);
        expect(x * normals[3 * i] + y * normals[3 * i + 1] + z * normals[3 * i + 2]).toBeCloseTo(0, 5);
        expect(Math.abs(side)).toBe(1);
      }
    }
  });
});
