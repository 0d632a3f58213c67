/**
 * A square bar that is twisted: the textbook case in which linear blending collapses (the candy wrapper). The sections
 * turn evenly along the bar and keep their shape; the rig has a bone at each end.
 */
import { resolveOptions } from '@pelt/model';
import { boneAt, type Scene } from '../scene.ts';
import { Rod } from '../shapes/rod.ts';
import { tube } from '../shapes/tube.ts';
import { rodScene } from './rod-scene.ts';

export interface BarOptions {
  readonly frames: number;
  readonly fps: number;
  /** Turn of the far end in the last frame; frame 0 is the rest pose. */
  readonly twistDegrees: number;
  readonly length: number;
  /** Half the side of the section. */
  readonly radius: number;
  readonly rings: number;
  readonly sides: number;
}

export const BAR_DEFAULTS: BarOptions = {
  frames: 20,
  fps: 30,
  twistDegrees: 180,
  length: 1,
  radius: 0.12,
  rings: 31,
  sides: 16,
};

/** Linear blending of the rig does not give the frames, except the first. */
export function barScene(options?: Partial<BarOptions>): Scene {
  const { frames, fps, twistDegrees, length, radius, rings, sides } = resolveOptions('barScene', BAR_DEFAULTS, options);
  const round = tube({ name: 'bar', length, rings, sides, section: () => [radius, radius] });
  // The ring of a tube, pushed out to a square with rounded edges (a superellipse of degree 6).
  const positions = round.positions.map((value, k, all) => {
    if (k % 3 === 0) return value;
    const [y, z] = k % 3 === 1 ? [value, all[k + 1]] : [all[k - 1], value];
    const norm = ((y / radius) ** 6 + (z / radius) ** 6) ** (1 / 6);
    return norm === 0 ? 0 : (value * Math.hypot(y / radius, z / radius)) / norm;
  });
  const twist = (twistDegrees * Math.PI) / 180;
  return rodScene({
    name: 'bar',
    mesh: { ...round, positions },
    bones: [boneAt('base', -1, [0, 0, 0]), boneAt('end', 0, [length, 0, 0])],
    rides: [0, length],
    shares: (x) => [1 - x / length, x / length],
    fps,
    rods: Array.from({ length: frames }, (_, t) => {
      const angle = frames > 1 ? (twist * t) / (frames - 1) : 0;
      return new Rod(length, [{ axis: [1, 0, 0], angle, start: 0, end: length, even: true }]);
    }),
  });
}
