import { describe, expect, it } from 'vitest';
import { InputError, NO_VERTEX, type TetMesh, tetMeshVolume, validateTetMesh } from '../src/index.ts';

const CORNER: TetMesh = {
  name: 'corner',
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tetrahedra: Uint32Array.of(0, 1, 2, 3),
  surface: Uint32Array.of(0, 1, 2, 3, 0, NO_VERTEX),
};

describe('tetrahedra', () => {
  it('are valid with shared and missing surface vertices', () => {
    expect(() => validateTetMesh(CORNER)).not.toThrow();
    expect(tetMeshVolume(CORNER)).toBeCloseTo(1 / 6, 15);
  });

  it('have a volume at other positions', () => {
    const doubled = CORNER.positions.map((value) => 2 * value);
    expect(tetMeshVolume(CORNER, doubled)).toBeCloseTo(8 / 6, 14);
  });

  it.each<[string, Partial<TetMesh>, RegExp]>([
    ['positions that are not triples', { positions: new Float32Array(11) }, /not a multiple of 3/],
    ['no tetrahedra', { tetrahedra: new Uint32Array(0) }, /not whole tetrahedra/],
    ['half a tetrahedron', { tetrahedra: Uint32Array.of(0, 1) }, /not whole tetrahedra/],
    ['an index beyond the vertices', { tetrahedra: Uint32Array.of(0, 1, 2, 4) }, /index 4 at 3/],
    ['an inverted tetrahedron', { tetrahedra: Uint32Array.of(0, 1, 3, 2) }, /tetrahedron 0 has the volume -0.16/],
    ['a flat tetrahedron', { tetrahedra: Uint32Array.of(0, 1, 2, 2) }, /tetrahedron 0 has the volume 0/],
    ['a position that is not finite', { positions: CORNER.positions.map((x, k) => (k === 4 ? Number.NaN : x)) }, /NaN/],
    ['a surface vertex that is carried by none', { surface: Uint32Array.of(7) }, /surface vertex 0 names vertex 7/],
  ])('are refused with %s', (_, change, message) => {
    const mesh = { ...CORNER, ...change };
    expect(() => validateTetMesh(mesh)).toThrow(InputError);
    expect(() => validateTetMesh(mesh)).toThrow(message);
  });
});
