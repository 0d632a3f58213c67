/**
 * A start for a descent after handles have jumped: the blend that their positions suggest (see ExamplePrior), in the frame of
 * the last pose. From there a descent takes 2 to 6 iterations where it takes 6 to 24 from the rest pose, over frames of a
 * horse and an elephant with five handles. The frame of the nearest example in its place turned an elephant away from where
 * it faces, for a cost that was lower by a quarter: frames turn in the descent, or by another start that costs much less.
 * Allocates nothing.
 */
import { exampleCount, type Poser } from '@pelt/model';
import type { PoseCost } from './pose-cost.ts';

/** A start must cost this fraction of the last pose to take its place: while handles are dragged, the last pose is better. */
export const GUESS_GAIN = 0.7;

/**
 * @param low    least and largest blend weight of an example
 * @param start  as many as unknowns; overwritten
 * @returns the cost of the start, at which `cost` is evaluated then; infinite where handles leave the pose open
 */
export function guessedStart(cost: PoseCost, poser: Poser, low: number, high: number, start: Float64Array): number {
  const { guess } = cost;
  if (!guess) return Number.POSITIVE_INFINITY;
  start.fill(0);
  const E = exampleCount(poser);
  for (let e = 0; e < E; e++) start[e] = Math.min(Math.max(guess[e], low), high);
  return cost.evaluate(start);
}
