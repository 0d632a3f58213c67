/**
 * Several clips of one mesh as one sequence, so that one set of bones and weights is fitted to all of them, and back:
 * the fitted motion cut into clips again, each with its own name and times.
 */
import { type Clip, frameCount, InputError, type MeshSequence, TRANSFORM_SIZE, vertexCount } from '@pelt/model';

export interface ConcatenatedSequences {
  readonly sequence: MeshSequence;
  /** The clips of a fit to the whole, in the order of the sequences. */
  split(clip: Clip): Clip[];
}

/** The rest pose is the first sequence's; the others must have its vertices and triangles. */
export function concatenateSequences(sequences: readonly MeshSequence[]): ConcatenatedSequences {
  const [first] = sequences;
  if (!first) throw new InputError('concatenate: there are no clips');
  for (const other of sequences.slice(1)) requireSameMesh(first, other);
  const S = sequences.reduce((sum, sequence) => sum + frameCount(sequence), 0);
  const frames = new Float32Array(S * first.rest.positions.length);
  let at = 0;
  for (const sequence of sequences) {
    frames.set(sequence.frames, at);
    at += sequence.frames.length;
  }
  // Times only have to rise: each clip gets its own back.
  const times = Float64Array.from({ length: S }, (_, t) => t);
  return {
    sequence: { ...first, frames, times },
    split: (clip) => {
      const frameSize = clip.transforms.length / S;
      if (frameSize % TRANSFORM_SIZE !== 0)
        throw new InputError(`concatenate: the clip has not the ${S} frames of all`);
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
        'clips of one rig share one mesh',
    );
  }
  if (a.triangles.length !== b.triangles.length || a.triangles.some((index, k) => index !== b.triangles[k])) {
    throw new InputError(
      `clip '${other.name}' has other triangles than clip '${first.name}'; export them from one mesh`,
    );
  }
}
