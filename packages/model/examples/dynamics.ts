import { DRIVER_INPUTS, type Dynamics, SWING_CODE, validateDynamics } from '@pelt/model';

// One bone that swings in one mode, by one resonator of 2 Hz on the velocity of joint 0.
const dynamics: Dynamics = {
  gravity: Float64Array.of(0, -1, 0),
  drivers: Uint16Array.of(0),
  speeds: Float64Array.of(1, 1),
  posed: new Uint16Array(0),
  bones: Uint16Array.of(0),
  centres: new Float64Array(3),
  rest: new Float64Array(SWING_CODE),
  modes: new Float64Array(SWING_CODE).fill(1, 3, 4),
  limits: Float64Array.of(1),
  offsets: new Float64Array(1),
  poseMap: new Float64Array(3),
  motionMap: new Float64Array(0),
  poles: Float64Array.of(4 * Math.PI, 0.1, 1),
  channels: new Float64Array(DRIVER_INPUTS).fill(1, 0, 1),
  readOut: Float64Array.of(0, -0.1),
};
validateDynamics(dynamics, 1, 1); // throws an InputError that names what is wrong
