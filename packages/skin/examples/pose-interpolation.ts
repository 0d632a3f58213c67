import { PoseInterpolation } from '@pelt/skin/envelope/runtime';
import { elbowScene } from '@pelt/testkit';

// Two bones with one joint, at rest and bent by one radian about z.
const { bones } = elbowScene({ frames: 2, rings: 5, sides: 4 }).rig;
const poses = [new Float64Array(6), Float64Array.of(0, 0, 0, 0, 0, 1)];
const weights = new PoseInterpolation(bones, poses).at(Float64Array.of(0, 0, 0, 0, 0, 0.5));
if (Math.abs(weights[0] - 0.5) > 1e-9) throw new Error('half way is not the mean of both');
