/** Meshes for round trips: small, generated, with every attribute that a format may carry. */
import { type CornerAttribute, MATERIAL_DEFAULTS, type Material, type Mesh, type MeshSequence } from '@pelt/model';
import fc from 'fast-check';
import { expect } from 'vitest';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const LARGEST = Math.fround(1e30);

/** A finite float32 of any size that a model may have, and both zeros. */
export const coordinate = fc.float({ min: -LARGEST, max: LARGEST, noNaN: true });

function floats(count: number, value: fc.Arbitrary<number>): fc.Arbitrary<Float32Array> {
  return fc.array(value, { minLength: count, maxLength: count }).map((values) => Float32Array.from(values));
}

function indices(length: number, count: number): fc.Arbitrary<Uint32Array> {
  return fc
    .array(fc.nat({ max: count - 1 }), { minLength: length, maxLength: length })
    .map((values) => Uint32Array.from(values));
}

/** An attribute of `size` numbers; where `cornerIndices`, with an index of its own. */
function attribute(
  size: 2 | 3 | 4,
  value: fc.Arbitrary<number>,
  vertices: number,
  corners: number,
  cornerIndices: boolean,
): fc.Arbitrary<CornerAttribute | undefined> {
  const ofVertices = floats(vertices * size, value).map((values): CornerAttribute => ({ size, values }));
  const ofCorners = fc
    .nat({ max: 6 })
    .chain((extra) =>
      fc
        .tuple(floats((extra + 1) * size, value), indices(corners, extra + 1))
        .map(([values, own]): CornerAttribute => ({ size, values, indices: own })),
    );
  return fc.option(cornerIndices ? fc.oneof(ofVertices, ofCorners) : ofVertices, { nil: undefined });
}

const share = fc.float({ min: 0, max: 1, noNaN: true });
const tileUv = fc.float({ min: -4, max: 4, noNaN: true });
const materialName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });

const material: fc.Arbitrary<Material> = fc
  .record({ name: materialName, color: fc.tuple(share, share, share), roughness: share, metallic: share })
  .map(({ name, color, roughness, metallic }) => ({
    ...MATERIAL_DEFAULTS,
    name,
    baseColor: [...color, 1] as const,
    roughness,
    metallic,
  }));

export interface MeshShape {
  readonly cornerIndices: boolean;
  readonly parts: boolean;
}

/** At least one vertex and one triangle, which may well be degenerate. */
export function arbitraryMesh({ cornerIndices, parts }: MeshShape): fc.Arbitrary<Mesh> {
  return fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 8 })).chain(([n, f]) =>
    fc
      .record({
        positions: floats(n * 3, coordinate),
        triangles: indices(f * 3, n),
        normals: attribute(3, fc.float({ min: -1, max: 1, noNaN: true }), n, f * 3, cornerIndices),
        uvs: attribute(2, tileUv, n, f * 3, cornerIndices),
        colors: fc.oneof(attribute(3, share, n, f * 3, false), attribute(4, share, n, f * 3, false)),
        cuts: parts ? fc.uniqueArray(fc.integer({ min: 1, max: f }), { maxLength: 3 }) : fc.constant<number[]>([]),
        looks: fc.array(material, { minLength: 1, maxLength: 3 }),
        names: fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { minLength: 4, maxLength: 4 }),
      })
      .map(({ cuts, looks, names, ...mesh }) => {
        if (!parts) return { name: '', ...mesh };
        const ends = [...new Set([...cuts, f])].sort((a, b) => a - b);
        const runs = ends.map((end, k) => {
          const firstTriangle = k === 0 ? 0 : ends[k - 1];
          const name = names[k];
          return { name, firstTriangle, triangleCount: end - firstTriangle, material: (k % (looks.length + 1)) - 1 };
        });
        return { name: '', ...mesh, parts: runs, materials: looks };
      }),
  );
}

/** Values of every corner, with the attribute's own index or the triangles'. */
export function cornerValues(attribute: CornerAttribute | undefined, mesh: Mesh): number[] | undefined {
  if (!attribute) return undefined;
  const { size, values } = attribute;
  return [...(attribute.indices ?? mesh.triangles)].flatMap((k) => [...values.subarray(k * size, k * size + size)]);
}

/** Each number within `tolerance` of its partner, absolutely or as a share of it, whichever allows more. */
export function expectClose(
  actual: ArrayLike<number> | undefined,
  expected: ArrayLike<number> | undefined,
  tolerance: number,
): void {
  expect(actual?.length).toBe(expected?.length);
  for (let k = 0; actual && expected && k < expected.length; k++) {
    const allowed = tolerance * Math.max(1, Math.abs(expected[k]));
    if (!(Math.abs(actual[k] - expected[k]) <= allowed)) expect([k, actual[k]]).toEqual([k, expected[k]]);
  }
}

/** A tetrahedron with outward faces: the smallest closed mesh. */
export function tetrahedron(): Mesh {
  return {
    name: 'tetrahedron',
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
  };
}

/** A sequence of a tetrahedron with frames of any positions, at the given times. */
export function tetrahedronSequence(times: readonly number[], frames: Float32Array): MeshSequence {
  return { name: 'tetrahedron', rest: tetrahedron(), frames, times: Float64Array.from(times) };
}
