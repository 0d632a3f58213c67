import { type Bone, IDENTITY_TRANSFORM } from '@pelt/model';
import { SwingPlayer } from '@pelt/skin/dynamics/runtime';
import { smallestDynamics } from '@pelt/testkit';

// One bone that lags behind sideways motion of the joint it hangs on, at 2 Hz.
const bones: Bone[] = [{ name: 'hips', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }];
const player = new SwingPlayer(smallestDynamics(), bones);
const state = player.createState();
const palette = new Float64Array(12);
for (let t = 0; t <= 6; t++) {
  const pose = Float64Array.from(IDENTITY_TRANSFORM);
  pose[3] = 0.01 * t;
  player.step(state, pose, t > 0 ? 1 / 60 : 0);
  palette.set(pose);
  player.apply(state, palette);
}
if (!(palette[3] < 0.06)) throw new Error('the bone is behind the joint');
