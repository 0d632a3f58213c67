import {
  type Clip,
  checkCancelled,
  type FrameReader,
  type Mesh,
  poseAt,
  type Rig,
  type RunContext,
  SequenceErrorMeter,
  type SequenceErrors,
} from '@pelt/model';
import { deformLinear } from '../../shared/blending/linear.ts';
import type { RestPose } from '../options.ts';
import { type RestDisplacement, restDisplacement } from '../rest-displacement.ts';

/** Share of the limit of a near rest pose that is used: rounding to float32 must not exceed it. */
const NEARER = 0.999;

/** A rig with its errors on all frames. */
export interface MeasuredRig {
  readonly rig: Rig;
  readonly error: SequenceErrors;
  readonly restMoved: RestDisplacement;
}

/**
 * The errors of a rig on frames that are read one at a time. A rest pose that is to stay `near` was held to that on the
 * sample; if it has moved further than the frames are off on the whole mesh, its displacements are shortened to their
 * error. That suffices, since the error only rises.
 *
 * @example
 * {@includeCode ../../../examples/chunks.ts}
 */
export function measuredRig(
  reader: FrameReader,
  rig: Rig,
  clip: Clip,
  { restPose, space }: { readonly restPose: RestPose; readonly space: { readonly radius: number } },
  context?: RunContext,
): MeasuredRig {
  const measured = (own: Rig) => ({
    rig: own,
    error: readerErrors(reader, own, clip, context),
    restMoved: restDisplacement(reader.rest, own.mesh, space.radius),
  });
  const first = measured(rig);
  const { error, restMoved } = first;
  if (restPose !== 'near' || restMoved.eRms <= error.eRms) return first;
  return measured(withNearerRest(rig, reader.rest, (NEARER * error.eRms) / restMoved.eRms));
}

/** The rig with a share of the displacements of its rest pose. */
function withNearerRest(rig: Rig, { positions: given }: Mesh, share: number): Rig {
  const positions = rig.mesh.positions.map((value, k) => given[k] + share * (value - given[k]));
  return { ...rig, mesh: { ...rig.mesh, positions } };
}

function readerErrors(reader: FrameReader, rig: Rig, clip: Clip, context: RunContext | undefined): SequenceErrors {
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
