/** What must hold whatever the motion: bounds after jumps and in fast motion, rest after settling, the price in a crowd. */
import { SwingPlayer } from '@pelt/skin';
import { EnvelopePalette } from '@pelt/skin/envelope';

const FIGURES = 100;

/** The largest amplitude of a roll-out, relative to the largest in the takes. */
export function largestSwing({ dynamics, envelope }, { clip }, speed = 1) {
  const { bones } = envelope.rig;
  const player = new SwingPlayer(dynamics, bones);
  const state = player.createState();
  const size = 12 * bones.length;
  let most = 0;
  for (let t = 0; t < clip.times.length; t++) {
    const dt = t > 0 ? (clip.times[t] - clip.times[t - 1]) / speed : 0;
    player.step(state, clip.transforms.subarray(t * size, (t + 1) * size), dt);
    state.amplitudes.forEach((a, r) => {
      if (dynamics.limits[r] > 0) most = Math.max(most, Math.abs(a) / dynamics.limits[r]);
    });
  }
  return most;
}

/** A take in which the figure is elsewhere every third of it. */
export function withJumps({ clip, ...take }) {
  const S = clip.times.length;
  const size = clip.transforms.length / S;
  const transforms = clip.transforms.slice();
  for (let k = 0; k < transforms.length; k++) {
    if (k % 12 === 3) transforms[k] += 5 * Math.floor((3 * Math.floor(k / size)) / S);
  }
  return { ...take, clip: { ...clip, transforms } };
}

/** How far the swing is from that of the pose after its last pose was held, relative to the largest of the take. */
export function afterHolding({ dynamics, envelope }, { clip }, seconds) {
  const { bones } = envelope.rig;
  const player = new SwingPlayer(dynamics, bones);
  const [state, held] = [player.createState(), player.createState()];
  const size = 12 * bones.length;
  let most = 0;
  for (let t = 0; t < clip.times.length; t++) {
    const pose = clip.transforms.subarray(t * size, (t + 1) * size);
    player.step(state, pose, t > 0 ? clip.times[t] - clip.times[t - 1] : 0);
    most = Math.max(most, Math.hypot(...state.amplitudes));
  }
  const last = clip.transforms.subarray(clip.transforms.length - size);
  for (let t = 0; t < 60 * seconds; t++) player.step(state, last, 1 / 60);
  player.step(held, last, 0);
  return Math.hypot(...state.amplitudes.map((a, r) => a - held.amplitudes[r])) / (most || 1);
}

/** Milliseconds of processor time for the palettes of a crowd, with a state for each figure and without any. */
export function crowdTimes({ dynamics, envelope }, { clip }) {
  const { bones } = envelope.rig;
  const palette = new EnvelopePalette(envelope, bones);
  const player = new SwingPlayer(dynamics, bones);
  const states = Array.from({ length: FIGURES }, () => player.createState());
  const size = 12 * bones.length;
  const frame = (swings, t) => {
    for (let k = 0; k < FIGURES; k++) {
      const at = (t + 7 * k) % clip.times.length;
      const pose = clip.transforms.subarray(at * size, (at + 1) * size);
      const shown = palette.update(pose);
      if (!swings) continue;
      player.step(states[k], pose, 1 / 30);
      player.apply(states[k], shown);
    }
  };
  const times = { with: [], without: [] };
  for (let round = 0; round < 16; round++) {
    for (const [name, swings] of [
      ['with', true],
      ['without', false],
    ]) {
      const started = process.cpuUsage();
      for (let t = 0; t < 3; t++) frame(swings, t);
      const { user, system } = process.cpuUsage(started);
      if (round > 4) times[name].push((1e-3 * (user + system)) / 3);
    }
  }
  const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
  return { with: median(times.with), without: median(times.without) };
}
