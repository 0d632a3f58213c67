import { readFileSync } from 'node:fs';
import { InputError, triangleCount, UsageError, validateMesh, vertexCount } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { readObj } from '../../src/obj/read-obj.ts';
import { srgbToLinear } from '../../src/srgb.ts';
import { bytesOf, cornerValues } from '../meshes.ts';

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

function read(text: string) {
  const warnings: string[] = [];
  const mesh = readObj(bytesOf(text), { name: 'folder/square.v2.obj', onWarning: (message) => warnings.push(message) });
  validateMesh(mesh);
  return { mesh, warnings };
}

describe('readObj', () => {
  it('reads a square as two triangles, named after its file', () => {
    const { mesh, warnings } = read(`${SQUARE}f 1 2 3 4\n`);
    expect(mesh.name).toBe('square.v2');
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(mesh.parts).toBeUndefined();
    expect(mesh.uvs).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('takes UVs and normals of polygons along', () => {
    // A dart whose fourth corner is reflex: a fan from the first corner would leave it.
    const text = 'v 0 0 0\nv 2 1 0\nv 0 2 0\nv 0.5 1 0\nvt 0 0\nvt 0.1 0\nvt 0.2 0\nvt 0.3 0\nvn 0 0 1\n';
    const { mesh } = read(`${text}f 1/1/1 2/2/1 3/3/1 4/4/1\n`);
    expect(triangleCount(mesh)).toBe(2);
    for (let c = 0; c < 6; c++) expect(mesh.uvs?.indices?.[c] ?? mesh.triangles[c]).toBe(mesh.triangles[c]);
    // The cut goes through the reflex corner.
    expect([...mesh.triangles].filter((vertex) => vertex === 3)).toHaveLength(2);
  });

  it('keeps a seam as two UVs of one vertex', () => {
    const { mesh } = read(`${SQUARE}vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\nf 1/1 2/2 3/3\nf 1/4 3/3 4/1\n`);
    expect(vertexCount(mesh)).toBe(4);
    expect(mesh.uvs?.indices && [...mesh.uvs.indices]).toEqual([0, 1, 2, 3, 2, 0]);
    expect(cornerValues(mesh.uvs, mesh)).toEqual([0, 1, 1, 1, 1, 0, 0.5, 0.5, 1, 0, 0, 1]);
  });

  it('leaves out an index that says nothing new', () => {
    const { mesh } = read(`${SQUARE}vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n`);
    expect(mesh.uvs).toEqual({ size: 2, values: Float32Array.of(0, 1, 1, 1, 1, 0, 0, 0) });
  });

  it('fills in UVs and normals that some faces lack, and says so', () => {
    const { mesh, warnings } = read(`${SQUARE}vt 0.5 0.5\nvn 0 1 0\nf 1/1/1 2/1/1 3/1/1\nf 1 3 4\n`);
    expect(cornerValues(mesh.uvs, mesh)?.slice(6)).toEqual([0, 1, 0, 1, 0, 1]);
    expect(cornerValues(mesh.normals, mesh)).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expect(warnings).toHaveLength(2);
  });

  it('makes colours linear', () => {
    const { mesh } = read('v 0 0 0 0 0.5 1\nv 1 0 0 1 1 1\nv 0 1 0\nf 1 2 3\n');
    expect(mesh.colors?.size).toBe(3);
    expect([...(mesh.colors?.values ?? [])]).toEqual([0, Math.fround(srgbToLinear(0.5)), 1, 1, 1, 1, 1, 1, 1]);
    const translucent = read('v 0 0 0 1 1 1 0.5\nv 1 0 0\nv 0 1 0\nf 1 2 3\n').mesh;
    expect([...(translucent.colors?.values ?? [])]).toEqual([1, 1, 1, 0.5, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('takes colours above 1 for bytes', () => {
    const { mesh, warnings } = read('v 0 0 0 0 128 255\nv 1 0 0 255 255 255\nv 0 1 0 0 0 0\nf 1 2 3\n');
    expect(mesh.colors?.values[1]).toBeCloseTo(srgbToLinear(128 / 255), 6);
    expect(warnings).toEqual(["OBJ 'folder/square.v2.obj': vertex colours go up to 255; they are taken as 0 to 255"]);
  });

  it('makes parts of objects and materials, in triangles', () => {
    const { mesh } = read(`${SQUARE}o a\nf 1 2 3 4\no b\nusemtl red\nf 1 2 3\nf 1 3 4\n`);
    expect(mesh.parts).toEqual([
      { name: 'a', firstTriangle: 0, triangleCount: 2, material: -1 },
      { name: 'b', firstTriangle: 2, triangleCount: 2, material: 0 },
    ]);
    expect(mesh.materials?.map(({ name }) => name)).toEqual(['red']);
  });

  it('keeps degenerate triangles and vertices of no face in their places', () => {
    const { mesh } = read(`${SQUARE}v 9 9 9\nf 1 1 2\nf 1 1 1\nf 2 2 2 2\n`);
    expect([...mesh.triangles]).toEqual([0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    expect(vertexCount(mesh)).toBe(5);
  });

  it('takes a single vertex, and tells that there are no faces', () => {
    const { mesh, warnings } = read('v 1 2 3');
    expect(vertexCount(mesh)).toBe(1);
    expect(warnings).toEqual(["OBJ 'folder/square.v2.obj': no faces, only points"]);
  });

  it.each(['', '\n\n', '# nothing', 'hello world', '\0\0\0\0'])('refuses %j', (text) => {
    expect(() => readObj(bytesOf(text), { name: 'a.obj' })).toThrow(InputError);
    expect(() => readObj(bytesOf(text), { name: 'a.obj' })).toThrow("OBJ 'a.obj': no vertices");
  });

  it('refuses options that it does not know', () => {
    expect(() => readObj(bytesOf(SQUARE), { nmae: 'a' } as object)).toThrow(UsageError);
  });

  it.skipIf(!realData('rigged/wolf/rest.obj')).each([
    ['horse-gallop/rest.obj', 8431, 16843],
    ['cat-poses/rest.obj', 7207, 14410],
    ['samba/rest.obj', 9971, 19938],
    ['rigged/wolf/rest.obj', 5075, 10018],
  ])('reads %s', (path, vertices, triangles) => {
    const mesh = readObj(readFileSync(realData(path) ?? ''), { name: path });
    validateMesh(mesh);
    expect([vertexCount(mesh), triangleCount(mesh)]).toEqual([vertices, triangles]);
  });

  it.skipIf(!realData('closed/spot.obj'))('reads real normals: one a face, all of unit length', () => {
    const mesh = readObj(readFileSync(realData('closed/spot.obj') ?? ''));
    validateMesh(mesh);
    const normals = mesh.normals?.values ?? new Float32Array();
    expect(normals.length / 3).toBe(triangleCount(mesh));
    const lengths = Float64Array.from({ length: normals.length / 3 }, (_, k) =>
      Math.hypot(...normals.subarray(k * 3, k * 3 + 3)),
    );
    expect(Math.max(...lengths)).toBeCloseTo(1, 3);
    expect(Math.min(...lengths)).toBeCloseTo(1, 3);
  });
});
