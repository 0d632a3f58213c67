/** What `pelt envelope --dynamics` says of the swing it has learnt. */
import { type MeshSequence, type Rig, vertexCount } from '@pelt/model';
import type { TrainedDynamics } from '@pelt/skin/dynamics';

export interface SwingReport {
  readonly method: TrainedDynamics['method'];
  readonly poles: TrainedDynamics['poles'];
  readonly modes: number;
  readonly drivers: readonly string[];
  /** Numbers that an instance keeps, and multiply-adds of an update. */
  readonly states: number;
  readonly multiplyAdds: number;
  /** RMS distances on frames left out, in units of the model. */
  readonly leftOut: TrainedDynamics['leftOut'];
  /** Error of what was chosen over that of the pose alone, on frames left out. */
  readonly overPoseOnly: number;
  /** RMS distances over all frames per joint that the vertices follow: without swing and with it; most moved first. */
  readonly parts: readonly { readonly joint: string; readonly still: number; readonly swinging: number }[];
}

/** Parts that are listed. */
const MOST_PARTS = 8;

/** @param played  S × n × 3 each: without swing, and with it */
export function partsOf(
  { bones, weights }: Rig,
  { frames, rest }: MeshSequence,
  played: { readonly still: Float32Array; readonly swinging: Float32Array },
): SwingReport['parts'] {
  const n = vertexCount(rest);
  const S = frames.length / (3 * n);
  const sums = bones.map(() => ({ still: 0, swinging: 0, count: 0 }));
  for (let i = 0; i < n; i++) {
    let slot = i * weights.slots;
    for (let s = slot + 1; s < (i + 1) * weights.slots; s++) if (weights.weights[s] > weights.weights[slot]) slot = s;
    const sum = sums[weights.bones[slot]];
    sum.count += S;
    for (let t = 0; t < S; t++) {
      for (let k = 3 * (t * n + i); k < 3 * (t * n + i) + 3; k++) {
        sum.still += (played.still[k] - frames[k]) ** 2;
        sum.swinging += (played.swinging[k] - frames[k]) ** 2;
      }
    }
  }
  return sums
    .map(({ still, swinging, count }, j) => ({
      joint: bones[j].name,
      still: Math.sqrt(still / (count || 1)),
      swinging: Math.sqrt(swinging / (count || 1)),
    }))
    .filter(({ still }) => still > 0)
    .sort((a, b) => b.still - a.still)
    .slice(0, MOST_PARTS);
}
