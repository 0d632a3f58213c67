/**
 * Predictors of the triangles' gradients, improved form: R = Q_ref exp(Σ_b A_b x_b) with free A_b, by one ridge solve.
 * Reference bone (the triangle's dominant one or a neighbour in the skeleton), joints and ridge are the ones that
 * predict poses left out best. Then scale and shear: the nine numbers of R_predᵀD − I on [x, 1 − cos‖x‖], through the
 * origin, so that rest gives rest.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 3), whose one factor
 * and one rotation a joint are too poor for joints that bend and twist.
 */
import type { Bone, GradientPredictors, SkinWeights } from '@pelt/model';
import { checkCancelled, type RunContext } from '@pelt/model';
import { predictTurn } from '../../deform/envelope/gradient-predictors.ts';
import { type RidgeCandidate, ridgeCandidates, ridgeOperator } from './ridge-candidates.ts';
import { dominantBones, type RotationTargets } from './rotation-targets.ts';

/** Ridges that are tried for the rotations: squared radians, beside the sums of the features' squares. */
const RIDGES = [1e-3, 1e-2, 1e-1, 1];
/** Ridge of scale and shear; too few poses to choose it. */
const STRETCH_RIDGE = 1e-2;
/** A richer candidate must predict poses left out better by this share. */
const PREFERENCE = 0.98;
/** Squared error (radians) that is noise: a candidate below it has nothing left to win. */
const NOISE = 1e-10;
/** Joints that one triangle listens to. */
const MOST_JOINTS = 4;

interface Reference {
  readonly bone: number;
  readonly joints: readonly number[];
  readonly candidates: readonly RidgeCandidate[];
}

export function fitPredictors(
  targets: RotationTargets,
  triangles: Uint32Array,
  bones: readonly Bone[],
  skin: SkinWeights,
  context?: RunContext,
): GradientPredictors {
  const { f, S } = targets;
  const dominant = dominantBones(triangles, skin, bones.length);
  const values = targets.readings.map((reading) => reading.values);
  const references = bones.map((_, bone): Reference => {
    const joints = jointsAt(bones, bone);
    return { bone, joints, candidates: ridgeCandidates(jointSets(joints), values, RIDGES) };
  });
  const slots = Math.max(1, ...references.flatMap(({ candidates }) => candidates.map(({ blocks }) => blocks.length)));
  const predictors: GradientPredictors = {
    form: 'improved',
    slots,
    references: new Uint16Array(f),
    blocks: new Int32Array(f * slots).fill(-1),
    rotationMaps: new Float64Array(9 * f * slots),
    stretchMaps: new Float64Array(36 * f * slots),
  };
  const logs = new Float64Array(3 * S);
  const gram = new Float64Array(S * S);
  for (let k = 0; k < f; k++) {
    if (k % 1024 === 0) {
      checkCancelled(context);
      context?.onProgress?.({ stage: 'fitting rotations', fraction: k / f });
    }
    const own = dominant[k];
    const tried = [own, ...bones.flatMap((bone, j) => (bone.parent === own || bones[own].parent === j ? [j] : []))];
    let best = Number.POSITIVE_INFINITY;
    let choice: { reference: Reference; candidate: RidgeCandidate } | undefined;
    for (const j of tried) {
      const reference = references[j];
      gramOf(targets.logs(k, j, reference.joints, logs), S, gram);
      for (const candidate of reference.candidates) {
        const error = inner(candidate.leaveOneOut, gram);
        if (error + NOISE < PREFERENCE * best) {
          best = error;
          choice = { reference, candidate };
        }
      }
    }
    if (!choice) continue;
    const { reference, candidate } = choice;
    predictors.references[k] = reference.bone;
    targets.logs(k, reference.bone, reference.joints, logs);
    candidate.blocks.forEach((block, s) => {
      predictors.blocks[k * slots + s] = block;
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let t = 0; t < S; t++) sum += candidate.operator[(3 * s + c) * S + t] * logs[3 * t + r];
          predictors.rotationMaps[9 * (k * slots + s) + 3 * r + c] = sum;
        }
      }
    });
  }
  fitStretches(targets, predictors);
  return predictors;
}

/** Fills `stretchMaps` for rotations that are fitted. */
export function fitStretches(targets: RotationTargets, predictors: GradientPredictors): void {
  const { S, readings } = targets;
  const { slots, blocks, references, stretchMaps } = predictors;
  const operators = new Map<string, Float64Array>();
  const turn = new Float64Array(9);
  const scratch = new Float64Array(12);
  const leftover = new Float64Array(9 * S);
  for (let k = 0; k < references.length; k++) {
    const used = Array.from(blocks.subarray(k * slots, (k + 1) * slots)).filter((block) => block >= 0);
    if (used.length === 0) continue;
    const key = used.join();
    let operator = operators.get(key);
    if (!operator) {
      const features = Float64Array.from(
        readings.flatMap(({ values, versines }) =>
          used.flatMap((block) => [...values.subarray(3 * block, 3 * block + 3), versines[block]]),
        ),
      );
      operator = ridgeOperator(features, S, STRETCH_RIDGE);
      operators.set(key, operator);
    }
    readings.forEach(({ rotations, values }, t) => {
      predictTurn(predictors, k, values, scratch, turn);
      stretchLeft(rotations, 9 * references[k], turn, targets.gradients[t], 9 * k, leftover, 9 * t);
    });
    for (let s = 0; s < used.length; s++) {
      for (let c = 0; c < 9; c++) {
        for (let a = 0; a < 4; a++) {
          let sum = 0;
          for (let t = 0; t < S; t++) sum += operator[(4 * s + a) * S + t] * leftover[9 * t + c];
          stretchMaps[36 * (k * slots + s) + 4 * c + a] = sum;
        }
      }
    }
  }
}

/** (Q T)ᵀ D − I. */
export function stretchLeft(
  Q: Float64Array,
  q: number,
  T: Float64Array,
  D: Float64Array,
  d: number,
  out: Float64Array,
  o: number,
): void {
  for (let c = 0; c < 3; c++) {
    const x = Q[q] * D[d + c] + Q[q + 3] * D[d + 3 + c] + Q[q + 6] * D[d + 6 + c];
    const y = Q[q + 1] * D[d + c] + Q[q + 4] * D[d + 3 + c] + Q[q + 7] * D[d + 6 + c];
    const z = Q[q + 2] * D[d + c] + Q[q + 5] * D[d + 3 + c] + Q[q + 8] * D[d + 6 + c];
    for (let r = 0; r < 3; r++) out[o + 3 * r + c] = T[r] * x + T[3 + r] * y + T[6 + r] * z - (r === c ? 1 : 0);
  }
}

/** The joints at a bone: its own, where it has a parent, and its children's. */
export function jointsAt(bones: readonly Bone[], bone: number): number[] {
  return bones.flatMap(({ parent }, b) => (parent === bone || (b === bone && parent >= 0) ? [b] : []));
}

/** One joint, two, all: each in either chart, several in the same one. */
function jointSets(joints: readonly number[]): number[][] {
  const charts = [0, 1];
  const singles = joints.map((joint) => [joint]);
  const pairs = joints.flatMap((a, k) => joints.slice(k + 1).map((b) => [a, b]));
  const all = joints.length > 2 ? [joints.slice(0, MOST_JOINTS)] : [];
  const sets = [...singles, ...pairs, ...all].flatMap((set) => charts.map((chart) => set.map((b) => 2 * b + chart)));
  // Both charts of one joint at once: rotations that mix swing and twist by shares that differ along the skin.
  return [...sets, ...joints.map((joint) => charts.map((chart) => 2 * joint + chart))];
}

function gramOf(logs: Float64Array, S: number, out: Float64Array): void {
  for (let t = 0; t < S; t++) {
    for (let u = 0; u <= t; u++) {
      const sum = logs[3 * t] * logs[3 * u] + logs[3 * t + 1] * logs[3 * u + 1] + logs[3 * t + 2] * logs[3 * u + 2];
      out[t * S + u] = out[u * S + t] = sum;
    }
  }
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
