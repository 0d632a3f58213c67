import { InputError, validateMesh } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { faceSetObject, type MeshInput, meshObject, readScene, TRIANGLE } from './scene.ts';

/** A strip of three unit squares in the plane, wound clockwise seen from +z, as an archive has them. */
const STRIP: MeshInput = {
  points: [[0, 1, 2, 3].flatMap((x) => [x, 0, 0, x, 1, 0])],
  counts: [[4, 4, 4]],
  indices: [[0, 1, 3, 2, 2, 3, 5, 4, 4, 5, 7, 6]],
};

/** Twice the signed area of each triangle, seen from +z. */
function areas({ positions: p, triangles }: { positions: Float32Array; triangles: Uint32Array }): number[] {
  const out: number[] = [];
  for (let c = 0; c < triangles.length; c += 3) {
    const [a, b, d] = [triangles[c] * 3, triangles[c + 1] * 3, triangles[c + 2] * 3];
    out.push((p[b] - p[a]) * (p[d + 1] - p[a + 1]) - (p[b + 1] - p[a + 1]) * (p[d] - p[a]));
  }
  return out;
}

describe('faces', () => {
  it('winds triangles as the model does', () => {
    const { rest } = readScene([meshObject('m', TRIANGLE)]);
    expect([...rest.triangles]).toEqual([1, 2, 0]);
    expect(areas(rest)).toEqual([1]);
  });

  it('cuts polygons into triangles of the same surface', () => {
    const { rest } = readScene([meshObject('m', STRIP)]);
    expect(areas(rest)).toEqual([1, 1, 1, 1, 1, 1]);
    // A concave one: an arrowhead, clockwise.
    const arrow = { points: [[0, 0, 0, -1, -1, 0, 0, 2, 0, 1, -1, 0]], counts: [[4]], indices: [[0, 1, 2, 3]] };
    const cut = readScene([meshObject('m', arrow)]).rest;
    expect(areas(cut).every((area) => area > 0)).toBe(true);
  });

  it('cuts polygons alike in all frames, whatever they do', () => {
    const square = [0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0];
    const folded = [0, 0, 0, 0, 1, 0, 0.1, 0.2, 0, 1, 0, 0];
    const { rest, frames } = readScene([
      meshObject('m', { points: [square, folded], counts: [[4]], indices: [[0, 1, 2, 3]] }),
    ]);
    expect(rest.triangles.length).toBe(6);
    expect([...frames.subarray(12)]).toEqual([...Float32Array.from(folded)]);
  });

  it('makes sets of faces parts, in their order, and those of none a last one', () => {
    const sets = [faceSetObject('last', [2]), faceSetObject('first', [0])];
    const { rest, warnings } = readScene([meshObject('m', { ...STRIP, children: sets })]);
    validateMesh(rest);
    expect(rest.parts).toEqual([
      { name: 'last', firstTriangle: 0, triangleCount: 2, material: -1 },
      { name: 'first', firstTriangle: 2, triangleCount: 2, material: -1 },
      { name: 'm', firstTriangle: 4, triangleCount: 2, material: -1 },
    ]);
    const used = (first: number) => [...new Set(rest.triangles.subarray(3 * first, 3 * first + 6))].sort();
    expect([used(0), used(2), used(4)]).toEqual([
      [4, 5, 6, 7],
      [0, 1, 2, 3],
      [2, 3, 4, 5],
    ]);
    expect(warnings).toEqual([]);
  });

  it('gives a face in two sets to the first, and says so', () => {
    const sets = [faceSetObject('a', [0, 1]), faceSetObject('b', [1, 2, 2])];
    const { rest, warnings } = readScene([meshObject('m', { ...STRIP, children: sets })]);
    expect(rest.parts?.map(({ name, triangleCount }) => [name, triangleCount])).toEqual([
      ['a', 4],
      ['b', 2],
    ]);
    expect(warnings).toEqual(["Alembic 'a.abc': a face of '/m' is in several face sets; the first one is used"]);
  });

  it('leaves out faces without area, and takes points without faces', () => {
    const bad = { points: TRIANGLE.points, counts: [[2, 3, 0]], indices: [[0, 1, 0, 2, 1]] };
    const { rest, warnings } = readScene([meshObject('m', bad)]);
    expect([...rest.triangles]).toEqual([1, 2, 0]);
    expect(warnings).toEqual(["Alembic 'a.abc': a face of '/m' has fewer than 3 corners and was skipped"]);
    const points = readScene([meshObject('m', { points: TRIANGLE.points })]);
    expect(points.rest.triangles.length).toBe(0);
    expect(points.rest.positions.length).toBe(9);
  });

  it.each([
    ['a vertex that is not there', { indices: [[0, 1, 3]] }, 'refers to vertex 3 of 3 at corner 2'],
    ['a negative vertex', { indices: [[0, 1, -1]] }, 'refers to vertex -1 of 3 at corner 2'],
    ['a negative count', { counts: [[-3]] }, 'has a face of -3 corners'],
    ['too few corners', { counts: [[4]] }, 'has face counts that sum to 4, but 3 face indices'],
    ['too many corners', { counts: [[2]] }, 'has face counts that sum to 2, but 3 face indices'],
    [
      'a set with a face that is not there',
      { children: [faceSetObject('s', [1])] },
      "face set '/m/s' refers to face 1 of 1",
    ],
  ])('refuses %s', (_, change, message) => {
    const scene = [meshObject('m', { ...TRIANGLE, ...change })];
    expect(() => readScene(scene)).toThrow(InputError);
    expect(() => readScene(scene)).toThrow(message);
  });
});
