import { Random } from '@pelt/math';

/** A bar of cells × 2 × 2 cubes of six tetrahedra each, jittered, along x. */
export function bar(cells: number, scale = 1): { rest: Float64Array; tetrahedra: Uint32Array; ends: Uint32Array } {
  const random = new Random(5);
  const id = (x: number, y: number, z: number) => (x * 3 + y) * 3 + z;
  const rest: number[] = [];
  for (let x = 0; x <= cells; x++) {
    for (let y = 0; y < 3; y++) {
      for (let z = 0; z < 3; z++) {
        for (const value of [x, y, z]) rest.push(scale * (value + 0.2 * (random.uniform() - 0.5)));
      }
    }
  }
  const tetrahedra: number[] = [];
  for (let x = 0; x < cells; x++) {
    for (let y = 0; y < 2; y++) {
      for (let z = 0; z < 2; z++) {
        for (const [p, q, odd] of [
          [0, 1, 0],
          [0, 2, 1],
          [1, 0, 1],
          [1, 2, 0],
          [2, 0, 0],
          [2, 1, 1],
        ]) {
          const walk = [x, y, z];
          const corners = [id(x, y, z)];
          for (const axis of [p, q, 3 - p - q]) {
            walk[axis]++;
            corners.push(id(walk[0], walk[1], walk[2]));
          }
          if (odd) [corners[2], corners[3]] = [corners[3], corners[2]];
          tetrahedra.push(...corners);
        }
      }
    }
  }
  const ends = [...Array(9).keys()].flatMap((k) => [k, 9 * cells + k]);
  return { rest: Float64Array.from(rest), tetrahedra: Uint32Array.from(tetrahedra), ends: Uint32Array.from(ends) };
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k] - b[k]));
  return most;
}
