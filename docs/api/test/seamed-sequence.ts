import { frameAt, frameCount, gatherVertices, type MeshSequence, vertexCount } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';

/** A creature that walks, stored as a file with a UV seam stores it: vertices along z = 0 come twice. */
export function seamedSequence(): { sequence: MeshSequence; copies: ReadonlyMap<number, number> } {
  const { sequence } = creatureScene({ frames: 6, detail: 0.11 });
  const { rest, times } = sequence;
  const n = vertexCount(rest);
  const isBeyond = (triangle: number) =>
    [0, 1, 2].reduce((sum, corner) => sum + rest.positions[3 * rest.triangles[3 * triangle + corner] + 2], 0) > 0;
  const near = new Set(rest.triangles.filter((_, k) => !isBeyond(Math.floor(k / 3))));
  const copyOf = new Map<number, number>();
  const triangles = rest.triangles.map((vertex, k) => {
    if (!isBeyond(Math.floor(k / 3)) || !near.has(vertex)) return vertex;
    if (!copyOf.has(vertex)) copyOf.set(vertex, n + copyOf.size);
    return copyOf.get(vertex) as number;
  });
  const map = [...Array(n).keys(), ...copyOf.keys()];
  const frames = Array.from({ length: frameCount(sequence) }, (_, t) => [
    ...gatherVertices(frameAt(sequence, t), 3, map),
  ]);
  return {
    sequence: {
      name: 'creature',
      rest: { name: 'creature', positions: gatherVertices(rest.positions, 3, map), triangles },
      frames: Float32Array.from(frames.flat()),
      times,
    },
    copies: new Map([...copyOf].map(([original, copy]) => [copy, original])),
  };
}
