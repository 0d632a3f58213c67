/** A subject beside its original: which vertex is which, and what their distances come to. */
import { boundsOf, diagonalOf, InputError, type MeshSequence } from '@pelt/model';
import { correspond } from '../input/correspondence.ts';
import { distancesToOriginal } from './distances.ts';
import { poseSubject } from './pose-subject.ts';
import type { ViewSubject } from './scene.ts';

export interface HeatFigures {
  /** Root mean square over all frames of all clips, % of the diagonal of the original's box at rest */
  readonly rmsPercent: number;
  readonly maxPercent: number;
  /** Where the largest distance is. */
  readonly vertex: number;
  readonly clip: string;
  /** Number of the frame in its clip, from 1; 0 for the rest pose. */
  readonly frame: number;
}

/** The subject with its original, and what their distances come to. */
export function withHeat(given: ViewSubject, original: ViewSubject): { subject: ViewSubject; figures: HeatFigures } {
  const places = placesIn(original, given);
  const diagonal = diagonalOf(boundsOf(original.positions)) || 1;
  const subject: ViewSubject = { ...given, original: { places, diagonal } };
  const moments = subject.clips.flatMap(({ name, times }, clip) => Array.from(times, (_, t) => ({ name, clip, t })));
  if (moments.length === 0) moments.push({ name: '', clip: -1, t: -1 });
  let [sum, count] = [0, 0];
  let largest = { maxPercent: 0, vertex: 0, clip: '', frame: 0 };
  for (const { name, clip, t } of moments) {
    distancesToOriginal(subject, original, clip, t).forEach((distance, i) => {
      sum += distance * distance;
      count++;
      if (distance > largest.maxPercent) largest = { maxPercent: distance, vertex: i, clip: name, frame: t + 1 };
    });
  }
  return { subject, figures: { rmsPercent: Math.sqrt(sum / Math.max(count, 1)), ...largest } };
}

/** For each vertex of the subject the one of the original that it shows. */
function placesIn(original: ViewSubject, subject: ViewSubject): Uint32Array {
  const [a, b] = [sequenceOf(subject), sequenceOf(original)];
  if (a.times.length !== b.times.length) {
    throw new InputError(
      `'${original.label}' has ${b.times.length} frames and '${subject.label}' has ${a.times.length}; ` +
        'an original shows the same animation, frame by frame',
    );
  }
  return correspond(a, b, [subject.label, original.label]).places;
}

/** The first clip of a subject as positions. */
function sequenceOf(subject: ViewSubject): MeshSequence {
  const { label, positions, triangles, clips } = subject;
  const times = clips[0]?.times ?? new Float64Array(1);
  const frames = new Float32Array(times.length * positions.length);
  times.forEach((_, t) => {
    poseSubject(subject, 0, t, frames.subarray(t * positions.length, (t + 1) * positions.length));
  });
  return { name: label, rest: { name: label, positions, triangles }, frames, times };
}
