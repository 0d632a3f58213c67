import { gatherVertices, gatherWeights } from '@pelt/model';
import type { Scene } from '@pelt/testkit';

/**
 * A scene with every vertex twice, as a file with a seam everywhere would have it: vertex 2i and 2i + 1 were vertex i.
 * Triangles take the copies in turn.
 */
export function withSeams({ sequence, rig, clip }: Scene): Scene {
  const n = rig.mesh.positions.length / 3;
  const map = Uint32Array.from({ length: 2 * n }, (_, k) => k >> 1);
  const triangles = rig.mesh.triangles.map((i, corner) => 2 * i + (Math.floor(corner / 3) % 2));
  const mesh = { name: rig.mesh.name, positions: gatherVertices(rig.mesh.positions, 3, map), triangles };
  const frames = Float32Array.from(
    Array.from(sequence.times.keys()).flatMap((t) => [
      ...gatherVertices(sequence.frames.subarray(3 * n * t, 3 * n * (t + 1)), 3, map),
    ]),
  );
  return {
    sequence: { ...sequence, rest: mesh, frames },
    rig: { ...rig, mesh, weights: gatherWeights(rig.weights, map) },
    clip,
  };
}
