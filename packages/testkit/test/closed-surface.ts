import type { Mesh } from '@pelt/model';

/** Throws unless every edge has one triangle on each side, and each vertex one fan: the surface is closed, oriented, manifold. */
export function expectClosedSurface({ positions, triangles }: Mesh): void {
  const n = positions.length / 3;
  const next = Array.from({ length: n }, () => new Map<number, number>());
  const edges = new Set<number>();
  for (let f = 0; f < triangles.length; f += 3) {
    for (let c = 0; c < 3; c++) {
      const [a, b, d] = [triangles[f + c], triangles[f + ((c + 1) % 3)], triangles[f + ((c + 2) % 3)]];
      if (edges.has(a * n + b)) throw new Error(`edge ${a}–${b} is used twice in one direction`);
      edges.add(a * n + b);
      next[a].set(b, d);
    }
  }
  for (const edge of edges) {
    const [a, b] = [Math.floor(edge / n), edge % n];
    if (!edges.has(b * n + a)) throw new Error(`edge ${a}–${b} has a triangle on one side only`);
  }
  next.forEach((fan, i) => {
    const [start] = fan.keys();
    let seen = 0;
    for (let k: number | undefined = start; k !== undefined && (seen === 0 || k !== start); k = fan.get(k)) seen++;
    if (seen !== fan.size) throw new Error(`vertex ${i} has more than one fan of triangles`);
  });
}

export function volumeOf(positions: Float32Array, triangles: Uint32Array): number {
  let volume = 0;
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [3 * triangles[f], 3 * triangles[f + 1], 3 * triangles[f + 2]];
    volume +=
      (positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
        positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
        positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c])) /
      6;
  }
  return volume;
}
