import type { Mesh } from './mesh.ts';
import { frameAt, type MeshSequence } from './mesh-sequence.ts';

/** An animation whose frames are read when they are asked for, so that it may be larger than memory. */
export interface FrameReader {
  readonly rest: Mesh;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
  /**
   * @param t         frame number, 0 to S − 1
   * @param out       n × 3 positions, or m × 3 if `vertices` is given; overwritten
   * @param vertices  m vertex indices; absent: all vertices
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void;
}

/**
 * Reads the frames of a sequence that is in memory, for functions that take a reader.
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function frameReader(sequence: MeshSequence): FrameReader {
  const { rest, times } = sequence;
  return {
    rest,
    times,
    readFrame: (t, out, vertices) => {
      const frame = frameAt(sequence, t);
      if (!vertices) out.set(frame);
      for (let k = 0; vertices && k < vertices.length; k++) {
        for (let d = 0; d < 3; d++) out[3 * k + d] = frame[3 * vertices[k] + d];
      }
    },
  };
}
