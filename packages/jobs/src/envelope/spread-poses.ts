/** Poses that differ most, each next one the farthest from those before it. */
import { type Clip, poseAt } from '@pelt/model';

/**
 * @param frames  to choose from, ascending
 * @param most    how many at most
 * @returns ascending; all frames where they are few enough
 */
export function spreadPoses(clip: Clip, m: number, frames: readonly number[], most: number): number[] {
  if (frames.length <= most) return [...frames];
  // Relative to the first bone: travel is no pose.
  const shapes = frames.map((t) => rotationsOf(poseAt(clip, t, m).transforms, m));
  const nearest = new Float64Array(frames.length).fill(Number.POSITIVE_INFINITY);
  const chosen: number[] = [];
  let next = 0;
  while (chosen.length < most) {
    chosen.push(next);
    let farthest = 0;
    for (let k = 0; k < frames.length; k++) {
      let square = 0;
      for (let c = 0; c < shapes[k].length; c++) square += (shapes[k][c] - shapes[next][c]) ** 2;
      nearest[k] = Math.min(nearest[k], square);
      if (nearest[k] > nearest[farthest]) farthest = k;
    }
    // Further poses are repetitions.
    if (nearest[farthest] === 0) break;
    next = farthest;
  }
  return chosen.sort((a, b) => a - b).map((k) => frames[k]);
}

/** m × 9, R_0ᵀ R_j */
function rotationsOf(transforms: Float64Array, m: number): Float64Array {
  const out = new Float64Array(9 * m);
  for (let j = 0; j < m; j++) {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        for (let k = 0; k < 3; k++) out[9 * j + 3 * r + c] += transforms[4 * k + r] * transforms[12 * j + 4 * k + c];
      }
    }
  }
  return out;
}
