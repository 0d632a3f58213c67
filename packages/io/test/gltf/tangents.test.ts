import { Random } from '@pelt/math';
import { expect, it } from 'vitest';
import { vertexTangents } from '../../src/gltf/tangents.ts';
import { smoothNormals } from '../../src/smooth-normals.ts';
import { expectClose } from './expect-close.ts';
import { sheet } from './models.ts';

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
