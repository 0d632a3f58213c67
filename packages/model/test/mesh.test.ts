import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import { MATERIAL_DEFAULTS } from '../src/material.ts';
import { type Mesh, triangleCount, validateMesh, vertexCount } from '../src/mesh.ts';

/** Two triangles of a unit square. */
const square: Mesh = {
  name: 'square',
  positions: new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]),
  triangles: new Uint32Array([0, 1, 2, 0, 2, 3]),
};

function expectInvalid(change: Partial<Mesh>, message: string | RegExp): void {
  const mesh = { ...square, ...change };
  expect(() => validateMesh(mesh)).toThrow(InputError);
  expect(() => validateMesh(mesh)).toThrow(message);
}

describe('validateMesh', () => {
  it('accepts a plain mesh, counts it', () => {
    validateMesh(square);
    expect(vertexCount(square)).toBe(4);
    expect(triangleCount(square)).toBe(2);
  });

  it('accepts what is degenerate but consistent: empty, one vertex, a triangle without area', () => {
    validateMesh({ name: '', positions: new Float32Array(), triangles: new Uint32Array() });
    validateMesh({ name: '', positions: new Float32Array(3), triangles: new Uint32Array() });
    validateMesh({ name: '', positions: new Float32Array(3), triangles: new Uint32Array(3) });
  });

  it('refuses sizes that are not a multiple of 3', () => {
    expectInvalid({ positions: new Float32Array(11) }, "mesh 'square': 11 position numbers are not a multiple of 3");
    expectInvalid({ triangles: new Uint32Array([0, 1]) }, '2 triangle indices');
    expectInvalid({ name: '', triangles: new Uint32Array([0]) }, /^mesh: /);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses a position of %d', (value) => {
    const positions = square.positions.slice();
    positions[7] = value;
    expectInvalid({ positions }, `positions: element 2 is ${value}`);
  });

  it('refuses triangles that name vertices that are not there', () => {
    expectInvalid({ triangles: new Uint32Array([0, 1, 4]) }, 'triangles: index 4 at 2 is out of range, there are 4');
    expectInvalid({ triangles: new Uint32Array([0, 1, 0xffffffff]) }, 'index 4294967295');
  });

  it('checks attributes with and without an index of their own', () => {
    validateMesh({ ...square, uvs: { size: 2, values: new Float32Array(8) } });
    const indices = new Uint32Array([0, 1, 0, 1, 0, 1]);
    validateMesh({ ...square, normals: { size: 3, values: new Float32Array(6), indices } });
    expectInvalid({ uvs: { size: 2, values: new Float32Array(7) } }, 'uvs: 7 numbers are not a multiple of 2');
    expectInvalid({ uvs2: { size: 2, values: new Float32Array(6) } }, 'uvs2: 3 values for 4 vertices');
    expectInvalid({ normals: { size: 3, values: new Float32Array(3), indices } }, 'normals: indices: index 1 at 1');
    expectInvalid(
      { colors: { size: 4, values: new Float32Array(4), indices: new Uint32Array(3) } },
      'colors: indices: length 3, expected 6',
    );
    expectInvalid({ colors: { size: 3, values: new Float32Array(12).fill(Number.NaN) } }, 'colors: element 0 is NaN');
  });

  it('wants parts in order, covering all triangles, with materials that exist', () => {
    const part = { name: 'a', firstTriangle: 0, triangleCount: 1, material: -1 };
    const rest = { name: 'b', firstTriangle: 1, triangleCount: 1, material: 0 };
    validateMesh({ ...square, parts: [part, rest], materials: [MATERIAL_DEFAULTS] });
    expectInvalid({ parts: [part] }, 'its parts hold 1 of 2 triangles');
    expectInvalid({ parts: [part, { ...rest, firstTriangle: 0 }] }, "part 'b' starts at triangle 0, expected 1");
    expectInvalid({ parts: [{ ...part, triangleCount: -1 }] }, "part 'a'");
    expectInvalid({ parts: [part, rest] }, "part 'b' names material 0, which is not there");
    expectInvalid({ parts: [{ ...part, material: -2 }, rest] }, 'names material -2');
  });
});
