import { type CornerAttribute, type Mesh, validateMesh } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { POD } from '../../src/alembic/pod.ts';
import { arrayContent } from '../../src/alembic/property-content.ts';
import { doubles, geomParam, type MeshInput, meshObject, OP, readScene, xformObject } from './scene.ts';

/** Two triangles on four vertices: (0, 2, 1) and (1, 2, 3), clockwise. */
const QUAD: MeshInput = {
  points: [[0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]],
  counts: [[3, 3]],
  indices: [[0, 2, 1, 1, 2, 3]],
};

const read = (...properties: NonNullable<MeshInput['properties']>) =>
  readScene([meshObject('m', { ...QUAD, properties })]);

/** The value at every corner, with its vertex, sorted: what a renderer sees, whatever the indices. */
function corners(mesh: Mesh, { size, values, indices }: CornerAttribute): string[] {
  return Array.from(mesh.triangles, (vertex, c) => {
    const k = (indices ?? mesh.triangles)[c] * size;
    return `${vertex}: ${[...values.subarray(k, k + size)].join()}`;
  }).sort();
}

const perVertex = ['0: 0,1', '1: 1,0.5', '1: 1,0.5', '2: 2,0', '2: 2,0', '3: 3,-0.5'];

describe('UVs and normals', () => {
  it.each(['vtx', 'var'])('reads those of vertices (%s)', (scope) => {
    const { rest } = read(geomParam('uv', scope, [0, 0, 1, 0.5, 2, 1, 3, 1.5]));
    validateMesh(rest);
    expect(rest.uvs?.indices).toBeUndefined();
    expect(corners(rest, rest.uvs as CornerAttribute)).toEqual(perVertex);
  });

  it('reads those of vertices with indices', () => {
    const { rest } = read(geomParam('uv', 'vtx', [3, 1.5, 2, 1, 1, 0.5, 0, 0], [3, 2, 1, 0]));
    expect(corners(rest, rest.uvs as CornerAttribute)).toEqual(perVertex);
  });

  it('reads those of corners, in the order of the archive', () => {
    // Corners of the archive: 0, 2, 1, 1, 2, 3.
    const { rest } = read(geomParam('uv', 'fvr', [0, 0, 20, 0, 10, 0, 11, 0, 21, 0, 30, 0]));
    validateMesh(rest);
    expect(corners(rest, rest.uvs as CornerAttribute)).toEqual([
      '0: 0,1',
      '1: 10,1',
      '1: 11,1',
      '2: 20,1',
      '2: 21,1',
      '3: 30,1',
    ]);
  });

  it('reads those of corners with indices, and those that are one for each vertex as such', () => {
    const values = [0, 0, 1, 0.5, 2, 1, 3, 1.5];
    const { rest } = read(geomParam('uv', 'fvr', values, [0, 2, 1, 1, 2, 3]));
    expect(rest.uvs?.indices).toBeUndefined();
    expect(corners(rest, rest.uvs as CornerAttribute)).toEqual(perVertex);
    const seam = read(geomParam('uv', 'fvr', values, [0, 2, 1, 0, 2, 3])).rest;
    expect(corners(seam, seam.uvs as CornerAttribute)).toEqual([
      '0: 0,1',
      '1: 0,1',
      '1: 1,0.5',
      '2: 2,0',
      '2: 2,0',
      '3: 3,-0.5',
    ]);
  });

  it('reads those of faces and of the whole', () => {
    const uniform = read(geomParam('N', 'uni', [0, 0, 1, 0, 1, 0])).rest;
    expect(corners(uniform, uniform.normals as CornerAttribute)).toEqual([
      '0: 0,0,1',
      '1: 0,0,1',
      '1: 0,1,0',
      '2: 0,0,1',
      '2: 0,1,0',
      '3: 0,1,0',
    ]);
    const indexed = read(geomParam('N', 'uni', [0, 1, 0, 0, 0, 1], [1, 0])).rest;
    expect(corners(indexed, indexed.normals as CornerAttribute)).toEqual(
      corners(uniform, uniform.normals as CornerAttribute),
    );
    const constant = read(geomParam('N', 'con', [0, 0, 1])).rest;
    expect(new Set(corners(constant, constant.normals as CornerAttribute).map((corner) => corner.slice(3)))).toEqual(
      new Set(['0,0,1']),
    );
  });

  it('goes by the number of values where it contradicts the scope', () => {
    const { rest } = read(geomParam('uv', 'vtx', [0, 0, 20, 0, 10, 0, 11, 0, 21, 0, 30, 0]));
    expect(corners(rest, rest.uvs as CornerAttribute)[1]).toBe('1: 10,1');
    const unnamed = read(geomParam('uv', '', [0, 0, 1, 0.5, 2, 1, 3, 1.5])).rest;
    expect(corners(unnamed, unnamed.uvs as CornerAttribute)).toEqual(perVertex);
  });

  it('reads doubles as well', () => {
    const uv = arrayContent(
      'uv',
      { pod: POD.float64, extent: 2, metadata: 'geoScope=vtx' },
      { sampling: 0, samples: 1 },
      () => doubles([0, 0, 1, 0.5, 2, 1, 3, 1.5]),
    );
    const { rest } = read(uv);
    expect(corners(rest, rest.uvs as CornerAttribute)).toEqual(perVertex);
  });

  it('turns normals with the mesh, perpendicular to a surface that is stretched', () => {
    const slope = { points: [[0, 0, 0, 1, 1, 0, 0, 0, 1]], counts: [[3]], indices: [[0, 2, 1]] };
    const properties = [geomParam('N', 'con', [-Math.SQRT1_2, Math.SQRT1_2, 0])];
    const scene = xformObject('x', { ops: [OP.scale], values: [[3, 1, 1]] }, [
      meshObject('m', { ...slope, properties }),
    ]);
    const { rest } = readScene([scene]);
    const [x, y, z] = rest.normals?.values ?? [];
    expect([x * 3 + y * 1, z]).toEqual([expect.closeTo(0, 6), 0]);
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 6);
  });

  it.each([
    [
      'too many values',
      geomParam('uv', 'vtx', new Array(14).fill(0)),
      "7 UVs of '/m' match neither its vertices nor its corners nor its faces; skipped",
    ],
    [
      'an index out of range',
      geomParam('uv', 'vtx', [0, 0], [0, 0, 1, 0]),
      "UVs of '/m' have indices out of range and were skipped",
    ],
    [
      'a negative index',
      geomParam('N', 'vtx', [0, 0, 1], [0, 0, -1, 0]),
      "normals of '/m' have indices out of range and were skipped",
    ],
  ])('leaves out %s, with a warning', (_, property, message) => {
    const { rest, warnings } = read(property);
    expect([rest.uvs, rest.normals]).toEqual([undefined, undefined]);
    expect(warnings).toEqual([`Alembic 'a.abc': ${message}`]);
  });

  it('mends what is not a number, and leaves out what is empty or of another size', () => {
    const { rest, warnings } = read(geomParam('N', 'vtx', [Number.NaN, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]));
    validateMesh(rest);
    expect(warnings).toEqual(["Alembic 'a.abc': a normal of '/m' is not a finite number; 0 is used"]);
    expect(read(geomParam('uv', 'vtx', [])).rest.uvs).toBeUndefined();
    const triples = arrayContent('uv', { pod: POD.float32, extent: 3 }, { sampling: 0, samples: 1 }, () =>
      doubles([0, 0, 0]),
    );
    expect(read(triples).rest.uvs).toBeUndefined();
  });
});
