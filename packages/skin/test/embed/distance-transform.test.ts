import { Random } from '@pelt/math';
import { expect, it } from 'vitest';
import { distanceTransform } from '../../src/embed/distance-transform.ts';

it('is 0 at marked cells, and counts cells along a line', () => {
  expect([...distanceTransform(Uint8Array.of(0, 0, 1, 0), [4, 1, 1])]).toEqual([4, 1, 0, 1]);
});

it('is the least of all squared distances', () => {
  const [nx, ny, nz] = [7, 5, 6];
  const random = new Random(3);
  const marked = Uint8Array.from({ length: nx * ny * nz }, () => (random.uniform() < 0.05 ? 1 : 0));
  marked[17] = 1;
  const found = distanceTransform(marked, [nx, ny, nz]);
  const at = (cell: number) => [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
  found.forEach((value, cell) => {
    let least = Number.POSITIVE_INFINITY;
    marked.forEach((mark, other) => {
      const [p, q] = [at(cell), at(other)];
      if (mark) least = Math.min(least, (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2);
    });
    expect(value).toBe(least);
  });
});
