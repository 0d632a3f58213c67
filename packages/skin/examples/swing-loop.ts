import { type Bone, type Dynamics, IDENTITY_TRANSFORM } from '@pelt/model';
import { runUntilPeriodic, SwingPlayer, startClip } from '@pelt/skin/dynamics/runtime';

// One bone that lags behind sideways motion of the joint it hangs on, at 2 Hz.
const bones: Bone[] = [{ name: 'hips', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }];
const one = (size: number, at: number, value: number) => new Float64Array(size).fill(value, at, at + 1);
const dynamics: Dynamics = {
  gravity: Float64Array.of(0, -1, 0),
  drivers: Uint16Array.of(0),
  speeds: Float64Array.of(2, 2),
  posed: new Uint16Array(0),
  bones: Uint16Array.of(0),
  centres: new Float64Array(3),
  rest: new Float64Array(12),
  modes: one(12, 3, 1),
  limits: Float64Array.of(1),
  offsets: new Float64Array(1),
  poseMap: new Float64Array(3),
  motionMap: new Float64Array(0),
  poles: Float64Array.of(4 * Math.PI, 0.1, 1),
  channels: one(18, 0, 1),
  readOut: Float64Array.of(0, -0.1),
};
const player = new SwingPlayer(dynamics, bones);
const state = player.createState();
const poseAt = (t: number) => {
  const pose = Float64Array.from(IDENTITY_TRANSFORM);
  pose[3] = 0.05 * Math.sin((2 * Math.PI * t) / 30);
  return pose;
};
// One second, in 30 frames: from a clip, or pose by pose.
const times = Float64Array.from({ length: 31 }, (_, t) => t / 30);
startClip(player, state, { times, transforms: Float64Array.from(Array.from(times, (_, t) => [...poseAt(t)]).flat()) });
const [atStart] = state.amplitudes;
const round = () => {
  for (let t = 1; t <= 30; t++) player.step(state, poseAt(t), 1 / 30);
};
runUntilPeriodic(player, state, round);
if (!(Math.abs(state.amplitudes[0] - atStart) < 1e-3)) throw new Error('the loop closes');
