import { type FrameReader, frameReader } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { ChunkedMesh } from '../../../src/decompose/chunks/chunked-mesh.ts';

const { sequence } = creatureScene({ frames: 2, detail: 0.06 });
const mesh = new ChunkedMesh(frameReader(sequence));

describe('ChunkedMesh', () => {
  it.each([1, 7, 100, 10_000])('puts every vertex into one chunk of %i', (size) => {
    const seen = new Int32Array(mesh.n);
    for (let from = 0; from < mesh.n; from += size) {
      const { vertices, owned } = mesh.chunk(from, Math.min(from + size, mesh.n), 2);
      expect(vertices.every((i, k) => k === 0 || i > vertices[k - 1])).toBe(true);
      vertices.forEach((i, k) => {
        seen[i] += owned[k];
      });
    }
    expect(seen.every((count) => count === 1)).toBe(true);
  });

  it('surrounds a chunk by all vertices within two edges, and no others', () => {
    const { starts, neighbours } = mesh.graph;
    const { vertices, owned, graph } = mesh.chunk(30, 60, 2);
    const around = new Set(vertices.filter((_, k) => owned[k] === 1));
    for (let ring = 0; ring < 2; ring++) {
      for (const i of [...around]) for (let e = starts[i]; e < starts[i + 1]; e++) around.add(neighbours[e]);
    }
    expect([...vertices]).toEqual([...around].sort((a, b) => a - b));
    // Those of the chunk have all of their neighbours, in the same order.
    vertices.forEach((i, k) => {
      if (owned[k] === 0) return;
      const own = Array.from(graph.neighbours.subarray(graph.starts[k], graph.starts[k + 1]), (l) => vertices[l]);
      expect(own).toEqual([...neighbours.subarray(starts[i], starts[i + 1])]);
    });
  });

  it('is compact whatever the order of the vertices: halos of ten chunks are smaller than the mesh', () => {
    const fine = new ChunkedMesh(shuffledSheet(80));
    const size = Math.floor(fine.n / 10);
    const total = Array.from({ length: 10 }, (_, k) => fine.chunk(k * size, (k + 1) * size, 2).vertices.length);
    expect(total.reduce((sum, count) => sum + count, 0)).toBeLessThan(1.8 * fine.n);
  });

  it('takes a mesh that rests in one point, and one without triangles', () => {
    const positions = new Float32Array(30);
    const frames = Float32Array.from({ length: 30 }, (_, k) => k);
    const rest = { name: '', positions, triangles: new Uint32Array(0) };
    const point = new ChunkedMesh(frameReader({ name: '', rest, frames, times: Float64Array.of(0) }));
    expect(point.n).toBe(10);
    expect([...point.chunk(2, 5, 2).vertices]).toEqual([2, 3, 4]);
  });
});

/** A square sheet of side × side vertices, which are numbered in steps through it. */
function shuffledSheet(side: number): FrameReader {
  const n = side * side;
  const number = (x: number, y: number) => (1009 * (side * y + x)) % n;
  const positions = new Float32Array(3 * n);
  const triangles: number[] = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      positions.set([x, y, 0], 3 * number(x, y));
      if (x === 0 || y === 0) continue;
      const [a, b, c, d] = [number(x - 1, y - 1), number(x, y - 1), number(x - 1, y), number(x, y)];
      triangles.push(a, b, d, a, d, c);
    }
  }
  const rest = { name: 'sheet', positions, triangles: Uint32Array.from(triangles) };
  return frameReader({ name: 'sheet', rest, frames: positions, times: Float64Array.of(0) });
}
