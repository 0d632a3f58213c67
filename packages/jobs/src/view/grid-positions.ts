/** Positions of many frames in 16 bits per number, for pages that are kept: a step is 1/65535 of the largest extent. */
import { boundsOf } from '@pelt/model';
import type { GridPositions, ViewSubject } from './scene.ts';

const MOST = 0xffff;

export function onGrid(frames: Float32Array): GridPositions {
  const { min, max } = boundsOf(frames);
  const low = [min[0], min[1], min[2]] as const;
  const step = Math.max(...max.map((value, c) => value - min[c])) / MOST || 1;
  return { low, step, values: Uint16Array.from(frames, (value, k) => Math.round((value - low[k % 3]) / step)) };
}

/** The subject in fewer bytes: no difference that a screen shows. */
export function lighter(subject: ViewSubject): ViewSubject {
  return {
    ...subject,
    clips: subject.clips.map((clip) => ({
      ...clip,
      ...(clip.transforms && { transforms: Float32Array.from(clip.transforms) }),
      ...(clip.frames instanceof Float32Array && { frames: onGrid(clip.frames) }),
    })),
  };
}
