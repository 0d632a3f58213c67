/** From a rig to a smaller one: bones, weights, layers and loops, before anything becomes bytes. */
import { type SkinnedModel, twoLayerExtension } from '@pelt/io';
import { mostWeights, type Rig, type Run, type SkinWeights, stageOf, UnsupportedError, vertexCount } from '@pelt/model';
import type { GltfEdit } from '@pelt/pack';
import {
  bakeVirtualBones,
  findLoop,
  reduceBones,
  reduceTwoLayer,
  reduceWeights,
  roundWeights,
  type TwoLayerSkin,
} from '@pelt/skin/reduce';
import { characterOf } from '../input/asset-motion.ts';
import { requireSkin } from '../input/open-character.ts';
import { meanWeights } from '../outputs/skin-flops.ts';
import { flattenLayers } from './flatten-layers.ts';
import { requireSprings } from './kept-springs.ts';
import { type ReductionSource, type WeldedProblem, weldedProblem } from './reduction-source.ts';
import type { ReduceMethod } from './table.ts';

export interface RigChoices {
  readonly method: ReduceMethod;
  readonly weights: number;
  /** Most bones; undefined for all. */
  readonly bones: number | undefined;
  readonly virtual: number | undefined;
  readonly keepBones: boolean;
  /** Let the bones of a skeleton move as loose ones do. */
  readonly refitBones: boolean;
  /** Keep the master bones beside the virtual ones. */
  readonly masters: boolean;
  readonly loops: boolean;
  /** Weights in whole steps of 1/255. */
  readonly byteWeights: boolean;
  /** Allow fewer weights where a vertex would have more of them than before, on average. */
  readonly neverSlower: boolean;
}

export interface SmallerRig {
  /** The rig as it is now, for the vertices of the file. */
  readonly rig: Rig;
  /** What is different in the file that it came from: its nodes, parts, names and curves stay. */
  readonly edit: GltfEdit;
  /** A file of its own in place of that, where bones have moved. */
  readonly model?: SkinnedModel;
  /** Whether it may show anything else than before. */
  readonly changed: boolean;
  /** Present where the method has two layers. */
  readonly layers?: TwoLayerSkin;
  /** For each clip the frames of its loop; 0 for none. */
  readonly periods: readonly number[];
  readonly iterations: number;
}

export function smallerRig(given: ReductionSource, choices: RigChoices, run: Run): SmallerRig {
  const smaller = notSlower(given, choices, run);
  requireSprings(given, smaller);
  return smaller;
}

/**
 * With fewer bones the solver may give a vertex more weights than it had, up to what is allowed. Where that would make
 * skinning slower, fewer are allowed.
 */
function notSlower(given: ReductionSource, choices: RigChoices, run: Run): SmallerRig {
  const smaller = reducedRig(given, choices, run);
  const slower = meanWeights(smaller.rig.weights) > meanWeights(given.rig.weights);
  if (!choices.neverSlower || smaller.layers || !slower || choices.weights <= 1) return smaller;
  return notSlower(
    given,
    { ...choices, weights: Math.min(choices.weights, mostWeights(smaller.rig.weights)) - 1 },
    run,
  );
}

function reducedRig(given: ReductionSource, choices: RigChoices, run: Run): SmallerRig {
  const { method } = choices;
  const source = reducedSource(given, choices);
  const { rig, examples, morphs, flattened } = source;
  const fewerBones = choices.bones !== undefined && choices.bones < rig.bones.length;
  if (!fitsAsItIs(given, choices)) requireReducible(given);
  // A rig that is its own truth and has no weight too many is best as it is.
  const fits = !examples && !flattened && isWithin(rig, choices);
  if (fits && method !== 'two-layer') return asItIs(source, rig, undefined, choices, 0);
  // Bones of a skeleton have offsets that stay: moved for each frame alone, each would need a curve for its place.
  const skeleton = !examples && !choices.refitBones && rig.bones.some(({ parent }) => parent >= 0);
  const bones = choices.keepBones || morphs || skeleton ? 'keep' : 'refit';
  const welded = weldedProblem(source, bones === 'refit' || method === 'two-layer');
  let input = welded.input;
  if (fewerBones) {
    const fewer = reduceBones(input, { count: choices.bones, bones }, stageOf(run, 0, 0.3));
    input = { ...input, rig: fewer.rig, clips: fewer.clips };
  }
  const stage = stageOf(run, 0.3, 0.9);
  if (method === 'two-layer') return twoLayers(source, welded, input, choices, stage);
  let reduced = reduceWeights(input, { method, weights: choices.weights, bones }, stage);
  const { iterations } = reduced;
  if (bones === 'keep' && !examples && !flattened) {
    const whole = welded.unweld(reduced.rig);
    return asItIs(source, whole, onBonesOf(source.rig, whole), choices, iterations);
  }
  if (choices.byteWeights && choices.weights <= 4) {
    const { rig: last, clips } = reduced;
    reduced = roundWeights({ ...input, rig: last, clips }, { levels: 255, bones }, run);
  }
  return { ...newFile(source, welded, reduced.rig, reduced.clips[0].transforms, choices), iterations };
}

/** Whether its weights and bones stay, so that whatever depends on them may. */
function fitsAsItIs({ rig, examples }: ReductionSource, choices: RigChoices): boolean {
  return choices.method !== 'two-layer' && !examples && isWithin(rig, choices);
}

/** Weights and bones are taken from linear blending, alone or in two layers. */
function requireReducible({ asset, name }: ReductionSource): void {
  const skins = new Map<string, number>();
  for (const { mesh, primitive, skin } of asset.scene.ranges) {
    const known = skins.get(`${mesh} ${primitive}`);
    if (skin >= 0 && known !== undefined && known !== skin) {
      throw new UnsupportedError(
        `several skins of '${name}' move one mesh, whose weights cannot differ; pack it: pelt convert --compress meshopt`,
      );
    }
    if (skin >= 0) skins.set(`${mesh} ${primitive}`, skin);
  }
  const character = characterOf(asset, name);
  const opened = { path: name, character };
  const cure = 'reduce the rig first and learn its skin from that';
  requireSkin(opened, ['linear', 'two-layer'], 'fewer weights or bones are found for linear blending', cure);
  if (!character.poseSpace) return;
  throw new UnsupportedError(
    `'${name}' has a pose space, which belongs to the weights that it has now; reduce the rig first, then pelt pose --save`,
  );
}

function isWithin({ bones, weights }: Rig, choices: RigChoices): boolean {
  return !(choices.bones !== undefined && choices.bones < bones.length) && mostWeights(weights) <= choices.weights;
}

/** Of a file with two layers the masters, unless it may stay as it is. */
function reducedSource(source: ReductionSource, choices: RigChoices): ReductionSource {
  const stays = choices.method !== 'two-layer' && !source.examples && isWithin(source.rig, choices);
  return (stays ? undefined : flattenLayers(source)) ?? source;
}

function twoLayers(
  source: ReductionSource,
  welded: WeldedProblem,
  input: WeldedProblem['input'],
  { virtual, masters, ...choices }: RigChoices,
  run: Run,
): SmallerRig {
  const objective = source.examples ? 'shapes' : 'weights';
  const room = Math.max(fittingBones(source), input.rig.bones.length);
  // Where there is room for one per vertex, their number is that which is cheapest to play.
  const count = virtual ?? (room < vertexCount(input.rig.mesh) / 2 ? room : undefined);
  const { skin } = reduceTwoLayer(input, { virtual: count, objective }, run);
  const baked = bakeVirtualBones({ rig: input.rig, clips: input.clips, skin }, { masters: masters ? 'keep' : 'drop' });
  const file = newFile(source, welded, baked.rig, baked.clips[0].transforms, { ...choices, virtual, masters });
  const model = masters ? { ...file.model, extensions: [twoLayerExtension(skin)] } : file.model;
  return { ...file, model: model as SkinnedModel, layers: skin, iterations: 0 };
}

/** Bytes of a key of translation, rotation and scale; of a channel as text; of a vertex and of a triangle. */
const [KEY_BYTES, CHANNEL_BYTES, VERTEX_BYTES, TRIANGLE_BYTES] = [40, 165, 48, 6];
/** Of what is left beside mesh and images. */
const FITTING_SHARE = 0.75;

/** Virtual bones whose curves do not make the file larger than it was: each has its own in every clip. */
function fittingBones({ bytes, rig, clips }: ReductionSource): number {
  const { images = [], triangles } = rig.mesh;
  const frames = clips.reduce((sum, { times }) => sum + times.length, 0);
  const perBone = KEY_BYTES * frames + 3 * CHANNEL_BYTES * clips.length;
  const fixed =
    images.reduce((sum, image) => sum + image.bytes.length, 0) +
    VERTEX_BYTES * vertexCount(rig.mesh) +
    (TRIANGLE_BYTES * triangles.length) / 3;
  return Math.floor((FITTING_SHARE * Math.max(bytes - fixed, 0)) / perBone);
}

/** The file that it came from, with other weights, and each loop once. */
function asItIs(
  source: ReductionSource,
  rig: Rig,
  weights: SkinWeights | undefined,
  { loops }: RigChoices,
  iterations: number,
): SmallerRig {
  const periods = source.clips.map((clip) =>
    loops && !source.morphs ? (findLoop({ rig: source.rig, clip })?.period ?? 0) : 0,
  );
  const ends = periods.map((period, c) => (period > 0 ? source.starts[c] + source.clips[c].times[period] : undefined));
  const cut = periods.some((period) => period > 0);
  const edit = { ...(weights && { weights }), ...(cut && { ends }) };
  return { rig, edit, changed: weights !== undefined || cut, periods, iterations };
}

/** Weights over the bones that the file has, of a rig with some of them. */
function onBonesOf(all: Rig, { bones, weights }: Rig): SkinWeights {
  const place = bones.map((bone) =>
    all.bones.findIndex(({ name, rest }) => rest === bone.rest || sameBone(bone, name, rest)),
  );
  return { ...weights, bones: weights.bones.map((j) => place[j]) };
}

function sameBone(bone: Rig['bones'][number], name: string, rest: Float64Array): boolean {
  return bone.name === name && bone.rest.every((value, k) => value === rest[k]);
}

/** A file of its own: for the vertices of the file, in clips, each loop once. */
function newFile(
  source: ReductionSource,
  welded: WeldedProblem,
  reduced: Rig,
  transforms: Float64Array,
  { loops }: RigChoices,
): SmallerRig {
  const rig = welded.unweld(reduced);
  const clips = welded.cut({ ...welded.clip, transforms }, rig.bones.length);
  const found = clips.map((clip) => (loops && !source.morphs ? findLoop({ rig, clip }) : undefined));
  const sameBones = rig.bones.length === source.rig.bones.length;
  const model: SkinnedModel = {
    rig,
    clips: clips.map((clip, c) => found[c]?.clip ?? clip),
    ...(source.morphs && { morphs: source.morphs }),
    ...(sameBones && { boneExtras: source.boneExtras }),
    ...(source.extras !== undefined && { extras: source.extras as Record<string, unknown> }),
  };
  return { rig, edit: {}, model, changed: true, periods: found.map((loop) => loop?.period ?? 0), iterations: 0 };
}
