/**
 * The rival that artists have: every proxy hangs on a damped spring from where the skeleton carries it. One stiffness, one
 * damping, one share of gravity and one gain for all, tuned on the takes that train; a mask lets proxies move as much beside
 * each other as they do in these takes.
 */

import { deformLinear, SwingPlayer } from '@pelt/skin';
import { EnvelopePalette } from '@pelt/skin/envelope';

const SUBSTEPS = 4;
/** Factors that the tuning tries about the best so far, coarse to fine. */
const FACTORS = [3, 1.8, 1.35, 1.15];

/** Positions of a take with springs of the given Hz, damping ratio, share of gravity (m/s²) and gain. */
export function playSprings({ envelope, dynamics }, { clip, sequence }, [hertz, zeta, gravity, gain]) {
  const { rig, skin, proxies: D } = envelope;
  const size = 12 * rig.bones.length;
  const palette = new EnvelopePalette(envelope, rig.bones);
  const n3 = rig.mesh.positions.length;
  const out = new Float32Array(sequence.frames.length);
  const [x, v] = [new Float64Array(3 * D), new Float64Array(3 * D)];
  const [target, before] = [new Float64Array(3 * D), new Float64Array(3 * D)];
  const omega = 2 * Math.PI * hertz;
  const mask = maskOf(dynamics, D);
  const player = new SwingPlayer(dynamics, rig.bones);
  const mean = player.createState();
  for (let t = 0; t < clip.times.length; t++) {
    const bones = palette.update(clip.transforms.subarray(t * size, (t + 1) * size));
    before.set(target);
    for (let d = 0; d < D; d++) {
      for (let r = 0; r < 3; r++) {
        const at = 12 * d + 4 * r;
        const c = dynamics.centres.subarray(3 * d, 3 * d + 3);
        target[3 * d + r] = bones[at] * c[0] + bones[at + 1] * c[1] + bones[at + 2] * c[2] + bones[at + 3];
      }
    }
    if (t === 0) x.set(target);
    else {
      const h = (clip.times[t] - clip.times[t - 1]) / SUBSTEPS;
      for (let s = 1; s <= SUBSTEPS; s++) {
        for (let k = 0; k < 3 * D; k++) {
          const [d, r] = [Math.floor(k / 3), k % 3];
          const goal = before[k] + ((target[k] - before[k]) * s) / SUBSTEPS;
          const carried = (target[k] - before[k]) / (SUBSTEPS * h);
          const weight = gravity * (bones[12 * d + 4 * r + 1] - (r === 1 ? 1 : 0));
          // Implicit in the spring and the damper: stable for any stiffness.
          const push = omega * omega * (goal - x[k]) + 2 * zeta * omega * carried + weight;
          v[k] = (v[k] + h * push) / (1 + 2 * zeta * omega * h + (omega * h) ** 2);
          x[k] += h * v[k];
        }
      }
    }
    // The mean shape of the takes, as the still skin has it.
    player.apply(mean, bones);
    for (let k = 0; k < 3 * D; k++) {
      const d = Math.floor(k / 3);
      bones[12 * d + 4 * (k % 3) + 3] += gain * mask[d] * (x[k] - target[k]);
    }
    deformLinear(rig.mesh.positions, skin, bones, out.subarray(t * n3, (t + 1) * n3));
  }
  return out;
}

/** How far each proxy moves in training, relative to the one that moves most. */
function maskOf({ modes, limits }, D) {
  const moved = Float64Array.from({ length: D }, (_, d) => {
    let sum = 0;
    for (let r = 0; r < limits.length; r++) {
      for (let c = 3; c < 6; c++) sum += (limits[r] * modes[12 * (r * D + d) + c]) ** 2;
    }
    return Math.sqrt(sum);
  });
  const most = Math.max(...moved) || 1;
  return moved.map((value) => value / most);
}

/** The springs that miss the takes least. */
export function tuneSprings(errorOf) {
  let best;
  const consider = (tried) => {
    const error = errorOf(tried);
    if (!best || error < best.error) best = { tried, error };
  };
  for (const hertz of [1, 2, 4, 8])
    for (const zeta of [0.05, 0.3]) for (const gravity of [0, 9.8]) consider([hertz, zeta, gravity, 1]);
  for (const factor of FACTORS) {
    for (let k = 0; k < 4; k++) {
      for (const scale of [factor, 1 / factor])
        consider(best.tried.map((value, c) => (c === k ? value * scale : value)));
    }
  }
  return best.tried;
}
