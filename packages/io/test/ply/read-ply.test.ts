import { InputError, UnsupportedError, validateMesh, vertexCount } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readPly } from '../../src/ply/read-ply.ts';
import { srgbToLinear } from '../../src/srgb.ts';
import { bytesOf, cornerValues } from '../meshes.ts';

function read(bytes: Uint8Array | string) {
  const warnings: string[] = [];
  const mesh = readPly(typeof bytes === 'string' ? bytesOf(bytes) : bytes, {
    name: 'a.ply',
    onWarning: (message) => warnings.push(message.replace("PLY 'a.ply': ", '')),
  });
  validateMesh(mesh);
  return { mesh, warnings };
}

/** An ascii file of a triangle with the given properties of vertices, and rows. */
function ascii(properties: string, rows: string, faces = '3 0 1 2') {
  const [vertices, triangles] = [rows, faces].map((text) => text.split('\n').filter(Boolean).length);
  return `ply\nformat ascii 1.0\nelement vertex ${vertices}\n${properties
    .split(' ')
    .map((property) => `property ${property.replaceAll(':', ' ')}\n`)
    .join('')}element face ${triangles}\nproperty list uchar int vertex_indices\nend_header\n${rows}\n${faces}\n`;
}

const XYZ = 'float:x float:y float:z';
const TRIANGLE = '0 0 0\n1 0 0\n0 1 0';

type Field = readonly ['i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64', number];

/** A binary file of the given values, one behind the other. */
function binary(header: string, littleEndian: boolean, values: readonly Field[]): Uint8Array {
  const head = bytesOf(`ply\nformat binary_${littleEndian ? 'little' : 'big'}_endian 1.0\n${header}end_header\n`);
  const body = new DataView(new ArrayBuffer(values.length * 8));
  let at = 0;
  for (const [type, value] of values) {
    if (type === 'i8') body.setInt8(at, value);
    else if (type === 'u8') body.setUint8(at, value);
    else if (type === 'i16') body.setInt16(at, value, littleEndian);
    else if (type === 'u16') body.setUint16(at, value, littleEndian);
    else if (type === 'i32') body.setInt32(at, value, littleEndian);
    else if (type === 'u32') body.setUint32(at, value, littleEndian);
    else if (type === 'f32') body.setFloat32(at, value, littleEndian);
    else body.setFloat64(at, value, littleEndian);
    at += Number(type.slice(1)) / 8;
  }
  return Uint8Array.from([...head, ...new Uint8Array(body.buffer, 0, at)]);
}

describe('readPly', () => {
  it('reads a triangle', () => {
    const { mesh, warnings } = read(ascii(XYZ, TRIANGLE));
    expect(mesh.name).toBe('a');
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...mesh.triangles]).toEqual([0, 1, 2]);
    expect(warnings).toEqual([]);
  });

  it.each(['s t', 'u v', 'texture_u texture_v', 'texture_s texture_t'])('reads UVs called %s, v downwards', (names) => {
    const properties = names.split(' ').map((name) => `float:${name}`);
    const { mesh } = read(ascii(`${XYZ} ${properties.join(' ')}`, '0 0 0 0.5 0.25\n1 0 0 0 0\n0 1 0 1 1'));
    expect(mesh.uvs).toEqual({ size: 2, values: Float32Array.of(0.5, 0.75, 0, 1, 1, 0) });
  });

  it('reads normals, and properties in any order', () => {
    const { mesh } = read(
      ascii('float:nz float:z float:ny float:x float:nx float:y', '1 2 3 4 5 6\n1 2 3 4 5 6\n1 2 3 4 5 6'),
    );
    expect([...mesh.positions.subarray(0, 3)]).toEqual([4, 6, 2]);
    expect(mesh.normals?.values.subarray(0, 3)).toEqual(Float32Array.of(5, 3, 1));
  });

  it.each([
    ['uchar', '255', '51'],
    ['ushort', '65535', '13107'],
    ['float', '1', '0.2'],
  ])('reads colours of type %s', (type, full, fifth) => {
    const names = ['red', 'green', 'blue', 'alpha'].map((name) => `${type}:${name}`).join(' ');
    const rows = TRIANGLE.split('\n').map((row) => `${row} ${full} 0 ${fifth} ${fifth}`);
    const { mesh } = read(ascii(`${XYZ} ${names}`, rows.join('\n')));
    expect(mesh.colors?.size).toBe(4);
    const [red, green, blue, alpha] = mesh.colors?.values ?? [];
    expect([red, green]).toEqual([1, 0]);
    expect(blue).toBeCloseTo(srgbToLinear(0.2), 6);
    expect(alpha).toBeCloseTo(0.2, 6);
  });

  it('cuts polygons, and leaves out faces that are none', () => {
    const { mesh, warnings } = read(ascii(XYZ, `${TRIANGLE}\n1 1 0`, '4 0 1 3 2\n2 0 1\n0\n3 0 1 2'));
    expect([...mesh.triangles]).toEqual([0, 1, 3, 0, 3, 2, 0, 1, 2]);
    expect(warnings).toEqual(['a face has fewer than 3 corners and is left out (2 times)']);
  });

  it.each([true, false])('reads binary data of every type, little-endian: %s', (littleEndian) => {
    const header =
      'element material 2\nproperty char a\nproperty double b\n' +
      'element strange 2\nproperty list ushort short c\nproperty uchar d\n' +
      'element vertex 3\nproperty double x\nproperty short y\nproperty list uchar float skipped\nproperty float z\n' +
      'element nothing 4000000000\n' +
      'element face 2\nproperty uchar flags\nproperty list int ushort vertex_index\nproperty float area\n' +
      'element after 1\nproperty int e\n';
    const vertex = (k: number): Field[] => [
      ['f64', k + 0.5],
      ['i16', 7 - k * 100],
      ['u8', k],
      ...Array.from({ length: k }, (): Field => ['f32', 99]),
      ['f32', k * 0.25],
    ];
    const face = (...corners: number[]): Field[] => [
      ['u8', 7],
      ['i32', corners.length],
      ...corners.map((corner): Field => ['u16', corner]),
      ['f32', 1],
    ];
    const bytes = binary(header, littleEndian, [
      ...[1, 2].flatMap((k): Field[] => [
        ['i8', -k],
        ['f64', k],
      ]),
      // A list of two and one of none, each with the value behind it.
      ['u16', 2],
      ['i16', -1],
      ['i16', -2],
      ['u8', 3],
      ['u16', 0],
      ['u8', 3],
      ...[0, 1, 2].flatMap(vertex),
      ...face(0, 1, 2),
      ...face(2, 1, 0, 1),
      ['i32', 5],
    ]);
    const { mesh } = read(bytes);
    expect([...mesh.positions]).toEqual([0.5, 7, 0, 1.5, -93, 0.25, 2.5, -193, 0.5]);
    expect(mesh.triangles).toHaveLength(9);
  });

  it('reads faces before vertices', () => {
    const text =
      'ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 3\n' +
      'property float x\nproperty float y\nproperty float z\nend_header\n3 2 1 0\n0 0 0 1 0 0 0 1 0';
    expect([...read(text).mesh.triangles]).toEqual([2, 1, 0]);
  });

  it('reads UVs of corners, with equal ones of a vertex put together', () => {
    const header = ascii(XYZ, `${TRIANGLE}\n1 1 0`, '').replace(
      'element face 0\nproperty list uchar int vertex_indices\n',
      'element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n',
    );
    const { mesh, warnings } = read(`${header}3 0 1 2 6 0 0 1 0 0 1\n3 1 3 2 6 1 0 1 1 0.5 0.5\n`);
    expect(cornerValues(mesh.uvs, mesh)).toEqual([0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0.5, 0.5]);
    expect(mesh.uvs?.values.length).toBe(10);
    expect(warnings).toEqual([]);
    expect(read(`${header}3 0 1 2 6 0 0 1 0 0 1\n3 1 3 2 0\n`).warnings).toHaveLength(1);
  });

  it('mends normals, UVs and colours that are not numbers', () => {
    const rows = TRIANGLE.split('\n').map((row) => `${row} nan 0 1 inf 0 nan 0 0`);
    const properties = `${XYZ} float:nx float:ny float:nz float:s float:t float:red float:green float:blue`;
    const { mesh, warnings } = read(ascii(properties, rows.join('\n')));
    expect([...(mesh.normals?.values ?? [])].slice(0, 3)).toEqual([0, 0, 1]);
    expect(warnings).toEqual([
      'a normal is not a finite number; 0 is used (3 times)',
      'a texture coordinate is not a finite number; 0 is used (3 times)',
      'a vertex colour is not a finite number; 0 is used (3 times)',
    ]);
  });

  it('takes points alone', () => {
    const { mesh, warnings } = read(
      'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3',
    );
    expect(vertexCount(mesh)).toBe(1);
    expect(warnings).toEqual(['no faces, only points']);
  });

  it('refuses triangle strips by name', () => {
    const text = ascii(XYZ, TRIANGLE).replace('element face', 'element tristrips');
    expect(() => read(text)).toThrow(UnsupportedError);
    expect(() => read(text)).toThrow("PLY 'a.ply': triangle strips are not read; export the mesh with plain faces");
  });

  it.each([
    ['no vertices at all', 'ply\nformat ascii 1.0\nend_header\n', "no element 'vertex'"],
    ['no vertex', ascii(XYZ, '', ''), 'no vertices'],
    ['no z', ascii('float:x float:y', '0 0\n1 0\n0 1'), "element 'vertex' lacks x, y or z"],
    [
      'a list for x',
      ascii('list:uchar:float:x float:y float:z', '1 0 0 0\n0 0 0\n0 0 0'),
      "element 'vertex' lacks x, y or z",
    ],
    ['NaN', ascii(XYZ, '0 0 0\n1 nan 0\n0 1 0'), 'vertex 1 has the coordinate NaN'],
    ['infinity', ascii(XYZ, '0 0 0\n1 1e400 0\n0 1 0'), 'vertex 1 has the coordinate Infinity'],
    [
      'a double too large',
      ascii(XYZ.replace('float:x', 'double:x'), '0 0 0\n-1e39 1 0\n0 1 0'),
      'coordinate -Infinity',
    ],
    ['an index too large', ascii(XYZ, TRIANGLE, '3 0 1 3'), 'a face names vertex 3, the file has 3'],
    ['a negative index', ascii(XYZ, TRIANGLE, '3 0 1 -1'), 'a face names something that is no index, the file has 3'],
    ['half an index', ascii(XYZ, TRIANGLE, '3 0 1 1.5'), 'a face names something that is no index, the file has 3'],
    ['a negative list', ascii(XYZ, TRIANGLE, '-3 0 1 2'), "'face.vertex_indices' is -3, not a count"],
    ['a list too long', ascii(XYZ, TRIANGLE, '4000000000 0 1 2'), "'face.vertex_indices' is 4000000000"],
    ['2^32 vertices', ascii(XYZ, TRIANGLE).replace('vertex 3', 'vertex 4294967296'), "'element vertex' is 4294967296"],
    ['2^32 faces', ascii(XYZ, TRIANGLE).replace('face 1', 'face 4294967296'), "'element face' is 4294967296"],
    ['a missing row', ascii(XYZ, TRIANGLE).replace('face 1', 'face 2'), "the file ends at 'face.vertex_indices'"],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(InputError);
    expect(() => read(text)).toThrow(message);
  });

  it('checks counts of binary data before it allocates', () => {
    const xyz = 'property float x\nproperty float y\nproperty float z\n';
    const many = binary(`element vertex 4294967295\n${xyz}`, true, [['f32', 0]]);
    expect(() => read(many)).toThrow("'element vertex' is 4294967295, which needs 51539607540 bytes, but 4 are left");
    const list = binary(`element vertex 1\n${xyz}element face 1\nproperty list uint int vertex_indices\n`, false, [
      ['f32', 0],
      ['f32', 0],
      ['f32', 0],
      ['u32', 0xffffffff],
      ['i32', 0],
    ]);
    expect(() => read(list)).toThrow("'face.vertex_indices' is 4294967295");
  });
});
