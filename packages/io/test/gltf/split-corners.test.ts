import { gatherVertices, type Mesh } from '@pelt/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitCorners } from '../../src/gltf/split-corners.ts';
import { richSheet, sheet } from './models.ts';

it('leaves a mesh without seams as it is', () => {
  const mesh = richSheet();
  const { vertexMap, triangles, attributes } = splitCorners(mesh);
  expect([...vertexMap]).toEqual([...Array(20).keys()]);
  expect(triangles).toBe(mesh.triangles);
  expect(attributes.uvs?.values).toBe(mesh.uvs?.values);
});

/** Two triangles on one edge; the second has its own UVs at both ends of it. */
const SEAM: Mesh = {
  name: 'seam',
  positions: new Float32Array(15),
  triangles: Uint32Array.of(0, 1, 2, 2, 1, 3),
  uvs: {
    size: 2,
    values: Float32Array.of(0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0),
    indices: Uint32Array.of(0, 1, 2, 3, 4, 5),
  },
};

it('copies the vertices of a seam behind the others', () => {
  const { vertexMap, triangles, attributes } = splitCorners(SEAM);
  // vertex 4 has no triangle and stays; 2 and 1 get a copy each, in the order in which corners ask for them
  expect([...vertexMap]).toEqual([0, 1, 2, 3, 4, 2, 1]);
  expect([...triangles]).toEqual([0, 1, 2, 5, 6, 3]);
  expect([...(attributes.uvs?.values ?? [])]).toEqual([0, 0, 1, 0, 2, 0, 5, 0, 0, 0, 3, 0, 4, 0]);
});

it('does not copy where other indices have the same values', () => {
  const values = Float32Array.of(0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 5, 0);
  const { vertexMap, triangles } = splitCorners({ ...SEAM, uvs: { ...SEAM.uvs!, values } });
  expect([...vertexMap]).toEqual([0, 1, 2, 3, 4]);
  expect([...triangles]).toEqual([...SEAM.triangles]);
});

it('gives every corner its position and its values back, for any indices', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { minLength: 72, maxLength: 72 }), fc.boolean(), (choices, withColors) => {
      const plain = sheet();
      const uvs = {
        size: 2 as const,
        values: Float32Array.from({ length: 14 }, (_, k) => k),
        indices: Uint32Array.from(choices),
      };
      const colors = { size: 3 as const, values: new Float32Array(60).map((_, k) => k / 60) };
      const mesh = { ...plain, uvs, ...(withColors && { colors }) };
      const { vertexMap, triangles, attributes } = splitCorners(mesh);
      const positions = gatherVertices(mesh.positions, 3, vertexMap);
      triangles.forEach((v, c) => {
        const i = mesh.triangles[c];
        expect(vertexMap[v]).toBe(i);
        expect(positions.slice(3 * v, 3 * v + 3)).toEqual(mesh.positions.slice(3 * i, 3 * i + 3));
        expect(attributes.uvs?.values.slice(2 * v, 2 * v + 2)).toEqual(
          uvs.values.slice(2 * choices[c], 2 * choices[c] + 2),
        );
        if (withColors)
          expect(attributes.colors?.values.slice(3 * v, 3 * v + 3)).toEqual(colors.values.slice(3 * i, 3 * i + 3));
      });
      expect([...vertexMap.subarray(0, 20)]).toEqual([...Array(20).keys()]);
    }),
  );
});
