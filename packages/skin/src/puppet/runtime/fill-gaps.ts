/**
 * Fills gaps of a recording in which joints were lost: short gaps are interpolated linearly; in long ones the joint stays
 * lost, and a puppet holds its last value relative to the body.
 */
import { type Motion, resolveOptions, validateMotion } from '@pelt/model';
import { FILL_GAPS_DEFAULTS, type FillGapsOptions } from '../options.ts';
import { LOST_CONFIDENCE } from './lost.ts';

/** What was lost in a recording. */
export interface GapReport {
  /** Number of interpolated samples (a joint in a frame). */
  readonly interpolated: number;
  /** Number of samples that are held. */
  readonly held: number;
  /** Joints with interpolated or held samples. */
  readonly joints: readonly string[];
  /** Joints that no frame has; they are removed. */
  readonly unseen: readonly string[];
}

/**
 * Fills short gaps of a recording, and removes joints that were never tracked.
 *
 * @param motion  S frames of J joints
 *
 * @example
 * {@includeCode ../../../examples/fill-gaps.ts}
 */
export function fillGaps(
  motion: Motion,
  options?: Partial<FillGapsOptions>,
): { readonly motion: Motion; readonly report: GapReport } {
  const { longestGap } = resolveOptions('fillGaps', FILL_GAPS_DEFAULTS, options);
  validateMotion(motion);
  const S = motion.times.length;
  const J = motion.joints.length;
  const isSeen = (t: number, j: number) => motion.confidence[t * J + j] >= LOST_CONFIDENCE;
  const frames = Array.from({ length: S }, (_, t) => t);
  const kept = motion.joints.map((_, j) => j).filter((j) => frames.some((t) => isSeen(t, j)));
  const positions = new Float32Array(S * kept.length * 3);
  const confidence = new Float32Array(S * kept.length);
  const gaps = new Set<string>();
  let interpolated = 0;
  let held = 0;
  kept.forEach((j, k) => {
    let before = -1;
    let after = frames.findIndex((t) => isSeen(t, j));
    for (let t = 0; t < S; t++) {
      const out = t * kept.length + k;
      if (t === after) {
        before = t;
        after = t + 1;
        while (after < S && !isSeen(after, j)) after++;
      }
      const from = before >= 0 ? before : after;
      const to = after < S ? after : from;
      const share = to > from ? (motion.times[t] - motion.times[from]) / (motion.times[to] - motion.times[from]) : 0;
      const short = before >= 0 && after < S && motion.times[after] - motion.times[before] <= longestGap;
      for (let c = 0; c < 3; c++) {
        const a = motion.positions[3 * (from * J + j) + c];
        const b = motion.positions[3 * (to * J + j) + c];
        positions[3 * out + c] = short ? a + share * (b - a) : a;
      }
      if (t === before) confidence[out] = motion.confidence[t * J + j];
      else {
        gaps.add(motion.joints[j]);
        if (short) {
          confidence[out] = LOST_CONFIDENCE;
          interpolated++;
        } else held++;
      }
    }
  });
  return {
    motion: { ...motion, joints: kept.map((j) => motion.joints[j]), positions, confidence },
    report: {
      interpolated,
      held,
      joints: motion.joints.filter((name) => gaps.has(name)),
      unseen: motion.joints.filter((_, j) => !kept.includes(j)),
    },
  };
}
