/**
 * How a skeleton does on frames it has not seen: fitted to some, its joints, weights and rest pose are kept and the
 * rotations alone solved for the others. Every other frame of a clip is left out, every third of a few poses. The gallop
 * repeats after 24 frames, so that only its first half is used.
 */
import { extractSkeleton } from '@pelt/skin';

const FIRST_FRAMES = { 'horse-gallop': 24 };
const FEW = 12;

export function errorLeftOut(sequence, data, bones, numerics) {
  const S = FIRST_FRAMES[data] ?? sequence.times.length;
  const step = S > FEW ? 2 : 3;
  const all = Array.from({ length: S }, (_, t) => t);
  const leftOut = (t) => t % step === step - 1;
  const seen = framesOf(
    sequence,
    all.filter((t) => !leftOut(t)),
  );
  const { rig, error } = extractSkeleton(seen, { bones }, { numerics });
  const unseen = framesOf({ ...sequence, rest: rig.mesh }, all.filter(leftOut));
  const given = { bones: rig.bones, weights: rig.weights, keepWeights: true };
  const fitted = extractSkeleton(unseen, { given }, { numerics });
  return { value: fitted.error.rmsePercent, reference: error.rmsePercent, referenceName: 'frames fitted' };
}

function framesOf(sequence, chosen) {
  const size = sequence.rest.positions.length;
  const frames = new Float32Array(chosen.length * size);
  chosen.forEach((t, k) => {
    frames.set(sequence.frames.subarray(t * size, (t + 1) * size), k * size);
  });
  return { ...sequence, frames, times: sequence.times.slice(0, chosen.length) };
}
