import { type Mesh, type MeshSequence, uniformTimes } from '@pelt/model';

export type Motion = (t: number) => {
  /** Radians about z, through the box's own corner. */
  readonly turn: number;
  readonly move: readonly [number, number, number];
};

export interface BoxOptions {
  /** Quads along an edge. */
  readonly detail?: number;
  readonly scale?: number;
  readonly offset?: number;
}

/**
 * Unit boxes, each a shell of its own, three apart along x, and each moved rigidly: what a search for rigid parts should
 * find. Vertices of box b are those from b · (vertices of one box).
 */
export function movingBoxes(S: number, motions: readonly Motion[], options: BoxOptions = {}): MeshSequence {
  const { detail = 2, scale = 1, offset = 0 } = options;
  const box = boxSurface(detail);
  const count = box.positions.length;
  const place = (value: number) => offset + scale * value;
  const rest: Mesh = {
    name: 'boxes',
    positions: Float32Array.from({ length: count * motions.length }, (_, k) =>
      place(box.positions[k % count] + (k % 3 === 0 ? 3 * Math.floor(k / count) : 0)),
    ),
    triangles: Uint32Array.from({ length: box.triangles.length * motions.length }, (_, k) => {
      const shell = Math.floor(k / box.triangles.length);
      return box.triangles[k % box.triangles.length] + (shell * count) / 3;
    }),
  };
  const frames = new Float32Array(S * rest.positions.length);
  for (let t = 0; t < S; t++) {
    motions.forEach((motion, b) => {
      const { turn, move } = motion(t);
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      for (let k = 0; k < count; k += 3) {
        const [x, y, z] = box.positions.slice(k, k + 3);
        const at = t * rest.positions.length + b * count + k;
        frames[at] = place(3 * b + c * x - s * y + move[0]);
        frames[at + 1] = place(s * x + c * y + move[1]);
        frames[at + 2] = place(z + move[2]);
      }
    });
  }
  return { name: 'boxes', rest, frames, times: uniformTimes(S, 24) };
}

/** The surface of a unit box, `detail` quads along an edge, with vertices shared between its sides. */
function boxSurface(detail: number): { positions: number[]; triangles: number[] } {
  const positions: number[] = [];
  const triangles: number[] = [];
  const index = new Map<string, number>();
  const vertex = (x: number, y: number, z: number) => {
    const key = `${x} ${y} ${z}`;
    let found = index.get(key);
    if (found === undefined) {
      found = positions.length / 3;
      index.set(key, found);
      positions.push(x / detail, y / detail, z / detail);
    }
    return found;
  };
  for (const [axis, side] of [0, 1, 2].flatMap((a) => [
    [a, 0],
    [a, detail],
  ])) {
    const corner = (u: number, v: number) => {
      const p = [0, 0, 0];
      p[axis] = side;
      p[(axis + 1) % 3] = u;
      p[(axis + 2) % 3] = v;
      return vertex(p[0], p[1], p[2]);
    };
    for (let u = 0; u < detail; u++) {
      for (let v = 0; v < detail; v++) {
        const [a, b, c, d] = [corner(u, v), corner(u + 1, v), corner(u + 1, v + 1), corner(u, v + 1)];
        triangles.push(...(side === 0 ? [a, c, b, a, d, c] : [a, b, c, a, c, d]));
      }
    }
  }
  return { positions, triangles };
}
