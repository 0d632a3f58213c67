import {
  type CornerAttribute,
  gatherVertices,
  InputError,
  MATERIAL_DEFAULTS,
  type Mesh,
  UsageError,
} from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { readGltf, writeGlb } from '../../src/index.ts';
import { jsonOf } from './glb-json.ts';
import { PNG, richSheet, sheet } from './models.ts';
import { complaintsAbout } from './validate-glb.ts';

async function roundTrip(mesh: Mesh, options = {}) {
  const file = await writeGlb({ mesh }, options);
  expect(await complaintsAbout(file.bytes)).toEqual([]);
  return { ...file, asset: await readGltf(file.bytes, { name: 'back.glb' }) };
}

describe('a mesh', () => {
  it('comes back as it was', async () => {
    const mesh = sheet();
    const { asset, vertexMap } = await roundTrip(mesh);
    expect(asset.mesh.positions).toEqual(mesh.positions);
    expect(asset.mesh.triangles).toEqual(mesh.triangles);
    expect([...vertexMap]).toEqual([...Array(20).keys()]);
    expect(asset.skinned).toBe(false);
  });

  it('comes back with everything on it', async () => {
    const mesh = richSheet();
    const { asset, vertexMap } = await roundTrip(mesh);
    const { parts, materials, images, positions } = asset.mesh;
    // Its parts share vertices: each has those that it uses.
    expect(vertexMap.length).toBeGreaterThan(mesh.positions.length / 3);
    expect(positions).toEqual(gatherVertices(mesh.positions, 3, vertexMap));
    for (const key of ['normals', 'uvs', 'uvs2', 'colors'] as const) {
      const { size, values } = mesh[key] as CornerAttribute;
      expect(asset.mesh[key]).toEqual({ size, values: gatherVertices(values, size, vertexMap) });
    }
    expect(images).toEqual(mesh.images);
    expect(parts).toEqual(mesh.parts);
    expect(materials).toEqual(mesh.materials);
  });

  it('is the same at any size', async () => {
    for (const scale of [1e-6, 1e6]) {
      const mesh = sheet(5, 4, 1, scale);
      expect((await roundTrip(mesh)).asset.mesh.positions).toEqual(mesh.positions);
    }
  });

  it('may leave its normals at home, and then its normal map', async () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const { asset } = await roundTrip(richSheet(), { normals: false, onWarning });
    expect(warnings).toEqual(["material 'painted': its normal map is left out, for want of normals or UVs"]);
    expect(asset.mesh.normals).toBeUndefined();
    expect(asset.mesh.materials?.some(({ normalTexture }) => normalTexture)).toBe(false);
  });

  it('gets normals where a normal map needs them', async () => {
    const { normals: _, ...mesh } = richSheet();
    const { asset } = await roundTrip(mesh);
    expect(asset.mesh.normals).toBeDefined();
  });

  it('has seams split, without losing the first vertices', async () => {
    const plain = sheet();
    const corners = plain.triangles.length;
    const uvs = {
      size: 2 as const,
      values: new Float32Array(2 * corners).map((_, k) => k / 100),
      indices: Uint32Array.from({ length: corners }, (_, c) => c),
    };
    const { asset, vertexMap } = await roundTrip({ ...plain, uvs });
    // Every corner has UVs of its own.
    expect(vertexMap.length).toBe(corners);
    vertexMap.forEach((i, v) => {
      expect(asset.mesh.positions.subarray(3 * v, 3 * v + 3)).toEqual(plain.positions.subarray(3 * i, 3 * i + 3));
    });
  });

  it('has a plain material where it has none', async () => {
    const { asset } = await roundTrip(sheet());
    expect(asset.mesh.materials).toEqual([MATERIAL_DEFAULTS]);
  });

  it('has normals that a validator takes, whatever they were', async () => {
    const normals = { size: 3 as const, values: new Float32Array(60).map((_, k) => (k < 3 ? 0 : k)) };
    const colors = { size: 3 as const, values: new Float32Array(60).map((_, k) => k / 10 - 1) };
    const { asset } = await roundTrip({ ...sheet(), normals, colors });
    expect([...asset.mesh.normals!.values.subarray(0, 3)]).toEqual([0, 0, 1]);
    expect(asset.mesh.colors?.size).toBe(3);
  });

  it('may have a second set of UVs alone', async () => {
    const { uvs: _, materials: __, parts: ___, images: ____, ...mesh } = richSheet();
    const { asset } = await roundTrip(mesh);
    expect(asset.mesh.uvs2).toEqual(mesh.uvs2);
  });

  it('may have triangles without area and vertices without triangles', async () => {
    const mesh = { name: '', positions: new Float32Array(12), triangles: Uint32Array.of(0, 1, 2, 1, 1, 1) };
    const { asset } = await roundTrip(mesh);
    expect(asset.mesh.triangles).toEqual(mesh.triangles);
    expect(asset.mesh.positions).toEqual(mesh.positions);
  });
});

describe('indices', () => {
  /** A fan over n vertices. */
  function fan(n: number): Mesh {
    const triangles = new Uint32Array(3 * (n - 2));
    for (let f = 0; f < n - 2; f++) triangles.set([0, f + 1, f + 2], 3 * f);
    return { name: 'fan', positions: Float32Array.from({ length: 3 * n }, (_, k) => Math.sin(k)), triangles };
  }

  it('take two bytes for 65535 vertices, four for one more', async () => {
    for (const [n, componentType] of [
      [65535, 5123],
      [65536, 5125],
    ] as const) {
      const { bytes, asset } = await roundTrip(fan(n));
      const json = jsonOf(bytes);
      expect(json.accessors[json.meshes[0].primitives[0].indices].componentType).toBe(componentType);
      const { triangles } = fan(n);
      expect(asset.mesh.triangles.every((v, k) => v === triangles[k])).toBe(true);
    }
  });
});

describe('textures', () => {
  const textured = (over: Partial<NonNullable<Mesh['images']>[number]>): Mesh => ({
    ...richSheet(),
    images: [
      { name: 'a', mimeType: 'image/png', bytes: PNG, ...over },
      { name: 'b', mimeType: 'image/png', bytes: PNG },
    ],
  });

  it('that glTF cannot hold are left out with a warning', async () => {
    const warnings: string[] = [];
    const mesh = textured({ mimeType: 'image/x-tga' });
    const { asset } = await roundTrip(mesh, { onWarning: (message: string) => warnings.push(message) });
    expect(new Set(warnings)).toEqual(
      new Set(["material 'painted': glTF cannot hold a texture of type 'image/x-tga'"]),
    );
    expect(asset.mesh.images).toHaveLength(1);
  });

  it('that need UVs which are not there are left out too', async () => {
    const { uvs2: _, ...mesh } = textured({});
    const warnings: string[] = [];
    await roundTrip(mesh, { onWarning: (message: string) => warnings.push(message) });
    expect(warnings).toEqual(["material 'painted': a texture needs UV set 1, which the mesh does not have"]);
  });

  it('of newer kinds bring their extension', async () => {
    // Enough of a WebP to be recognised; the validator looks no further.
    const webp = Uint8Array.from(
      'RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0',
      (c) => c.charCodeAt(0),
    );
    const file = await writeGlb({ mesh: textured({ mimeType: 'image/webp', bytes: webp }) });
    const json = jsonOf(file.bytes);
    expect(json.extensionsRequired).toContain('EXT_texture_webp');
    const { mesh } = await readGltf(file.bytes);
    expect(mesh.images?.map(({ mimeType }) => mimeType)).toEqual(['image/webp', 'image/png']);
  });
});

describe('extensions and extras', () => {
  const payload = {
    name: 'PELT_test',
    json: { version: 1, names: ['a', 'b'], nested: { deep: true } },
    buffers: {
      floats: Float32Array.of(1.5, -2),
      doubles: Float64Array.of(Math.PI, 1e-300, -0),
      bytes: Uint8Array.of(1, 2, 3),
      shorts: Int16Array.of(-1, 2),
      empty: new Uint32Array(0),
      part: Float32Array.of(9, 1, 2, 3, 9).subarray(1, 4),
    },
  };

  it('come back as they went', async () => {
    const { bytes } = await writeGlb({
      mesh: richSheet(),
      extensions: [payload, { name: 'PELT_plain', json: { a: 1 }, buffers: {} }],
    });
    expect(await complaintsAbout(bytes)).toEqual([]);
    const { extensions } = await readGltf(bytes);
    expect(extensions).toEqual([{ name: 'PELT_plain', json: { a: 1 }, buffers: {} }, payload]);
  });

  it('must have a name that a validator takes, and leave the key of the arrays free', async () => {
    await expect(writeGlb({ mesh: sheet(), extensions: [{ ...payload, name: 'pelt' }] })).rejects.toThrow(UsageError);
    await expect(writeGlb({ mesh: sheet(), extensions: [{ ...payload, json: { buffers: 1 } }] })).rejects.toThrow(
      UsageError,
    );
  });

  it('let the node of the mesh carry notes', async () => {
    const { bytes } = await writeGlb({ mesh: sheet(), extras: { note: 'x' } });
    expect((await readGltf(bytes)).scene.nodes[0].extras).toEqual({ note: 'x' });
  });
});

describe('what cannot be written', () => {
  it('is said before anything is written', async () => {
    const nothing = { name: 'nothing', positions: new Float32Array(0), triangles: new Uint32Array(0) };
    await expect(writeGlb({ mesh: nothing })).rejects.toThrow(InputError);
    const mesh = sheet();
    mesh.positions[4] = Number.NaN;
    await expect(writeGlb({ mesh })).rejects.toThrow('element 1 is NaN');
    await expect(writeGlb({ mesh: sheet() }, { normal: true } as never)).rejects.toThrow(UsageError);
  });

  it('never changes what it was given', async () => {
    const mesh = richSheet();
    const before = structuredClone(mesh);
    await writeGlb({ mesh });
    expect(mesh).toEqual(before);
  });

  it('gives the same bytes each time', async () => {
    const [a, b] = await Promise.all([writeGlb({ mesh: richSheet() }), writeGlb({ mesh: richSheet() })]);
    expect(a.bytes).toEqual(b.bytes);
  });
});
