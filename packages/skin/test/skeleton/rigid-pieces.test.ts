/** Pieces of a strip that two bones move, one half each, with one vertex between them that both move. */
import { describe, expect, it } from 'vitest';
import { edgeGraph } from '../../src/shared/mesh/edge-graph.ts';
import { rigidMotion } from '../../src/skeleton/motion-subspace.ts';
import { rigidPieces, rigidResidual } from '../../src/skeleton/rigid-pieces.ts';
import { gather, type VertexMotion } from '../../src/skeleton/vertex-motion.ts';

/** Vertices 2k and 2k + 1 are at x = k, y = 0 and 1. Those with x > 2 turn about z at x = 2; those at 2 are blended. */
const rest = Array.from({ length: 10 }, (_, i) => [Math.floor(i / 2), i % 2, 0]);
const triangles = Uint32Array.from(
  Array.from({ length: 4 }, (_, k) => [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2]).flat(),
);

function motion(frames: number, bend: number): VertexMotion {
  const at = (t: number, i: number, d: number) => {
    const [x, y] = rest[i];
    const angle = bend * t;
    const turned = [
      2 + Math.cos(angle) * (x - 2) - Math.sin(angle) * y,
      Math.sin(angle) * (x - 2) + Math.cos(angle) * y,
      0,
    ];
    const weight = x < 2 ? 0 : x === 2 ? 0.5 : 1;
    return (1 - weight) * rest[i][d] + weight * turned[d];
  };
  return { frames, at, rounding: 1e-8 };
}

describe('rigidPieces', () => {
  const graph = edgeGraph(triangles, 10);

  it('finds what each bone moves alone', () => {
    const moving = motion(4, 0.3);
    const pieces = rigidPieces(moving, graph).map(({ vertices }) => [...vertices].sort((a, b) => a - b));
    expect(pieces).toEqual([
      [0, 1, 2, 3, 4],
      // The vertex that the second turns about is carried by both.
      [4, 6, 7, 8, 9],
    ]);
    for (const { vertices, ...whole } of rigidPieces(moving, graph)) {
      expect(rigidResidual(gather(moving, vertices), whole)).toBeLessThan(1e-9);
    }
  });

  it('takes a mesh that does not move as one piece, and none where all vertices are on a line', () => {
    expect(rigidPieces(motion(4, 0), graph)).toHaveLength(1);
    const line: VertexMotion = { frames: 2, at: (_, i, d) => (d === 0 ? i : 0), rounding: 1e-8 };
    expect(rigidPieces(line, graph)).toEqual([]);
  });

  it('measures how far a motion carries vertices from where they are', () => {
    const moving = motion(3, 0.3);
    const whole = rigidMotion(gather(moving, [6, 7, 8, 9]), [0, 1, 2, 3]);
    expect(rigidResidual(gather(moving, [0]), whole)).toBeGreaterThan(0.1);
  });
});
