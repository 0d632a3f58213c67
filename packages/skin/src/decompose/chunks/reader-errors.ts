import {
  type Clip,
  checkCancelled,
  type FrameReader,
  poseAt,
  type Rig,
  type RunContext,
  SequenceErrorMeter,
  type SequenceErrors,
} from '@pelt/model';
import { deformLinear } from '../../shared/blending/linear.ts';

/** `linearSequenceErrors` of frames that are read one at a time. */
export function readerErrors(reader: FrameReader, rig: Rig, clip: Clip, context?: RunContext): SequenceErrors {
  const { rest, times } = reader;
  const meter = new SequenceErrorMeter(rest, times.length);
  const [truth, posed] = [new Float32Array(rest.positions.length), new Float32Array(rest.positions.length)];
  for (let t = 0; t < times.length; t++) {
    checkCancelled(context);
    reader.readFrame(t, truth);
    deformLinear(rig.mesh.positions, rig.weights, poseAt(clip, t, rig.bones.length).transforms, posed);
    meter.addFrame(truth, posed);
    context?.onProgress?.({ stage: 'measuring the error', fraction: (t + 1) / times.length });
  }
  return meter.result();
}
