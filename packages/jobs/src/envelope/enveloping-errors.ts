/** The enveloping error of a learnt skin on frames of its examples. */
import { envelopingError, gatherVertices, TRANSFORM_SIZE, weldSequence } from '@pelt/model';
import type { Examples } from './encode-envelope.ts';
import type { LearntSkin } from './learn-skin.ts';

/** Enveloping error in per cent, over the frames and over the vertices. */
export interface EnvelopeErrors {
  readonly error: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Beside the best single bone of the given skeleton, whatever bones the skin has. */
export function errorsAt(
  deform: LearntSkin['deform'],
  { rig, sequence: given, clip }: Examples,
  chosen: readonly number[],
): EnvelopeErrors {
  // A vertex on a seam counts once.
  const { sequence, first } = weldSequence(given);
  const { frames, rest } = sequence;
  const posed = new Float32Array(given.rest.positions.length);
  const size = rest.positions.length;
  const m = rig.bones.length * TRANSFORM_SIZE;
  const transforms = new Float64Array(chosen.length * m);
  const [truth, predicted] = [new Float32Array(chosen.length * size), new Float32Array(chosen.length * size)];
  chosen.forEach((t, k) => {
    const pose = clip.transforms.subarray(t * m, (t + 1) * m);
    transforms.set(pose, k * m);
    truth.set(frames.subarray(t * size, (t + 1) * size), k * size);
    deform(pose, posed, t);
    predicted.set(gatherVertices(posed, 3, first), k * size);
  });
  const { error, median, p95, max } = envelopingError(rest.positions, transforms, truth, predicted);
  return { error: 100 * error, median: 100 * median, p95: 100 * p95, max: 100 * max };
}
