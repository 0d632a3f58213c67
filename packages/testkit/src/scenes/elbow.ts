/**
 * A round tube that bends in one joint: the textbook case in which linear blending loses volume on the inside. The tube
 * bends as a rod does; the rig has a bone on each side of the joint.
 */
import { resolveOptions } from '@pelt/model';
import { boneAt, type Scene } from '../scene.ts';
import { ease, Rod } from '../shapes/rod.ts';
import { tube } from '../shapes/tube.ts';
import { rodScene } from './rod-scene.ts';

export interface ElbowOptions {
  readonly frames: number;
  readonly fps: number;
  /** Bend in the last frame; frame 0 is the rest pose. */
  readonly bendDegrees: number;
  readonly length: number;
  readonly radius: number;
  /** Length over which the bend is spread, about the middle. */
  readonly joint: number;
  readonly rings: number;
  readonly sides: number;
}

export const ELBOW_DEFAULTS: ElbowOptions = {
  frames: 20,
  fps: 30,
  bendDegrees: 120,
  length: 1,
  radius: 0.1,
  joint: 0.4,
  rings: 41,
  sides: 20,
};

/** Linear blending of the rig does not give the frames, except the first. */
export function elbowScene(options?: Partial<ElbowOptions>): Scene {
  const { frames, fps, bendDegrees, length, radius, joint, rings, sides } = resolveOptions(
    'elbowScene',
    ELBOW_DEFAULTS,
    options,
  );
  const [start, end] = [(length - joint) / 2, (length + joint) / 2];
  const bend = (bendDegrees * Math.PI) / 180;
  return rodScene({
    name: 'elbow',
    mesh: tube({ name: 'elbow', length, rings, sides, section: () => [radius, radius] }),
    bones: [boneAt('upper', -1, [0, 0, 0]), boneAt('lower', 0, [length / 2, 0, 0])],
    rides: [0, end],
    shares: (x) => [1 - ease(start, end, x), ease(start, end, x)],
    fps,
    rods: Array.from({ length: frames }, (_, t) => {
      const angle = frames > 1 ? (bend * t) / (frames - 1) : 0;
      return new Rod(length, [{ axis: [0, 0, 1], angle, start, end }]);
    }),
  });
}
