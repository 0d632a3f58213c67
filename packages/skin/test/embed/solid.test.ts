import { InputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { solidOfField, solidOfMesh } from '../../src/embed/solid.ts';

/** A box from 0 to its sides; counter-clockwise from outside. */
function box(sides: readonly number[], from = 0): { positions: Float64Array; triangles: Uint32Array } {
  const positions = Float64Array.from({ length: 24 }, (_, k) => (((k / 3) >> (k % 3)) & 1) * sides[k % 3]);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const triangles = Uint32Array.from(quads.slice(from).flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
  return { positions, triangles };
}

const volume = ({ spacing, depth }: ReturnType<typeof solidOfMesh>) => depth.length * spacing ** 3;

describe('solidOfMesh', () => {
  it('has the volume and the depth of a box', () => {
    const { positions, triangles } = box([1, 2, 3]);
    const solid = solidOfMesh(positions, triangles);
    expect(volume(solid) / 6).toBeGreaterThan(0.9);
    expect(volume(solid) / 6).toBeLessThan(1.1);
    const deepest = solid.depth.reduce((a, b) => Math.max(a, b));
    expect(Math.abs(deepest - 0.5)).toBeLessThan(solid.spacing);
  });

  it('fills a box without a lid', () => {
    const { positions, triangles } = box([1, 2, 3], 1);
    expect(volume(solidOfMesh(positions, triangles))).toBeGreaterThan(5);
  });

  it('is the same at any size', () => {
    const one = solidOfMesh(...parts(box([1, 2, 3])));
    const large = solidOfMesh(...parts(box([1e6, 2e6, 3e6])));
    expect(large.neighbours.length).toBe(one.neighbours.length);
    expect(large.neighbours.every((cell, k) => cell === one.neighbours[k])).toBe(true);
  });

  it('refuses what encloses nothing', () => {
    const plane = box([1, 1, 0], 5);
    expect(() => solidOfMesh(plane.positions, plane.triangles)).toThrow(InputError);
    expect(() => solidOfMesh(new Float64Array(9), Uint32Array.of(0, 1, 2))).toThrow(/encloses no volume/);
    expect(() => solidOfMesh(new Float64Array(0), new Uint32Array(0))).toThrow(InputError);
  });
});

it('fills a ball that is given as a function', () => {
  const bounds = { min: [-1, -1, -1], max: [1, 1, 1] } as const;
  const ball = solidOfField((x, y, z) => Math.hypot(x, y, z) - 1, { min: [...bounds.min], max: [...bounds.max] }, 5000);
  expect(volume(ball) / ((4 * Math.PI) / 3)).toBeCloseTo(1, 1);
});

function parts({ positions, triangles }: ReturnType<typeof box>): [Float64Array, Uint32Array] {
  return [positions, triangles];
}
