/**
 * A shoulder with three degrees of freedom: the arm is raised in any direction and turned about its own length, the
 * deltoid over the joint shortens and thickens with the raise. Poses are spread evenly over the range and are no
 * movement, so any choice of them can train and the others test. The limb moves as a rod, the muscle keeps its volume.
 */
import { resolveOptions } from '@pelt/model';
import { boneAt, type Scene } from '../scene.ts';
import { ease, Rod } from '../shapes/rod.ts';
import { tube } from '../shapes/tube.ts';
import type { Vector } from '../transform.ts';
import { rodScene } from './rod-scene.ts';

export interface ShoulderOptions {
  readonly frames: number;
  readonly fps: number;
  /** The arm leaves its rest direction by this at most, to any side. */
  readonly raiseDegrees: number;
  /** Turn of the arm about its length, to either side. */
  readonly twistDegrees: number;
  /** Share by which the deltoid shortens at the highest raise; 0 for none. */
  readonly bulge: number;
  readonly rings: number;
  readonly sides: number;
}

export const SHOULDER_DEFAULTS: ShoulderOptions = {
  frames: 110,
  fps: 30,
  raiseDegrees: 75,
  twistDegrees: 60,
  bulge: 0.3,
  rings: 51,
  sides: 24,
};

const LENGTH = 1.2;
const SWING = { start: 0.3, end: 0.7 };
const TWIST = { start: 0.45, end: 1.05 };
const DELTOID = { at: 0.62, reach: 0.12 };

/** Linear blending of the rig does not give the frames, except the first, which is the rest pose. */
export function shoulderScene(options?: Partial<ShoulderOptions>): Scene {
  const { frames, fps, raiseDegrees, twistDegrees, bulge, rings, sides } = resolveOptions(
    'shoulderScene',
    SHOULDER_DEFAULTS,
    options,
  );
  const poses = Array.from({ length: frames }, (_, t) => ({
    // Even over the disc of directions: the root of an even number.
    raise: ((raiseDegrees * Math.PI) / 180) * Math.sqrt(evenly(t, 2)),
    side: 2 * Math.PI * evenly(t, 3),
    twist: t === 0 ? 0 : ((twistDegrees * Math.PI) / 180) * (2 * evenly(t, 5) - 1),
  }));
  const most = (raiseDegrees * Math.PI) / 180 || 1;
  // Wide at the chest, narrow at the hand.
  const width = (x: number) => 0.13 - 0.055 * ease(0.2, 0.75, x);
  return rodScene({
    name: 'shoulder',
    mesh: tube({ name: 'shoulder', length: LENGTH, rings, sides, section: (x) => [width(x), 0.85 * width(x)] }),
    bones: [boneAt('chest', -1, [0, 0, 0]), boneAt('arm', 0, [0.5, 0, 0])],
    rides: [0, LENGTH],
    shares: (x) => [1 - ease(0.3, 0.85, x), ease(0.3, 0.85, x)],
    fps,
    rods: poses.map(
      ({ raise, side, twist }) =>
        new Rod(LENGTH, [
          { axis: [0, Math.cos(side), Math.sin(side)], angle: raise, ...SWING },
          { axis: [1, 0, 0], angle: twist, ...TWIST },
        ]),
    ),
    reshape: (t, point) => shorten(point, (bulge * poses[t].raise) / most),
  });
}

/** The belly slides together along the arm and grows across it by what keeps each slice's volume. */
function shorten([x, y, z]: Vector, epsilon: number): Vector {
  const u = (x - DELTOID.at) / DELTOID.reach;
  if (Math.abs(u) > 5) return [x, y, z];
  const near = epsilon * ease(-0.04, 0.08, y);
  const fall = Math.exp((-u * u) / 2);
  const grow = 1 / Math.sqrt(1 - near * (1 - u * u) * fall);
  return [x - near * DELTOID.reach * u * fall, y * grow, z * grow];
}

/** Number t of van der Corput's sequence: 0 first, then ever finer between what was there. */
function evenly(t: number, base: number): number {
  let value = 0;
  for (let digit = 1 / base, rest = t; rest > 0; rest = Math.floor(rest / base), digit /= base) {
    value += digit * (rest % base);
  }
  return value;
}
