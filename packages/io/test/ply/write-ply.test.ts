import { MATERIAL_DEFAULTS, type Mesh, validateMesh } from '@pelt/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlyEncoding } from '../../src/ply/ply-header.ts';
import { readPly } from '../../src/ply/read-ply.ts';
import { writePly } from '../../src/ply/write-ply.ts';
import { arbitraryMesh, cornerValues, expectClose, tetrahedron } from '../meshes.ts';

const ENCODINGS: PlyEncoding[] = ['ascii', 'binary_little_endian', 'binary_big_endian'];

describe('writePly', () => {
  it('writes a tetrahedron as one would by hand', () => {
    expect(new TextDecoder().decode(writePly(tetrahedron(), { encoding: 'ascii' }))).toBe(
      'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n' +
        'element face 4\nproperty list uchar int vertex_indices\nend_header\n' +
        '0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n',
    );
  });

  it.each(ENCODINGS)('gives every mesh back from %s', (encoding) => {
    const colors = fc.constantFrom('uchar' as const, 'float' as const);
    fc.assert(
      fc.property(arbitraryMesh({ cornerIndices: false, parts: false }), colors, (mesh, colorType) => {
        const back = readPly(writePly(mesh, { encoding, colors: colorType }));
        validateMesh(back);
        expect(back.positions).toEqual(mesh.positions);
        expect(back.triangles).toEqual(mesh.triangles);
        expect(back.normals).toEqual(mesh.normals);
        // 1 − v in float32, twice.
        expectClose(back.uvs?.values, mesh.uvs?.values, 6e-7);
        expect(back.colors?.size).toBe(mesh.colors?.size);
        expectClose(back.colors?.values, mesh.colors?.values, colorType === 'uchar' ? 0.005 : 1e-6);
      }),
    );
  });

  it.each(ENCODINGS)('keeps seams of UVs in %s', (encoding) => {
    fc.assert(
      fc.property(arbitraryMesh({ cornerIndices: true, parts: false }), (mesh) => {
        const back = readPly(writePly(mesh, { encoding }));
        validateMesh(back);
        expect(back.triangles).toEqual(mesh.triangles);
        expectClose(cornerValues(back.uvs, back), cornerValues(mesh.uvs, mesh), 6e-7);
      }),
    );
  });

  it('gives bytes of colours back as they were', () => {
    const values = Float32Array.from({ length: 12 }, (_, k) => k / 11);
    const once = readPly(writePly({ ...tetrahedron(), colors: { size: 3, values } }));
    const twice = readPly(writePly(once));
    expect(twice.colors).toEqual(once.colors);
  });

  it('says what has no place in the format', () => {
    const warnings: string[] = [];
    const normals = { size: 3 as const, values: Float32Array.of(1, 0, 0, 0, 1, 0), indices: new Uint32Array(12) };
    normals.indices[0] = 1;
    const mesh: Mesh = {
      ...tetrahedron(),
      normals,
      uvs2: { size: 2, values: new Float32Array(8) },
      materials: [MATERIAL_DEFAULTS],
    };
    const back = readPly(writePly(mesh, { name: 'a.ply', onWarning: (message) => warnings.push(message) }));
    expect(warnings).toEqual([
      "PLY 'a.ply': the second set of UVs has no place in the format and is left out",
      "PLY 'a.ply': materials have no place in the format and are left out",
      "PLY 'a.ply': 1 vertices on hard edges have several normals; the format keeps one, their mean",
    ]);
    // Vertex 0 has the corners (0, 1, 0), (1, 0, 0), (1, 0, 0): their mean, of unit length.
    expectClose(back.normals?.values.subarray(0, 3), [2 / Math.sqrt(5), 1 / Math.sqrt(5), 0], 1e-6);
  });
});
