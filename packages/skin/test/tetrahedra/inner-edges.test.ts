import { cylinder } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { WindingNumber } from '../../src/shared/mesh/winding-number.ts';
import { innerEdges } from '../../src/tetrahedra/inner-edges.ts';
import { tetrahedralize } from '../../src/tetrahedra/tetrahedralize.ts';
import { vertexMeasures } from '../../src/tetrahedra/vertex-measures.ts';
import { sphere } from '../volume/shapes.ts';

/** Wanted edge lengths, in lengths of the surface's own edges. */
function sharesOf({ positions, triangles }: { positions: Float32Array; triangles: Uint32Array }): number[] {
  const places = Float64Array.from(positions);
  const measures = vertexMeasures(places, triangles);
  const edges = innerEdges(places, measures, new WindingNumber(places, triangles));
  return [...edges].map((edge, i) => edge / measures.sizes[i]);
}

describe('inner edges', () => {
  it('are as long as those of a surface that is far from its other side', () => {
    expect(new Set(sharesOf(sphere(3)))).toEqual(new Set([1]));
  });

  it('are half as long in a plate of two of its edges, and no shorter in a thinner one', () => {
    const plate = (thick: number) => {
      const mesh = sphere(3);
      return { ...mesh, positions: mesh.positions.map((value, k) => (k % 3 === 2 ? thick * value : value)) };
    };
    for (const thick of [0.15, 0.02]) {
      const shares = sharesOf(plate(thick));
      expect(Math.min(...shares)).toBe(0.5);
      expect(shares.filter((share) => share === 0.5).length).toBeGreaterThan(0.5 * shares.length);
    }
  });

  it('put more than a line of points into a tube of eight sides', () => {
    const { mesh } = cylinder({ sides: 8 });
    const { mesh: body } = tetrahedralize(mesh);
    const off = [];
    for (let k = mesh.positions.length; k < body.positions.length; k += 3) {
      off.push(Math.hypot(body.positions[k + 1], body.positions[k + 2]));
    }
    expect(off.filter((distance) => distance > 0.2).length).toBeGreaterThan(20);
  });
});
