import { MATERIAL_DEFAULTS, type Mesh, validateMesh } from '@pelt/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readObj } from '../../src/obj/read-obj.ts';
import { type WriteObjOptions, writeObj } from '../../src/obj/write-obj.ts';
import { onOneLine } from '../../src/text-writer.ts';
import { arbitraryMesh, cornerValues, expectClose, tetrahedron } from '../meshes.ts';

/** A mesh written and read again. */
function roundTrip(mesh: Mesh, options?: Partial<WriteObjOptions>) {
  const files = writeObj(mesh, options);
  const byName = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const warnings: string[] = [];
  const back = readObj(files[0].bytes, {
    name: files[0].name,
    resolve: (path) => byName.get(path),
    onWarning: (message) => warnings.push(message),
  });
  validateMesh(back);
  return { files, back, warnings };
}

const textOf = (mesh: Mesh) => new TextDecoder().decode(writeObj(mesh)[0].bytes);

describe('writeObj', () => {
  it('writes a tetrahedron as one would by hand', () => {
    expect(textOf(tetrahedron())).toBe('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
  });

  it('gives every mesh back: bit by bit where the format allows', () => {
    fc.assert(
      fc.property(arbitraryMesh({ cornerIndices: true, parts: true }), (mesh) => {
        const { back, warnings } = roundTrip(mesh);
        expect(warnings).toEqual([]);
        expect(back.positions).toEqual(mesh.positions);
        expect(back.triangles).toEqual(mesh.triangles);
        expect(cornerValues(back.normals, back)).toEqual(cornerValues(mesh.normals, mesh));
        expectClose(cornerValues(back.uvs, back), cornerValues(mesh.uvs, mesh), 1e-12);
        expectClose(rgba(back), rgba(mesh), 4e-6);
        const looks = partsWithLooks(back);
        expect(looks.map(({ numbers: _, ...part }) => part)).toEqual(
          partsWithLooks(mesh).map(({ numbers: _, ...part }) => ({ ...part, name: onOneLine(part.name).trim() })),
        );
        looks.forEach(({ numbers }, k) => {
          expectClose(numbers, partsWithLooks(mesh)[k].numbers, 1e-6);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('writes UVs with the digits they came with', () => {
    const mesh: Mesh = { ...tetrahedron(), uvs: { size: 2, values: Float32Array.of(0.1, 0.7, 0, 1, 1, 0, 0.5, 0.3) } };
    expect(textOf(mesh)).toContain('vt 0.1 0.3\nvt 0 0\nvt 1 1\nvt 0.5 0.7\n');
  });

  it('writes materials with their textures, and reads them back', () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1);
    const mesh: Mesh = {
      ...tetrahedron(),
      parts: [{ name: 'all', firstTriangle: 0, triangleCount: 4, material: 0 }],
      materials: [
        {
          ...MATERIAL_DEFAULTS,
          name: 'skin',
          baseColor: [0.5, 0.25, 1, 0.5],
          alphaMode: 'BLEND',
          emissive: [0, 0.5, 0],
          normalScale: 0.5,
          baseColorTexture: { image: 1, uvSet: 0 },
          normalTexture: {
            image: 0,
            uvSet: 0,
            transform: { offset: [0.25, -3.5], rotation: 0, scale: [2, 4] },
          },
        },
      ],
      images: [
        { name: '../n:1', mimeType: 'image/png', bytes: png },
        { name: 'N_1.jpeg', mimeType: 'image/png', bytes: png.slice() },
      ],
    };
    const { files, back } = roundTrip(mesh, { name: 'out.obj' });
    expect(files.map(({ name }) => name)).toEqual(['out.obj', 'out.mtl', 'n_1.png', 'N_1_2.png']);
    const [expected] = mesh.materials ?? [];
    expect(back.materials?.[0]).toEqual({
      ...expected,
      baseColorTexture: { image: 0, uvSet: 0 },
      normalTexture: { ...expected.normalTexture, image: 1 },
    });
    expect(back.images?.map(({ name }) => name)).toEqual(['N_1_2.png', 'n_1.png']);
  });

  it('tells materials of one name, of none, and of the word for none apart', () => {
    const names = ['skin', '', 'skin', '(null)', 'Skin', 'two\nlines', 'skin_2'];
    const mesh: Mesh = {
      ...tetrahedron(),
      materials: names.map((name, k) => ({ ...MATERIAL_DEFAULTS, name, roughness: (k + 1) / 10 })),
      triangles: new Uint32Array(names.length * 3),
      parts: names.map((name, k) => ({ name, firstTriangle: k, triangleCount: 1, material: k })),
    };
    const { back } = roundTrip(mesh);
    expect(back.materials?.map(({ roughness }) => roughness)).toEqual(mesh.materials?.map((look) => look.roughness));
    expect(new Set(back.materials?.map(({ name }) => name)).size).toBe(names.length);
  });

  it('lets frames share one library', () => {
    const mesh: Mesh = { ...tetrahedron(), materials: [MATERIAL_DEFAULTS] };
    const [obj, mtl] = writeObj(mesh, { name: 'frame-1.obj', library: 'clip.mtl' });
    expect(new TextDecoder().decode(obj.bytes)).toMatch(/^mtllib clip\.mtl\n/);
    expect(mtl.name).toBe('clip.mtl');
  });

  it('says what has no place in the format', () => {
    const warnings: string[] = [];
    const corner = { size: 3 as const, values: Float32Array.of(1, 0, 0, 0, 1, 0), indices: new Uint32Array(12) };
    corner.indices[0] = 1;
    writeObj(
      {
        ...tetrahedron(),
        colors: corner,
        uvs2: { size: 2, values: new Float32Array(8) },
        materials: [{ ...MATERIAL_DEFAULTS, occlusionTexture: { image: 0, uvSet: 1 } }],
        images: [{ name: 'ao', mimeType: 'image/png', bytes: new Uint8Array(1) }],
      },
      { onWarning: (message) => warnings.push(message) },
    );
    expect(warnings).toEqual([
      "OBJ 'mesh.obj': the second set of UVs has no place in the format and is left out",
      "OBJ 'mesh.obj': 1 vertices have several colours; the format keeps one, their mean",
      "OBJ 'mesh.obj': textures of metal, roughness and occlusion have no place in the format and are left out",
    ]);
  });
});

/** Colours of the corners with their alpha, which is not written down where it is 1 everywhere. */
function rgba(mesh: Mesh): number[] | undefined {
  const size = mesh.colors?.size ?? 0;
  const values = cornerValues(mesh.colors, mesh);
  return values?.flatMap((value, k) => (size === 3 && k % 3 === 2 ? [value, 1] : [value]));
}

/** Runs of triangles with the numbers of their materials, whose indices and names may differ. */
function partsWithLooks(mesh: Mesh) {
  const whole = { name: '', firstTriangle: 0, triangleCount: mesh.triangles.length / 3, material: -1 };
  return (mesh.parts ?? [whole]).map(({ material, ...run }) => {
    const look = mesh.materials?.[material];
    return { ...run, numbers: look && [...look.baseColor, look.roughness, look.metallic] };
  });
}
