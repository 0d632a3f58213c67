/** Rolls takes out: a skin that swings, the same skin without swing, and bones on springs. */

import { capsuleDistance, deformLinear, poseCapsules, SwingPlayer } from '@pelt/skin';
import { EnvelopePalette } from '@pelt/skin/envelope';

/** S × n × 3 positions of a take; `still` leaves the amplitudes at zero: the mean shape beside the pose-only skin. */
export function rollOut({ envelope, dynamics }, { clip, sequence }, still = false) {
  const { rig, skin } = envelope;
  const size = 12 * rig.bones.length;
  const palette = new EnvelopePalette(envelope, rig.bones);
  const player = new SwingPlayer(dynamics, rig.bones);
  const state = player.createState();
  const n3 = rig.mesh.positions.length;
  const out = new Float32Array(sequence.frames.length);
  for (let t = 0; t < clip.times.length; t++) {
    const pose = clip.transforms.subarray(t * size, (t + 1) * size);
    const bones = palette.update(pose);
    player.step(state, pose, t > 0 ? clip.times[t] - clip.times[t - 1] : 0);
    if (still) state.amplitudes.fill(0);
    player.apply(state, bones);
    deformLinear(rig.mesh.positions, skin, bones, out.subarray(t * n3, (t + 1) * n3));
  }
  return out;
}

/** RMS distance of vertices over takes, in millimetres. */
export function rmsOver(takes, play) {
  let [sum, count] = [0, 0];
  for (const take of takes) {
    const shown = play(take);
    for (let k = 0; k < shown.length; k++) sum += (shown[k] - take.sequence.frames[k]) ** 2;
    count += shown.length / 3;
  }
  return 1000 * Math.sqrt(sum / count);
}

/** RMS difference of velocities, in millimetres per second. */
export function velocityRms(takes, play) {
  let [sum, count] = [0, 0];
  for (const take of takes) {
    const shown = play(take);
    const size = take.sequence.rest.positions.length;
    const fps = (take.clip.times.length - 1) / take.clip.times[take.clip.times.length - 1];
    for (let k = size; k < shown.length; k++) {
      const [a, b] = [shown[k] - shown[k - size], take.sequence.frames[k] - take.sequence.frames[k - size]];
      sum += (fps * (a - b)) ** 2;
    }
    count += (shown.length - size) / 3;
  }
  return 1000 * Math.sqrt(sum / count);
}

/** RMS depth of vertices in capsules of the body, over all vertices and frames, in millimetres. */
export function penetration(takes, play, capsules, joints) {
  const [normal, posed] = [new Float64Array(3), new Float64Array(capsules.shapes.length)];
  let [sum, count] = [0, 0];
  for (const take of takes) {
    const shown = play(take);
    const { clip, sequence } = take;
    const size = sequence.rest.positions.length;
    for (let t = 0; t < clip.times.length; t++) {
      poseCapsules(capsules, clip.transforms.subarray(t * 12 * joints, (t + 1) * 12 * joints), 0, posed);
      for (let k = t * size; k < (t + 1) * size; k += 3, count++) {
        let depth = 0;
        for (let c = 0; c < capsules.bones.length; c++) {
          depth = Math.max(depth, -capsuleDistance(posed, c, shown[k], shown[k + 1], shown[k + 2], normal));
        }
        sum += depth * depth;
      }
    }
  }
  return 1000 * Math.sqrt(sum / count);
}
