/**
 * Two ways to find the proxy bones and the key gradients of a reduced skin, from poses at which the full one is sampled.
 * In both, the Poisson problem restricted to the proxies then gives two constant matrices.
 *
 * The own one: a decomposition of the samples into affine bones with sparse weights gives the proxies, and the triangles
 * that explain all gradients best give the keys, with predictors that are trained already. As published: groups of
 * triangles are joined one by one, and new key gradients are found by a descent (thesis-reduction).
 */
import {
  checkCancelled,
  type Envelope,
  type GradientPredictors,
  type ReducedEnvelope,
  type Run,
  type SkinWeights,
  stageOf,
  uniformTimes,
} from '@pelt/model';
import { decompose } from '../../decompose/decompose.ts';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { GradientPrediction } from '../runtime/gradient-predictors.ts';
import { PoseCoordinates } from '../runtime/pose-coordinates.ts';
import { chooseKeys } from './key-gradients.ts';
import { plainSkin } from './plain-reduction.ts';
import { reducedMatrices } from './reduced-system.ts';
import { samplePoses } from './sample-poses.ts';
import { sparseDrive } from './sparse-drive.ts';
import { reduceAsPublished } from './thesis-reduction/reduce-as-published.ts';

/** Reduces to P proxies. */
export type ProxyReduction = (proxies: number, run: Run) => ReducedEnvelope;

/** A skin by rotational regression. */
export type RegressedEnvelope = Envelope & { readonly predictors: GradientPredictors };

/** Rounds of the decomposition: the matrices that drive the proxies are fitted after it, and what a search for a better
 * minimum gains is lost there. */
const ROUNDS = 40;
/** Most samples that are decomposed into proxies; the keys are fitted to all. */
const MOST_DECOMPOSED = 48;

/** Poses by which the few keys and joints of each proxy are chosen; they cost no sample of the full skin. */
const DRIVEN = 240;

/**
 * @param poses  m × 12 each
 * @param limits  most keys, most proxies per vertex, and whether proxies read a few keys only
 */
export function decomposedReduction(
  envelope: RegressedEnvelope,
  poses: readonly Float64Array[],
  { keys: mostKeys, weights, sparse }: { readonly keys: number; readonly weights: number; readonly sparse: boolean },
  run: Run,
): ProxyReduction {
  const { rig, centres, fixed, predictors } = envelope;
  const S = Math.min(MOST_DECOMPOSED, poses.length);
  const { shapes: frames, gradients } = sample(envelope, poses, S, run);
  const { keys, shares } = chooseKeys(gradients, rig.mesh.triangles.length / 3, mostKeys, run);
  const drives = samplePoses(rig.bones, centres, poses, DRIVEN);
  return (proxies, inner) => {
    const fitted = decompose(
      { name: rig.name, rest: rig.mesh, frames, times: uniformTimes(S, 1) },
      { method: 'affine', bones: proxies, weights, restPose: 'keep', rounds: ROUNDS },
      inner,
    );
    const P = fitted.rig.bones.length;
    const dense = {
      rig,
      centres,
      proxies: P,
      keys: predictorsAt(predictors, keys),
      ...reducedMatrices(envelope, fitted.rig.weights, P, shares, inner),
      skin: withBones(fitted.rig.weights, P, rig.weights, fixed),
    };
    return sparse ? withUsedKeys(sparseDrive(dense, drives, inner)) : dense;
  };
}

/** Leaves out the keys that no proxy reads. */
function withUsedKeys(reduced: ReducedEnvelope): ReducedEnvelope {
  const { keys, fromKeys } = reduced;
  const L = keys.references.length;
  const isUsed = new Uint8Array(L);
  fromKeys.forEach((value, k) => {
    if (value !== 0) isUsed[Math.floor((k % (3 * L)) / 3)] = 1;
  });
  const used = Int32Array.from(isUsed.keys()).filter((l) => isUsed[l] === 1);
  const kept = new Float64Array((fromKeys.length / L) * used.length);
  used.forEach((l, to) => {
    for (let row = 0; row * 3 * L < fromKeys.length; row++) {
      const from = 3 * (row * L + l);
      kept.set(fromKeys.subarray(from, from + 3), 3 * (row * used.length + to));
    }
  });
  return { ...reduced, keys: predictorsAt(keys, used), fromKeys: kept };
}

/**
 * @param poses    m × 12 each
 * @param weights  most proxies per vertex
 */
export function publishedReduction(
  envelope: RegressedEnvelope,
  poses: readonly Float64Array[],
  weights: number,
  run: Run,
): ProxyReduction {
  const { rig, centres, fixed } = envelope;
  if (rig.mesh.triangles.length === 0) return () => plainSkin(envelope);
  const S = Math.min(MOST_DECOMPOSED, poses.length);
  const used = poses.slice(0, S);
  const { shapes } = sample(envelope, used, S, run);
  const size = rig.mesh.positions.length;
  const each = used.map((_, t) => shapes.subarray(t * size, (t + 1) * size));
  return (proxies, inner) => {
    const most = { proxies, slots: weights };
    const {
      proxies: P,
      weights: skin,
      shares,
      keys,
    } = reduceAsPublished(envelope, used, each, most, stageOf(inner, 0, 0.9));
    return {
      rig,
      centres,
      proxies: P,
      keys,
      ...reducedMatrices(envelope, skin, P, shares, inner),
      skin: withBones(skin, P, rig.weights, fixed),
    };
  };
}

/** The uncorrected skin: S × n × 3 shapes at the first S of the poses, f × 9 gradients at each of them. */
function sample(envelope: RegressedEnvelope, poses: readonly Float64Array[], S: number, run: Run) {
  const { mesh, bones } = envelope.rig;
  const f = mesh.triangles.length / 3;
  const deformer = new EnvelopeDeformer(envelope, run);
  const coordinates = new PoseCoordinates(bones, envelope.centres);
  const prediction = new GradientPrediction(envelope.predictors);
  const predicted = new Float64Array(9 * f);
  const shapes = new Float32Array(S * mesh.positions.length);
  // The largest array of a reduction: half as large in float32, which is far finer than what keys explain.
  const gradients = new Float32Array(9 * f * poses.length);
  try {
    poses.forEach((pose, t) => {
      checkCancelled(run);
      if (t < S) shapes.set(deformer.deformUncorrected(pose), t * mesh.positions.length);
      const D = t < S ? deformer.gradients : prediction.predict(coordinates.read(pose), predicted);
      for (let k = 0, to = 9 * t; k < 9 * f; k += 9, to += 9 * poses.length) {
        for (let c = 0; c < 9; c++) gradients[to + c] = D[k + c];
      }
    });
  } finally {
    deformer.dispose();
  }
  return { shapes, gradients };
}

function predictorsAt(all: GradientPredictors, keys: Int32Array): GradientPredictors {
  const { form, slots, references, blocks, rotationMaps, stretchMaps } = all;
  const P = keys.length;
  const chosen: GradientPredictors = {
    form,
    slots,
    references: Uint16Array.from(keys, (k) => references[k]),
    blocks: new Int32Array(P * slots),
    rotationMaps: new Float64Array(9 * P * slots),
    stretchMaps: new Float64Array(36 * P * slots),
  };
  keys.forEach((k, l) => {
    chosen.blocks.set(blocks.subarray(k * slots, (k + 1) * slots), l * slots);
    chosen.rotationMaps.set(rotationMaps.subarray(9 * k * slots, 9 * (k + 1) * slots), 9 * l * slots);
    chosen.stretchMaps.set(stretchMaps.subarray(36 * k * slots, 36 * (k + 1) * slots), 36 * l * slots);
  });
  return chosen;
}

/** The proxies' weights for free vertices, and the skeleton's, at an offset of P, for fixed ones. */
function withBones(proxies: SkinWeights, P: number, skeleton: SkinWeights, fixed: Uint8Array): SkinWeights {
  const slots = Math.max(proxies.slots, skeleton.slots);
  const skin = { slots, bones: new Uint16Array(fixed.length * slots), weights: new Float32Array(fixed.length * slots) };
  fixed.forEach((flag, i) => {
    const from = flag ? skeleton : proxies;
    for (let s = 0; s < from.slots; s++) {
      const weight = from.weights[i * from.slots + s];
      if (weight === 0) continue;
      skin.bones[i * slots + s] = from.bones[i * from.slots + s] + (flag ? P : 0);
      skin.weights[i * slots + s] = weight;
    }
  });
  return skin;
}
