/**
 * Motions that an artist can make of any rig, to be simulated: each joint that drives turned about an axis of its own, and a
 * root shifted, as a sine that grows from rest and is as fast as the takes were at most.
 */
import { composeTransforms, rotationExp, sin } from '@pelt/math';
import { type Bone, type Clip, type Dynamics, IDENTITY_TRANSFORM, TRANSFORM_SIZE, uniformTimes } from '@pelt/model';

const RATES = [0.5, 1, 2, 4];
const SECONDS = 2;
const FPS = 30;
/** Seconds in which a motion grows from rest. */
const RAMP = 0.5;
const TAU = 2 * Math.PI;
/** Radians that a joint is turned by at most. */
const MOST_TURNED = 1;

/**
 * Motions of the joints that drive secondary motion, one by one.
 *
 * @param bones  m, the parents before their children
 * @example
 * {@includeCode ../../../examples/suggest-motions.ts}
 */
export function standardMotions(
  bones: readonly Bone[],
  { drivers, speeds }: Pick<Dynamics, 'drivers' | 'speeds'>,
): Clip[] {
  const clips: Clip[] = [];
  drivers.forEach((j, d) => {
    const { name, parent, rest } = bones[j];
    const origin = [rest[3], rest[7], rest[11]];
    for (const hertz of RATES) {
      for (let axis = 0; axis < 3; axis++) {
        const turn = Math.min(MOST_TURNED, speeds[2 * d + 1] / (TAU * hertz));
        const label = `${'xyz'[axis]} at ${hertz} Hz`;
        if (turn > 0) clips.push(moving(`turn ${name} about ${label}`, bones, j, hertz, turnAbout(origin, axis, turn)));
        const shift = speeds[2 * d] / (TAU * hertz);
        if (parent < 0 && shift > 0)
          clips.push(moving(`shift ${name} along ${label}`, bones, j, hertz, along(axis, shift)));
      }
    }
  });
  return clips;
}

type Motion = (amount: number) => Float64Array;

function turnAbout(origin: readonly number[], axis: number, angle: number): Motion {
  const R = new Float64Array(9);
  return (amount) => {
    const T = new Float64Array(TRANSFORM_SIZE);
    rotationExp(
      Float64Array.from({ length: 3 }, (_, c) => (c === axis ? amount * angle : 0)),
      0,
      R,
      0,
    );
    for (let r = 0; r < 3; r++) {
      T[4 * r + 3] = origin[r];
      for (let c = 0; c < 3; c++) {
        T[4 * r + c] = R[3 * r + c];
        T[4 * r + 3] -= R[3 * r + c] * origin[c];
      }
    }
    return T;
  };
}

function along(axis: number, distance: number): Motion {
  return (amount) => {
    const T = Float64Array.from(IDENTITY_TRANSFORM);
    T[4 * axis + 3] = amount * distance;
    return T;
  };
}

/** From the rest pose; everything below the joint goes with it. */
function moving(name: string, bones: readonly Bone[], joint: number, hertz: number, motion: Motion): Clip {
  const times = uniformTimes(SECONDS * FPS + 1, FPS);
  const m = bones.length;
  const transforms = new Float64Array(times.length * m * TRANSFORM_SIZE);
  times.forEach((time, t) => {
    const moved = motion(Math.min(1, time / RAMP) * sin(TAU * hertz * time));
    const at = t * m * TRANSFORM_SIZE;
    bones.forEach(({ parent }, j) => {
      const to = at + j * TRANSFORM_SIZE;
      if (parent >= 0)
        transforms.set(transforms.subarray(at + parent * TRANSFORM_SIZE, at + (parent + 1) * TRANSFORM_SIZE), to);
      else transforms.set(IDENTITY_TRANSFORM, to);
      if (j === joint) composeTransforms(transforms.slice(to, to + TRANSFORM_SIZE), 0, moved, 0, transforms, to);
    });
  });
  return { name, times, transforms };
}
