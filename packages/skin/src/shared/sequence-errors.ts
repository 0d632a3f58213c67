import {
  type Clip,
  checkCancelled,
  frameAt,
  frameCount,
  type MeshSequence,
  poseAt,
  type Rig,
  type RunContext,
  SequenceErrorMeter,
  type SequenceErrors,
} from '@pelt/model';
import { deformLinear } from './blending/linear.ts';

/** A sequence and a rig whose clip plays its frames. */
export interface PlayedSequence {
  readonly sequence: MeshSequence;
  readonly rig: Rig;
  readonly clip: Clip;
}

/**
 * Every metric between a sequence and the linear blending of a rig that plays the same frames. The rig is evaluated as
 * it will be exported, float32 weights and rest pose included.
 */
export function linearSequenceErrors({ sequence, rig, clip }: PlayedSequence, context?: RunContext): SequenceErrors {
  const errors = new SequenceErrorMeter(sequence.rest, frameCount(sequence));
  const posed = new Float32Array(sequence.rest.positions.length);
  for (let t = 0; t < frameCount(sequence); t++) {
    checkCancelled(context);
    deformLinear(rig.mesh.positions, rig.weights, poseAt(clip, t, rig.bones.length).transforms, posed);
    errors.addFrame(frameAt(sequence, t), posed);
  }
  return errors.result();
}
