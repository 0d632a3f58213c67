import type { Mesh } from '@pelt/model';

export interface TubeOptions {
  readonly name: string;
  /** Along x, from 0. */
  readonly length: number;
  /** Rings of vertices from end to end, 2 or more. */
  readonly rings: number;
  /** Vertices in a ring, 3 or more. */
  readonly sides: number;
  /** Half axes of the section at x: y, z. */
  readonly section: (x: number) => readonly [number, number];
}

/** A closed tube along x: rings, and one vertex at the middle of each end. Faces outwards. */
export function tube({ name, length, rings, sides, section }: TubeOptions): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let r = 0; r < rings; r++) {
    const x = (length * r) / (rings - 1);
    const [ry, rz] = section(x);
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      positions.push(x, ry * Math.cos(angle), rz * Math.sin(angle));
    }
  }
  const near = rings * sides;
  positions.push(0, 0, 0, length, 0, 0);
  const last = (rings - 1) * sides;
  for (let k = 0; k < sides; k++) {
    const next = (k + 1) % sides;
    for (let r = 0; r + 1 < rings; r++) {
      const [a, b] = [r * sides + k, r * sides + next];
      triangles.push(a, b, a + sides, b, b + sides, a + sides);
    }
    triangles.push(near, next, k, near + 1, last + k, last + next);
  }
  return { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}
