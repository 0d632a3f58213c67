import {
  type Clip,
  checkCancelled,
  frameAt,
  frameCount,
  InputError,
  type MeshSequence,
  poseAt,
  type Rig,
  type RunContext,
  SequenceErrorMeter,
  type SequenceErrors,
  vertexCount,
} from '@pelt/model';
import { deformLinear } from './blending/linear.ts';

/** A sequence of S frames and n vertices, and a rig of n vertices whose clip plays these frames. */
export interface PlayedSequence {
  readonly sequence: MeshSequence;
  readonly rig: Rig;
  readonly clip: Clip;
}

/**
 * All error metrics between a sequence and a rig played by linear blend skinning. The rig is evaluated as it will be
 * exported, with its float32 weights and rest pose.
 *
 * @param data     S frames of n vertices, and a rig of n vertices with a clip of S frames
 * @param context  for cancelling
 *
 * @example
 * {@includeCode ../../examples/linear-sequence-errors.ts}
 */
export function linearSequenceErrors(data: PlayedSequence, context?: RunContext): SequenceErrors {
  requirePlayed('linearSequenceErrors', data);
  const { sequence, rig, clip } = data;
  const errors = new SequenceErrorMeter(sequence.rest, frameCount(sequence));
  const posed = new Float32Array(sequence.rest.positions.length);
  for (let t = 0; t < frameCount(sequence); t++) {
    checkCancelled(context);
    deformLinear(rig.mesh.positions, rig.weights, poseAt(clip, t, rig.bones.length).transforms, posed);
    errors.addFrame(frameAt(sequence, t), posed);
  }
  return errors.result();
}

/** Throws `InputError` unless rig and clip have the vertices and frames of the sequence. */
export function requirePlayed(owner: string, { sequence, rig, clip }: PlayedSequence): void {
  const [n, S] = [vertexCount(sequence.rest), frameCount(sequence)];
  if (vertexCount(rig.mesh) === n && clip.times.length === S) return;
  throw new InputError(
    `${owner}: the rig has ${vertexCount(rig.mesh)} vertices and ${clip.times.length} frames, ` +
      `the sequence ${n} and ${S}; they must be the same`,
  );
}
