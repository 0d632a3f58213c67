/** From a rig to a smaller one: bones, weights, layers, loops and keys, before anything becomes bytes. */
import { type SkinnedModel, twoLayerExtension } from '@pelt/io';
import { type Clip, mostWeights, type Rig, type Run, type RunContext, stageOf } from '@pelt/model';
import { linearSequenceErrors } from '@pelt/skin/decompose';
import {
  bakeVirtualBones,
  findLoop,
  keyCount,
  reduceBones,
  reduceTwoLayer,
  reduceWeights,
  roundWeights,
  type TwoLayerSkin,
  thinKeys,
} from '@pelt/skin/reduce';
import type { ReductionSource } from './reduction-source.ts';
import type { ReduceMethod } from './table.ts';

export interface RigChoices {
  readonly method: ReduceMethod;
  readonly weights: number;
  /** Most bones; undefined for all. */
  readonly bones: number | undefined;
  readonly virtual: number | undefined;
  readonly keepBones: boolean;
  /** Keep the master bones beside the virtual ones. */
  readonly masters: boolean;
  readonly loops: boolean;
  /** Weights in whole steps of 1/255. */
  readonly byteWeights: boolean;
  /** Examples were not given, and the method knows one without: judge by the weights. */
  readonly judge: 'shapes' | 'weights';
}

export interface SmallerRig {
  readonly model: SkinnedModel;
  /** Present where the method has two layers. */
  readonly layers?: TwoLayerSkin;
  /** For each clip the frames of its loop; 0 for none. */
  readonly periods: readonly number[];
  readonly iterations: number;
}

export function smallerRig(source: ReductionSource, choices: RigChoices, run: Run): SmallerRig {
  let input = source.input;
  const fewerBones = choices.bones !== undefined && choices.bones < input.rig.bones.length;
  // A rig that is its own truth and has no weight too many is best as it is.
  const asItIs = !source.fromExamples && !fewerBones && mostWeights(input.rig.weights) <= choices.weights;
  const bones = choices.keepBones || source.morphs || asItIs ? 'keep' : 'refit';
  if (fewerBones) {
    const fewer = reduceBones(input, { count: choices.bones, bones }, stageOf(run, 0, 0.3));
    input = { ...input, rig: fewer.rig, clips: fewer.clips };
  }
  const stage = stageOf(run, 0.3, 0.9);
  if (choices.method === 'two-layer') {
    const { virtual, judge } = choices;
    const { skin } = reduceTwoLayer(input, { virtual, objective: judge }, stage);
    const masters = choices.masters ? 'keep' : 'drop';
    const baked = bakeVirtualBones({ rig: input.rig, clips: input.clips, skin }, { masters });
    const finished = finish(source, baked.rig, baked.clips[0], choices);
    const model = choices.masters ? { ...finished.model, extensions: [twoLayerExtension(skin)] } : finished.model;
    return { ...finished, model, layers: skin, iterations: 0 };
  }
  const { method, weights } = choices;
  // The largest weights, where they are all there are, are the same again.
  let reduced = reduceWeights(input, { method: asItIs ? 'k-largest' : method, weights, bones }, stage);
  const { iterations } = reduced;
  if (choices.byteWeights && weights <= 4) {
    const { rig, clips } = reduced;
    reduced = roundWeights({ ...input, rig, clips }, { levels: 255, bones }, run);
  }
  return { ...finish(source, reduced.rig, reduced.clips[0], choices), iterations };
}

/** For the vertices of the file, in clips, each loop once. */
function finish(source: ReductionSource, rig: Rig, joined: Clip, { loops }: RigChoices) {
  const whole = source.unweld(rig, joined);
  const found = whole.clips.map((clip) => (loops && !source.morphs ? findLoop({ rig: whole.rig, clip }) : undefined));
  const sameBones = rig.bones.length === source.rig.bones.length;
  const model: SkinnedModel = {
    rig: whole.rig,
    clips: whole.clips.map((clip, c) => found[c]?.clip ?? clip),
    ...(source.morphs && { morphs: source.morphs }),
    ...(sameBones && { boneExtras: source.boneExtras }),
  };
  return { model, periods: found.map((loop) => loop?.period ?? 0) };
}

/** The same with as few keys as the limit allows. */
export function withFewerKeys(
  source: ReductionSource,
  smaller: SmallerRig,
  limit: number,
  context: RunContext | undefined,
): SmallerRig {
  const { model, periods } = smaller;
  const keys = model.clips.map((clip, c) => {
    const all = model.rig.bones.map(() => Int32Array.from({ length: clip.times.length }, (_, t) => t));
    const truth = source.truths[c];
    const S = clip.times.length;
    if (S < 3) return all;
    const size = truth.rest.positions.length;
    const frames = new Float32Array(S * size);
    for (let t = 0; t < S; t++) {
      const from = periods[c] > 0 ? t % periods[c] : t;
      frames.set(truth.frames.subarray(from * size, (from + 1) * size), t * size);
    }
    const shown = { ...truth, frames, times: clip.times };
    // No clip may be thinned into an error that it has already.
    const own = linearSequenceErrors({ sequence: shown, rig: model.rig, clip }, context).eRms;
    if (own >= limit) return all;
    const thinned = thinKeys({ rig: model.rig, clip, truth: shown }, { maxError: limit }, context);
    return keyCount(thinned.keys) < keyCount(all) ? thinned.keys : all;
  });
  return { ...smaller, model: { ...model, keys } };
}
