import { type CornerAttribute, type Mesh, type MeshSequence, UsageError, validateMeshSequence } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameMeshes } from '../../src/frame-meshes.ts';
import { openAlembic, readAlembicSequence, sourceOfBytes, writeAlembic } from '../../src/index.ts';
import { smoothNormals } from '../../src/smooth-normals.ts';
import { arbitraryMesh, coordinate, tetrahedron, tetrahedronSequence } from '../meshes.ts';
import { openBytes } from './scene.ts';

const roundTrip = (sequence: MeshSequence) => readAlembicSequence(openBytes(writeAlembic(sequence)));

/** What each corner has, whatever the indices. */
const cornerValues = (mesh: Mesh, { size, values, indices }: CornerAttribute) =>
  Array.from(indices ?? mesh.triangles, (k) => [...values.subarray(k * size, (k + 1) * size)]);

describe('writeAlembic', () => {
  it('gives every sequence of positions back to the bit', () => {
    const frame = fc.array(coordinate, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 6 }), fc.constantFrom(24, 30, 60), (all, fps) => {
        const distinct = all.map((values, t) => values.map((value, k) => (k === 0 ? t : value)));
        const sequence = tetrahedronSequence(
          all.map((_, t) => t / fps),
          Float32Array.from(distinct.flat()),
        );
        const back = roundTrip(sequence);
        validateMeshSequence(back);
        expect(back.frames).toEqual(sequence.frames);
        expect(back.rest.triangles).toEqual(sequence.rest.triangles);
        back.times.forEach((time, t) => {
          expect(time).toBeCloseTo(t / fps, 12);
        });
      }),
    );
  });

  it('gives every mesh back: triangles, UVs, normals and parts', () => {
    fc.assert(
      fc.property(arbitraryMesh({ cornerIndices: true, parts: true }), (mesh) => {
        const sequence = { name: 's', rest: mesh, frames: mesh.positions, times: Float64Array.of(0) };
        const { rest } = roundTrip(sequence);
        expect(rest.positions).toEqual(mesh.positions);
        expect(rest.triangles).toEqual(mesh.triangles);
        expect(rest.parts?.map(({ triangleCount }) => triangleCount)).toEqual(
          mesh.parts?.map(({ triangleCount }) => triangleCount),
        );
        expect(rest.normals && cornerValues(rest, rest.normals)).toEqual(
          mesh.normals && cornerValues(mesh, mesh.normals),
        );
        // v is written upwards, which costs the digits of 1 − v.
        const uvs = mesh.uvs && cornerValues(mesh, mesh.uvs).map((uv) => uv.map((value) => expect.closeTo(value, 6)));
        expect(rest.uvs && cornerValues(rest, rest.uvs)).toEqual(uvs);
      }),
    );
  });

  it.each([false, true])('turns normals with the surface (of corners: %s)', (ofCorners) => {
    const { sequence } = elbowScene({ frames: 4, rings: 9, sides: 6 });
    const { rest } = sequence;
    const values = smoothNormals(rest.positions, rest.triangles);
    const normals: CornerAttribute = { size: 3, values, ...(ofCorners && { indices: rest.triangles.slice() }) };
    const withNormals = { ...sequence, rest: { ...rest, normals } };
    const frames = new FrameMeshes(withNormals);
    const archive = openBytes(writeAlembic(withNormals));
    const schema = archive.meshes[0].content.object.schema;
    const samples = ofCorners ? schema?.compound('N')?.sampled('.vals') : schema?.sampled('N');
    // The first frame of this scene is its rest pose.
    const back = readAlembicSequence(archive);
    expect(back.rest.normals && cornerValues(back.rest, back.rest.normals)).toEqual(cornerValues(rest, normals));
    expect(samples?.samples).toBe(4);
    for (let t = 1; t < 4; t++) expect(samples?.float32(t)).toEqual(frames.at(t).normals?.values);
    expect(samples?.float32(3)).not.toEqual(samples?.float32(0));
  });

  it('writes the same bytes for the same sequence', () => {
    const sequence = tetrahedronSequence([0, 1], new Float32Array(24).fill(1));
    expect(writeAlembic(sequence)).toEqual(writeAlembic(sequence));
  });

  it('keeps times that are not even', () => {
    const frames = Float32Array.from({ length: 48 }, (_, k) => k);
    const times = [0, 0.1, 0.5, 0.55];
    expect([...roundTrip(tetrahedronSequence(times, frames)).times]).toEqual(times);
  });

  it('names the mesh, its transform and its parts', () => {
    const part = (name: string, firstTriangle: number) => ({ name, firstTriangle, triangleCount: 1, material: -1 });
    const rest = { ...tetrahedron(), name: 'a/b', parts: [part('x', 0), part('x', 1), part('', 2), part('p/q', 3)] };
    const sequence = { name: 's', rest, frames: rest.positions, times: Float64Array.of(0) };
    const archive = openBytes(writeAlembic(sequence));
    expect(archive.meshes.map(({ path, faceSets }) => [path, faceSets])).toEqual([
      ['/a_b/a_b', ['x', 'x_2', 'part2', 'p_q']],
    ]);
    expect(openBytes(writeAlembic(sequence, { name: 'own' })).meshes[0].path).toBe('/own/own');
    expect(openBytes(writeAlembic({ ...sequence, name: '', rest: { ...rest, name: '' } })).meshes[0].path).toBe(
      '/mesh/mesh',
    );
    expect(archive.application).toBe('pelt');
  });

  it('takes points without faces', () => {
    const rest = { name: 'p', positions: Float32Array.of(1, 2, 3), triangles: new Uint32Array(0) };
    const { rest: back } = roundTrip({ name: 'p', rest, frames: rest.positions, times: Float64Array.of(0) });
    expect([...back.positions]).toEqual([1, 2, 3]);
    expect(back.triangles.length).toBe(0);
  });

  it('refuses what is not a sequence, and options that it does not know', () => {
    const sequence = tetrahedronSequence([0, 1], new Float32Array(24));
    expect(() => writeAlembic({ ...sequence, frames: new Float32Array(5) })).toThrow('length 5, expected 24');
    expect(() => writeAlembic(sequence, { fps: 24 } as object)).toThrow(UsageError);
    expect(() => openAlembic(sourceOfBytes(writeAlembic(sequence)), { label: 'x' } as object)).toThrow(UsageError);
  });
});
