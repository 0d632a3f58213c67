import { type Bone, IDENTITY_TRANSFORM } from '@pelt/model';
import { runUntilPeriodic, SwingPlayer, startClip } from '@pelt/skin/dynamics/runtime';
import { smallestDynamics } from '@pelt/testkit';

// One bone that lags behind sideways motion of the joint it hangs on, at 2 Hz.
const bones: Bone[] = [{ name: 'hips', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }];
const player = new SwingPlayer(smallestDynamics(), bones);
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
