/** Trajectories of vertices in units of a problem, over the rest pose, as frame 0, and chosen frames. */
import type { MeshSequence } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import type { PatchMotion } from './motion-subspace.ts';

export interface VertexMotion {
  /** Chosen frames and the rest pose. */
  readonly frames: number;
  at(t: number, i: number, d: number): number;
  /** Standard deviation of the rounding of a coordinate, at most. */
  readonly rounding: number;
}

/** @param chosen  frames of the sequence */
export function vertexMotion(
  { prepared }: Pick<FitProblem, 'prepared'>,
  { rest, frames }: MeshSequence,
  chosen: Int32Array,
): VertexMotion {
  const { centre, centres, radius } = prepared.space;
  const width = rest.positions.length;
  let largest = 0;
  for (const t of chosen) {
    for (let k = t * width; k < (t + 1) * width; k++) largest = Math.max(largest, Math.abs(frames[k]));
  }
  return {
    frames: chosen.length + 1,
    at: (t, i, d) => {
      if (t === 0) return (rest.positions[3 * i + d] - centre[d]) / radius;
      const frame = chosen[t - 1];
      return (frames[frame * width + 3 * i + d] - centres[frame][d]) / radius;
    },
    rounding: (2 ** -24 * largest) / radius,
  };
}

/** The motion of some vertices. */
export function gather({ frames, at }: VertexMotion, vertices: readonly number[]): PatchMotion {
  const size = vertices.length;
  const positions = new Float64Array(3 * frames * size);
  for (let t = 0; t < frames; t++) {
    for (let d = 0; d < 3; d++) {
      for (let a = 0; a < size; a++) positions[(3 * t + d) * size + a] = at(t, vertices[a], d);
    }
  }
  return { size, positions };
}
