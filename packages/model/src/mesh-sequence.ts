import { InputError } from './errors.ts';
import { type Mesh, validateMesh, vertexCount } from './mesh.ts';
import { requireFinite, requireLength, requireTimes } from './require.ts';

/** A mesh that moves: one connectivity, positions for every frame. What every fit starts from. */
export interface MeshSequence {
  readonly name: string;
  /** The rest pose, with the connectivity and the look of all frames. */
  readonly rest: Mesh;
  /** S × n × 3 positions, frame by frame */
  readonly frames: Float32Array;
  /** S seconds, strictly increasing, from 0 */
  readonly times: Float64Array;
}

/**
 * The number S of frames of a sequence.
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function frameCount(sequence: MeshSequence): number {
  return sequence.times.length;
}

/**
 * The n × 3 positions of frame t: a view into the sequence, not a copy.
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function frameAt(sequence: MeshSequence, t: number): Float32Array {
  const size = sequence.rest.positions.length;
  return sequence.frames.subarray(t * size, (t + 1) * size);
}

/**
 * The times of S frames at a constant rate, from 0, in seconds.
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function uniformTimes(frames: number, fps: number): Float64Array {
  return Float64Array.from({ length: frames }, (_, t) => t / fps);
}

/**
 * Throws `InputError` unless the rest mesh is valid and every frame has its vertices, finite, at increasing times.
 * @example
 * {@includeCode ../examples/sequence.ts}
 */
export function validateMeshSequence(sequence: MeshSequence): void {
  validateMesh(sequence.rest);
  const what = sequence.name ? `sequence '${sequence.name}'` : 'sequence';
  const n = vertexCount(sequence.rest);
  const S = frameCount(sequence);
  if (S === 0) throw new InputError(`${what}: no frames`);
  requireTimes(`${what}: times`, sequence.times);
  requireLength(`${what}: frames (${S} frames of ${n} vertices)`, sequence.frames, S * n * 3);
  requireFinite(`${what}: frames`, sequence.frames, 3);
}
