/**
 * Fits the predictors of the triangles' deformation gradients in the form that is the default: R = Q_ref exp(Σ_b A_b x_b) with
 * free A_b, by ridge regression. The reference bone (the triangle's dominant one or a neighbour in the skeleton), the
 * joints and the ridge are those of the least leave-one-out error. Scale and shear follow (fit-stretches.ts).
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 3). Its one factor and
 * one rotation per joint cannot represent joints that bend and twist.
 */
import { type Bone, checkCancelled, type GradientPredictors, type Run } from '@pelt/model';
import { fitStretches } from './fit-stretches.ts';
import { leaveOneOutErrors, type RidgeCandidate, ridgeCandidates } from './ridge-candidates.ts';
import type { RotationTargets } from './rotation-targets.ts';

/** Candidate ridges for the rotations, in squared radians, as the sums of squared features. */
const RIDGES = [1e-3, 1e-2, 1e-1, 1];
/** A richer candidate must lower the leave-one-out error to this fraction. */
const PREFERENCE = 0.98;
/** Squared error, in squared radians, that counts as noise. */
const NOISE = 1e-10;
/** Most joints that one triangle depends on. */
const MOST_JOINTS = 4;

/** The skeleton that gradients are predicted from. */
export interface PredictingSkeleton {
  /** m */
  readonly bones: readonly Bone[];
  /** f: the bone that moves each triangle most */
  readonly dominant: Int32Array;
}

export function fitPredictors(
  targets: RotationTargets,
  { bones, dominant }: PredictingSkeleton,
  run: Run,
): GradientPredictors {
  const { f, S } = targets;
  const values = targets.readings.map((reading) => reading.values);
  const sets = bones.map((_, j) => jointSets(jointsAt(bones, j)));
  const slots = Math.max(1, ...sets.flatMap((tried) => tried.map((blocks) => blocks.length)));
  const predictors: GradientPredictors = {
    form: 'exponential-of-sum',
    slots,
    references: Uint16Array.from(dominant),
    blocks: new Int32Array(f * slots).fill(-1),
    rotationMaps: new Float64Array(9 * f * slots),
    stretchMaps: new Float64Array(36 * f * slots),
  };
  const least = new Float64Array(f).fill(Number.POSITIVE_INFINITY);
  bones.forEach(({ parent }, j) => {
    checkCancelled(run);
    run.onProgress?.({ stage: 'fitting rotations', fraction: j / bones.length });
    // Triangles whose dominant bone is this one or a neighbour of it.
    const near = bones.map((bone, b) => b === j || b === parent || bone.parent === j);
    const chosen = Int32Array.from(dominant.keys()).filter((k) => near[dominant[k]]);
    const logs = targets.logs(j, jointsAt(bones, j), chosen);
    const candidates = ridgeCandidates(sets[j], values, RIDGES);
    const errors = leaveOneOutErrors(candidates, logs, S, run);
    chosen.forEach((k, a) => {
      const own = errors.subarray(a * candidates.length, (a + 1) * candidates.length);
      let pick = 0;
      for (let c = 1; c < own.length; c++) if (own[c] + NOISE < PREFERENCE * own[pick]) pick = c;
      const error = j === dominant[k] ? PREFERENCE * own[pick] : own[pick] + NOISE;
      if (!(error < least[k])) return;
      least[k] = error;
      predictors.references[k] = j;
      keep(predictors, k, candidates[pick], logs.subarray(3 * a), 3 * chosen.length, S);
    });
  });
  fitStretches(targets, predictors, run);
  return predictors;
}

/** @param logs  targets, S rows at a distance of `stride` */
function keep(
  { slots, blocks, rotationMaps }: GradientPredictors,
  k: number,
  candidate: RidgeCandidate,
  logs: Float64Array,
  stride: number,
  S: number,
): void {
  blocks.fill(-1, k * slots, (k + 1) * slots);
  candidate.blocks.forEach((block, s) => {
    blocks[k * slots + s] = block;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let t = 0; t < S; t++) sum += candidate.operator[(3 * s + c) * S + t] * logs[stride * t + r];
        rotationMaps[9 * (k * slots + s) + 3 * r + c] = sum;
      }
    }
  });
}

/** The joints at the ends of a bone: its own, unless it is a root, and its children's. */
function jointsAt(bones: readonly Bone[], bone: number): number[] {
  return bones.flatMap(({ parent }, b) => (parent === bone || (b === bone && parent >= 0) ? [b] : []));
}

/** Candidate sets of coordinate blocks: one joint, two joints, all joints, in either chart. */
function jointSets(joints: readonly number[]): number[][] {
  const charts = [0, 1];
  const singles = joints.map((joint) => [joint]);
  const pairs = joints.flatMap((a, k) => joints.slice(k + 1).map((b) => [a, b]));
  const all = joints.length > 2 ? [joints.slice(0, MOST_JOINTS)] : [];
  const sets = [...singles, ...pairs, ...all].flatMap((set) => charts.map((chart) => set.map((b) => 2 * b + chart)));
  // Both charts of one joint at once, for rotations that mix swing and twist by fractions that vary along the skin.
  return [...sets, ...joints.map((joint) => charts.map((chart) => 2 * joint + chart))];
}
