/** How far the vertices of a subject are from those of its original in a frame. */
import { poseSubject } from './pose-subject.ts';
import type { ViewSubject } from './scene.ts';

/** Of a vertex that the original does not have. */
export const NO_PLACE = 0xffffffff;

/**
 * The distances of a subject's vertices to their places in the original, in per cent of the diagonal of its box.
 *
 * @param clip   index of a clip; −1 for the rest pose
 * @param frame  index of a frame of the clip; −1 for the rest pose
 * @returns n distances; all 0 where the subject has no original
 * @example
 * {@includeCode ../../examples/pose-subject.ts}
 */
export function distancesToOriginal(
  subject: ViewSubject,
  original: ViewSubject,
  clip: number,
  frame: number,
): Float64Array {
  const out = new Float64Array(subject.positions.length / 3);
  if (!subject.original) return out;
  const { places, diagonal } = subject.original;
  const own = poseSubject(subject, clip, frame, new Float32Array(subject.positions.length));
  const other = poseSubject(original, clip, frame, new Float32Array(original.positions.length));
  places.forEach((j, i) => {
    if (j === NO_PLACE) return;
    const [a, b] = [3 * i, 3 * j];
    out[i] = (100 * Math.hypot(own[a] - other[b], own[a + 1] - other[b + 1], own[a + 2] - other[b + 2])) / diagonal;
  });
  return out;
}
