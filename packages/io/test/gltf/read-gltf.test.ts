import { UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { bakeSequence, readGltf } from '../../src/index.ts';
import { FileBuilder, TRIANGLE } from './file-builder.ts';
import { jsonOf } from './glb-json.ts';
import { largestDeviation, ThreePlayer } from './three-player.ts';

async function read(builder: FileBuilder, warnings: string[] = []) {
  return readGltf(builder.glb(), { name: 'made.glb', onWarning: (message) => warnings.push(message) });
}

function triangle(): { builder: FileBuilder; position: number } {
  const builder = new FileBuilder();
  return { builder, position: builder.floats('VEC3', TRIANGLE) };
}

describe('the smallest file', () => {
  it('is a triangle', async () => {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }), name: 'one' });
    const { mesh, skinned, animations, name } = await read(builder);
    expect(name).toBe('made');
    expect([...mesh.positions]).toEqual(TRIANGLE);
    expect([...mesh.triangles]).toEqual([0, 1, 2]);
    expect(mesh.parts).toEqual([{ name: 'one', firstTriangle: 0, triangleCount: 1, material: -1 }]);
    expect(mesh.normals ?? mesh.uvs ?? mesh.colors ?? mesh.materials).toBeUndefined();
    expect(skinned).toBe(false);
    expect(animations).toEqual([]);
  });

  it('may be shown by no scene, and then is by all its roots', async () => {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    delete builder.json.scenes;
    expect((await read(builder)).mesh.triangles).toHaveLength(3);
  });
});

describe('nodes', () => {
  it('move, turn and scale what they hold, and what their children hold', async () => {
    const { builder, position } = triangle();
    const mesh = builder.mesh({ attributes: { POSITION: position } });
    const child = builder.node({ mesh, translation: [1, 0, 0], scale: [2, 2, 2] }, false);
    // A quarter turn about z.
    builder.node({ children: [child], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], translation: [0, 0, 5] });
    const { mesh: merged } = await read(builder);
    // x' = −y, y' = x, after scaling by 2 and moving by 1
    const expected = [0, 1, 5, 0, 3, 5, -2, 1, 5];
    merged.positions.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 6);
    });
  });

  it('may shear by a matrix', async () => {
    const { builder, position } = triangle();
    const mesh = builder.mesh({ attributes: { POSITION: position } });
    builder.node({ mesh, matrix: [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] });
    expect([...(await read(builder)).mesh.positions]).toEqual([7, 8, 9, 8, 8, 9, 8, 9, 9]);
  });

  it('that mirror turn the winding round, and normals with the surface', async () => {
    const { builder, position } = triangle();
    const normal = builder.floats('VEC3', [0, 0.6, 0.8, 0, 0.6, 0.8, 0, 0.6, 0.8]);
    const mesh = builder.mesh({ attributes: { POSITION: position, NORMAL: normal } });
    builder.node({ mesh, scale: [1, 1, -1] });
    builder.node({ mesh, scale: [1, 2, 1] });
    const merged = (await read(builder)).mesh;
    expect([...merged.triangles]).toEqual([0, 2, 1, 3, 4, 5]);
    const { values } = merged.normals!;
    [0, 0.6, -0.8].forEach((value, k) => {
      expect(values[k]).toBeCloseTo(value, 6);
    });
    // Stretched along y, a slope leans away from it: (0, 0.6 / 2, 0.8), of unit length.
    [0, 0.3 / Math.hypot(0.3, 0.8), 0.8 / Math.hypot(0.3, 0.8)].forEach((value, k) => {
      expect(values[9 + k]).toBeCloseTo(value, 6);
    });
  });

  it('may show one mesh several times', async () => {
    const { builder, position } = triangle();
    const mesh = builder.mesh({ attributes: { POSITION: position } });
    for (const x of [0, 10, 20]) builder.node({ mesh, translation: [x, 0, 0], name: `at ${x}` });
    const merged = (await read(builder)).mesh;
    expect(merged.positions).toHaveLength(27);
    expect(merged.parts?.map(({ name }) => name)).toEqual(['at 0', 'at 10', 'at 20']);
    expect([...merged.triangles]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('outside the scene are not shown', async () => {
    const { builder, position } = triangle();
    const mesh = builder.mesh({ attributes: { POSITION: position } });
    builder.node({ mesh });
    builder.node({ mesh }, false);
    expect((await read(builder)).mesh.positions).toHaveLength(9);
  });

  it('that flatten their mesh leave it as it is stored, with a warning', async () => {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }), scale: [0, 0, 0] });
    const warnings: string[] = [];
    const asset = await read(builder, warnings);
    expect([...asset.mesh.positions]).toEqual(TRIANGLE);
    expect(warnings).toHaveLength(1);
    // As a sequence it is where its node puts it.
    expect([...bakeSequence(asset).frames].every((value) => value === 0)).toBe(true);
  });

  it('may be a chain longer than a call stack', async () => {
    const { builder, position } = triangle();
    const mesh = builder.mesh({ attributes: { POSITION: position } });
    const length = 20000;
    for (let k = 0; k < length; k++) builder.node({ children: [k + 1] }, k === 0);
    builder.node({ mesh }, false);
    expect((await read(builder)).mesh.positions).toHaveLength(9);
  });
});

describe('primitives', () => {
  it('of one mesh that share their vertices have them once', async () => {
    const { builder, position } = triangle();
    const [a, b] = [
      [0, 1, 2],
      [2, 1, 0],
    ].map((list) => builder.accessor('SCALAR', Uint8Array.from(list)));
    builder.json.meshes.push({
      primitives: [
        { attributes: { POSITION: position }, indices: a, extras: { name: 'front' } },
        { attributes: { POSITION: position }, indices: b },
      ],
      name: 'both',
    });
    builder.node({ mesh: 0 });
    const { mesh } = await read(builder);
    expect(mesh.positions).toHaveLength(9);
    expect([...mesh.triangles]).toEqual([0, 1, 2, 2, 1, 0]);
    expect(mesh.parts?.map(({ name }) => name)).toEqual(['front', 'both']);
  });

  it('are strips, fans, indexed by any type or not at all', async () => {
    const square = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];
    for (const Indices of [Uint8Array, Uint16Array, Uint32Array]) {
      const builder = new FileBuilder();
      const position = builder.floats('VEC3', square);
      const indices = builder.accessor('SCALAR', Indices.from([0, 1, 2, 3]));
      builder.node({ mesh: builder.mesh({ attributes: { POSITION: position }, indices, mode: 5 }) });
      builder.node({ mesh: builder.mesh({ attributes: { POSITION: position }, mode: 6 }) });
      expect([...(await read(builder)).mesh.triangles]).toEqual([0, 1, 2, 1, 3, 2, 5, 6, 4, 6, 7, 4]);
    }
  });

  it('of points and lines are left out with a warning', async () => {
    const { builder, position } = triangle();
    for (const mode of [0, 1, 2, 3, 4])
      builder.node({ mesh: builder.mesh({ attributes: { POSITION: position }, mode }) });
    const warnings: string[] = [];
    expect((await read(builder, warnings)).mesh.triangles).toHaveLength(3);
    expect(warnings).toEqual(["glTF 'made.glb': points and lines are left out (4 times)"]);
  });

  it('without normals get them where others have some, without colours white, without UVs 0', async () => {
    const { builder, position } = triangle();
    const full = {
      POSITION: position,
      NORMAL: builder.floats('VEC3', [1, 0, 0, 1, 0, 0, 1, 0, 0]),
      TEXCOORD_0: builder.floats('VEC2', [1, 2, 3, 4, 5, 6]),
      COLOR_0: builder.accessor('VEC4', new Uint8Array(12).fill(51), { normalized: true }),
    };
    builder.node({ mesh: builder.mesh({ attributes: full }) });
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    const rgb = builder.accessor('VEC3', new Uint16Array(9).fill(65535), { normalized: true });
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position, COLOR_0: rgb } }) });
    const { normals, uvs, colors } = (await read(builder)).mesh;
    expect([...normals!.values.subarray(9, 12)]).toEqual([0, 0, 1]);
    expect([...uvs!.values]).toEqual([1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(colors?.size).toBe(4);
    expect([...colors!.values].map((value) => Math.round(value * 5))).toEqual([
      ...Array(12).fill(1),
      ...Array(24).fill(5),
    ]);
  });
});

describe('accessors', () => {
  it('may be strided', async () => {
    const builder = new FileBuilder();
    // Position and a float of padding.
    const data = Float32Array.from([9, 0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0]);
    const view = builder.view(new Uint8Array(data.buffer), { byteStride: 16 });
    const position = builder.rawAccessor({
      bufferView: view,
      byteOffset: 4,
      componentType: 5126,
      count: 3,
      type: 'VEC3',
    });
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    expect([...(await read(builder)).mesh.positions]).toEqual(TRIANGLE);
  });

  it('may be sparse over data, at an offset, and over nothing', async () => {
    const builder = new FileBuilder();
    const base = builder.view(new Uint8Array(Float32Array.from([7, 7, 7, ...TRIANGLE]).buffer));
    const indices = builder.view(Uint8Array.of(1));
    const values = builder.view(new Uint8Array(Float32Array.of(5, 6, 7).buffer));
    const sparse = { count: 1, indices: { bufferView: indices, componentType: 5121 }, values: { bufferView: values } };
    const over = builder.rawAccessor({
      bufferView: base,
      byteOffset: 12,
      componentType: 5126,
      count: 3,
      type: 'VEC3',
      sparse,
    });
    const alone = builder.rawAccessor({ componentType: 5126, count: 3, type: 'VEC3', sparse });
    for (const position of [over, alone]) builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    expect([...(await read(builder)).mesh.positions]).toEqual([0, 0, 0, 5, 6, 7, 0, 1, 0, 0, 0, 0, 5, 6, 7, 0, 0, 0]);
  });

  it('may be quantised, with the node or the skin putting them right', async () => {
    const builder = new FileBuilder();
    builder.json.extensionsUsed = builder.json.extensionsRequired = ['KHR_mesh_quantization'];
    const short = builder.accessor('VEC3', Int16Array.from([0, 0, 0, 32767, 0, 0, 0, 32767, 0]), { normalized: true });
    const byte = builder.accessor('VEC3', Uint8Array.from([0, 0, 0, 10, 0, 0, 0, 10, 0]));
    const normal = builder.accessor('VEC3', Int8Array.from([0, 0, 127, 0, 0, 127, 0, -128, 0]), { normalized: true });
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: short, NORMAL: normal } }), scale: [3, 3, 3] });
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: byte } }), scale: [0.1, 0.1, 0.1] });
    const { positions, normals } = (await read(builder)).mesh;
    [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, k) => {
      expect(positions[k]).toBeCloseTo(value, 6);
    });
    expect([...normals!.values.subarray(6, 9)]).toEqual([0, -1, 0]);
  });
});

describe('extensions', () => {
  it('that a file cannot be read without are named', async () => {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    builder.json.extensionsRequired = ['ACME_invisible'];
    await expect(read(builder)).rejects.toThrow(
      new UnsupportedError("glTF 'made.glb': it needs the extension ACME_invisible"),
    );
    builder.json.extensionsRequired = ['KHR_materials_transmission'];
    const warnings: string[] = [];
    await read(builder, warnings);
    expect(warnings).toHaveLength(1);
  });

  it('that repeat a mesh are told of', async () => {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    builder.json.extensionsUsed = ['EXT_mesh_gpu_instancing'];
    const warnings: string[] = [];
    await read(builder, warnings);
    expect(warnings).toEqual(["glTF 'made.glb': of instanced meshes only the first is read"]);
  });

  it('of others are kept', async () => {
    const { builder, position } = triangle();
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
    builder.json.extensions = { ACME_note: { text: 'hello', buffers: 'not ours' } };
    expect((await read(builder)).extensions).toEqual([
      { name: 'ACME_note', json: { text: 'hello', buffers: 'not ours' }, buffers: {} },
    ]);
  });
});

it('agrees with three.js on a scene of everything', async () => {
  const builder = new FileBuilder();
  const position = builder.floats('VEC3', TRIANGLE, { min: [0, 0, 0], max: [1, 1, 0] });
  const mesh = builder.mesh({ attributes: { POSITION: position } });
  const deep = builder.node({ mesh, translation: [0, 1, 0], scale: [1, -2, 1] }, false);
  const middle = builder.node({ children: [deep], rotation: [0.1, 0.2, 0.3, 0.9273618495495703] }, false);
  builder.node({ mesh, children: [middle], matrix: [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 1, 2, 3, 1] });
  builder.node({ mesh, rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] });
  const glb = builder.glb();
  expect(jsonOf(glb).nodes).toHaveLength(4);
  const player = await ThreePlayer.load(glb);
  expect(largestDeviation(player.positionsAt(0, 0), (await readGltf(glb)).mesh.positions)).toBeLessThan(1e-6);
});
