/**
 * Several clips of one mesh as one sequence, so that one set of bones and weights is fitted to all of them; the fitted
 * motion is then split into clips again, each with its own name and times.
 */
import { type Clip, frameCount, InputError, type MeshSequence, TRANSFORM_SIZE, vertexCount } from '@pelt/model';

/** Sequences of one mesh as one, and the way back. */
export interface ConcatenatedSequences {
  readonly sequence: MeshSequence;
  /** Splits the clip of a fit to the whole sequence into one clip per input sequence, in their order. */
  split(clip: Clip): Clip[];
}

/**
 * Joins sequences of one mesh. The rest pose is that of the first sequence; the others must have its vertices and
 * triangles.
 *
 * @param sequences  at least one
 *
 * @example
 * {@includeCode ../../examples/concatenate-sequences.ts}
 */
export function concatenateSequences(sequences: readonly MeshSequence[]): ConcatenatedSequences {
  const [first] = sequences;
  if (!first) throw new InputError('concatenateSequences: no sequences; give at least one');
  for (const other of sequences.slice(1)) requireSameMesh(first, other);
  const S = sequences.reduce((sum, sequence) => sum + frameCount(sequence), 0);
  const frames = new Float32Array(S * first.rest.positions.length);
  let at = 0;
  for (const sequence of sequences) {
    frames.set(sequence.frames, at);
    at += sequence.frames.length;
  }
  // Times only have to increase: each clip gets its own back.
  const times = Float64Array.from({ length: S }, (_, t) => t);
  return {
    sequence: { ...first, frames, times },
    split: (clip) => {
      const frameSize = clip.transforms.length / S;
      if (frameSize % TRANSFORM_SIZE !== 0)
        throw new InputError(`concatenateSequences: the clip must have the ${S} frames of all sequences`);
      let from = 0;
      return sequences.map(({ name, times: own }) => {
        const transforms = clip.transforms.slice(from * frameSize, (from + own.length) * frameSize);
        from += own.length;
        return { name, times: own, transforms };
      });
    },
  };
}

function requireSameMesh(first: MeshSequence, other: MeshSequence): void {
  const [a, b] = [first.rest, other.rest];
  if (vertexCount(a) !== vertexCount(b)) {
    throw new InputError(
      `clip '${other.name}' has ${vertexCount(b)} vertices, clip '${first.name}' ${vertexCount(a)}; ` +
        'clips of one rig must share one mesh',
    );
  }
  if (a.triangles.length !== b.triangles.length || a.triangles.some((index, k) => index !== b.triangles[k])) {
    throw new InputError(
      `clip '${other.name}' has different triangles from clip '${first.name}'; export them from one mesh`,
    );
  }
}
