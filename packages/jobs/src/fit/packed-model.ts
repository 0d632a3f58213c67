/** What a fit becomes before it is packed. */
import type { Clip, MeshSequence, Rig, Run } from '@pelt/model';
import { roundWeights } from '@pelt/skin/reduce';

/** One set of weights is stored in bytes. */
const MOST_IN_BYTES = 4;

/**
 * Weights in whole bytes, with bones that make up for it: a fit may give a bone far away a weight of a millionth, which no
 * rounding by itself keeps.
 */
export function inBytes(
  rig: Rig,
  clip: Clip,
  sequence: MeshSequence,
  run: Run,
): { readonly rig: Rig; readonly clip: Clip } {
  if (rig.weights.slots > MOST_IN_BYTES) return { rig, clip };
  const input = { rig, clips: [clip], examples: [{ ...sequence, times: clip.times }] };
  const rounded = roundWeights(input, { levels: 255, bones: 'refit' }, run);
  return { rig: rounded.rig, clip: rounded.clips[0] };
}

/** S × R amounts of all frames, cut into those of each clip. */
export function cutAmounts(amounts: Float32Array, clips: readonly Clip[], R: number): Float32Array[] {
  let from = 0;
  return clips.map(({ times }) => {
    const own = amounts.slice(from * R, (from + times.length) * R);
    from += times.length;
    return own;
  });
}
