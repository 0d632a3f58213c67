/**
 * How a fit does on frames it has not seen: fitted to every other frame, its weights and rest pose are kept and the bones
 * alone solved for the frames between. The gallop repeats after 24 frames, so that only its first half is used.
 */
import { decompose } from '@pelt/skin';
import { loadAnimation } from './load-animation.mjs';

const CASES = [
  { data: 'horse-gallop', bones: 20, frames: 24 },
  { data: 'samba', bones: 20, frames: 175 },
];

export function heldOut(context, numerics) {
  return CASES.filter(({ data }) => context.wants(`${data}, frames left out`)).map(({ data, bones, frames }) => {
    context.log(`${data}, frames left out`);
    const sequence = loadAnimation(context, data);
    const seen = every(sequence, frames, 0);
    const { rig, error } = decompose(seen, { bones }, { numerics });
    const unseen = every({ ...sequence, rest: rig.mesh }, frames, 1);
    const locked = { part: 'weights', rig };
    const fitted = decompose(unseen, { locked, restPose: 'keep' }, { numerics });
    return {
      case: `${data} ${bones}, frames left out`,
      metric: 'E_RMS',
      value: fitted.error.eRms,
      unit: '',
      reference: error.eRms,
      referenceName: 'frames fitted',
    };
  });
}

/** Every other one of the first frames, from `first` on. */
function every(sequence, frames, first) {
  const size = sequence.rest.positions.length;
  const chosen = Array.from({ length: Math.floor((frames - first + 1) / 2) }, (_, k) => first + 2 * k);
  const positions = new Float32Array(chosen.length * size);
  chosen.forEach((t, k) => {
    positions.set(sequence.frames.subarray(t * size, (t + 1) * size), k * size);
  });
  return { ...sequence, frames: positions, times: sequence.times.slice(0, chosen.length) };
}
