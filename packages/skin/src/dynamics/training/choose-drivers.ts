/** Which joints drive the swing, and which the pose part listens to. */
import { type Bone, type ReducedEnvelope, SWING_CODE } from '@pelt/model';

/** Drivers carry this fraction of what swings, if that many are allowed. */
const SHARE = 0.95;
/** Most joints of the pose part. */
const MOST_POSED = 12;

/**
 * @param rig      weights of the pose-only skin over the joints
 * @param codes    S × 12D of all takes, about their mean
 * @param metric   diagonal of the metric of codes, 12D
 */
export function chooseDrivers(
  { rig, skin, proxies: D }: ReducedEnvelope,
  codes: Float64Array,
  metric: Float64Array,
  most: number,
): { drivers: Uint16Array; posed: Uint16Array } {
  const m = rig.bones.length;
  const { weights } = rig;
  // What each proxy hangs on: the joints that its vertices follow.
  const shared = new Float64Array(D * m);
  for (let s = 0; s < skin.weights.length; s++) {
    const i = Math.floor(s / skin.slots);
    for (let q = i * weights.slots; q < (i + 1) * weights.slots; q++) {
      shared[skin.bones[s] * m + weights.bones[q]] += skin.weights[s] * weights.weights[q];
    }
  }
  const energy = new Float64Array(m);
  const size = SWING_CODE * D;
  for (let d = 0; d < D; d++) {
    let moved = 0;
    for (let t = 0; t < codes.length; t += size) {
      for (let k = SWING_CODE * d; k < SWING_CODE * (d + 1); k++) moved += metric[k] * codes[t + k] ** 2;
    }
    const all = shared.subarray(d * m, (d + 1) * m).reduce((sum, share) => sum + share, 0) || 1;
    for (let j = 0; j < m; j++) energy[j] += (moved * shared[d * m + j]) / all;
  }
  const order = Array.from(energy.keys()).sort((a, b) => energy[b] - energy[a] || a - b);
  const total = energy.reduce((sum, e) => sum + e, 0);
  const drivers: number[] = [];
  for (let sum = 0, k = 0; k < Math.min(most, m) && (k === 0 || sum < SHARE * total); k++) {
    drivers.push(order[k]);
    sum += energy[order[k]];
  }
  return { drivers: Uint16Array.from(drivers), posed: posedJoints(rig.bones, drivers) };
}

/** The drivers' own joints and those next to them, nearest first. */
function posedJoints(bones: readonly Bone[], drivers: readonly number[]): Uint16Array {
  const found = new Set<number>();
  const offer = (j: number) => {
    if (j >= 0 && bones[j].parent >= 0 && found.size < MOST_POSED) found.add(j);
  };
  for (const j of drivers) offer(j);
  for (const j of drivers) for (const b of bones.keys()) if (bones[b].parent === j) offer(b);
  for (const j of drivers) offer(bones[j].parent);
  return Uint16Array.from(found);
}
