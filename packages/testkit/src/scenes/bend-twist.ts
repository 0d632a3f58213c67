/**
 * A tube that bends and twists in one and the same joint, each at its own pace: neither a bend nor a twist alone
 * explains any pose, so a skin that knows one factor times one rotation of the joint fails here. The sections turn as
 * those of a rod; the rig has a bone on each side of the joint.
 */
import { resolveOptions } from '@pelt/model';
import { boneAt, type Scene } from '../scene.ts';
import { ease, Rod } from '../shapes/rod.ts';
import { tube } from '../shapes/tube.ts';
import { rodScene } from './rod-scene.ts';

export interface BendTwistOptions {
  readonly frames: number;
  readonly fps: number;
  /** Bend at its most; frame 0 is the rest pose, and the clip is a loop. */
  readonly bendDegrees: number;
  /** Twist to either side. */
  readonly twistDegrees: number;
  readonly length: number;
  readonly radius: number;
  readonly rings: number;
  readonly sides: number;
}

export const BEND_TWIST_DEFAULTS: BendTwistOptions = {
  frames: 48,
  fps: 30,
  bendDegrees: 90,
  twistDegrees: 80,
  length: 1,
  radius: 0.1,
  rings: 41,
  sides: 20,
};

/** Where the joint bends, and the longer stretch over which it twists, as shares of the length. */
const BEND = { start: 0.3, end: 0.7 };
const TWIST = { start: 0.35, end: 0.85 };

/** Linear blending of the rig does not give the frames, except the first. */
export function bendTwistScene(options?: Partial<BendTwistOptions>): Scene {
  const { frames, fps, bendDegrees, twistDegrees, length, radius, rings, sides } = resolveOptions(
    'bendTwistScene',
    BEND_TWIST_DEFAULTS,
    options,
  );
  const [bend, twist] = [bendDegrees, twistDegrees].map((angle) => (angle * Math.PI) / 180);
  const stretch = ({ start, end }: typeof BEND) => ({ start: start * length, end: end * length });
  return rodScene({
    name: 'bend and twist',
    mesh: tube({ name: 'bend and twist', length, rings, sides, section: () => [radius, 0.8 * radius] }),
    bones: [boneAt('upper', -1, [0, 0, 0]), boneAt('lower', 0, [length / 2, 0, 0])],
    rides: [0, length],
    shares: (x) => [1 - ease(0.3 * length, 0.8 * length, x), ease(0.3 * length, 0.8 * length, x)],
    fps,
    rods: Array.from({ length: frames }, (_, t) => {
      const phase = (2 * Math.PI * t) / frames;
      return new Rod(length, [
        { axis: [0, 0, 1], angle: (bend * (1 - Math.cos(phase))) / 2, ...stretch(BEND) },
        // Twice as fast as the bend: every bend meets twists of both signs.
        { axis: [1, 0, 0], angle: twist * Math.sin(2 * phase), ...stretch(TWIST) },
      ]);
    }),
  });
}
