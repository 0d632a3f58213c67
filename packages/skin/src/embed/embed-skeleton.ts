/**
 * Entry point: embed a skeleton into a mesh without motion, and weigh its skin: joints by centre lines and limbs
 * (embed-joints.ts), weights by heat (bone-heat.ts).
 *
 * Reference: Baran, Popović. Automatic rigging and animation of 3D characters. 2007.
 */
import {
  type Bone,
  InputError,
  interruptible,
  type Mesh,
  type Rig,
  type Run,
  resolveOptions,
  stageOf,
  UsageError,
  unweldRig,
  validateMesh,
  validateRig,
  weldSequence,
} from '@pelt/model';
import { styled } from '../skeleton/body-names.ts';
import { boneHeat, type Segment } from './bone-heat.ts';
import type { Point } from './centre-line.ts';
import { type Embedding, embedJoints } from './embed-joints.ts';
import { BODY_PLANS, type BodyPlan, EMBED_DEFAULTS, type EmbedOptions } from './options.ts';
import { type Template, templateOfPlan, templateOfRig } from './template.ts';

export interface EmbeddedSkeleton {
  /** Of the mesh as it was given. */
  readonly rig: Rig;
  /** Joints of the template whose limbs the mesh has not. */
  readonly missing: readonly string[];
}

/**
 * Embeds a skeleton into a mesh without motion. Limbs of the mesh are found by its centre lines and matched with those of the
 * skeleton, which may be turned any way; joints are carried over limb by limb. Weights follow from heat that flows from
 * the bones. The mesh must enclose a volume, but it need not be closed, or of one part.
 *
 * @param data     a mesh of n vertices; a body plan, or a character whose skeleton is to be embedded, in its rest pose
 * @param options  weights per vertex, names, known places of joints
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../examples/embed-skeleton.ts}
 */
export function embedSkeleton(
  { mesh, like }: { readonly mesh: Mesh; readonly like: BodyPlan | Rig },
  options: Partial<EmbedOptions> | undefined,
  run: Run,
): EmbeddedSkeleton {
  const { weights, names, landmarks } = resolveOptions('embedSkeleton', EMBED_DEFAULTS, options);
  if (!(Number.isInteger(weights) && weights >= 1)) {
    throw new UsageError(`embedSkeleton: weights is ${weights}; it must be an integer of at least 1`);
  }
  if (typeof like === 'string' && !BODY_PLANS.includes(like)) {
    throw new UsageError(`embedSkeleton: there is no body plan '${like}'; use one of ${BODY_PLANS.join(', ')}`);
  }
  validateMesh(mesh);
  if (typeof like !== 'string') validateRig(like);
  return interruptible(run, () => {
    const rest = { name: mesh.name, rest: mesh, frames: mesh.positions, times: Float64Array.of(0) };
    const { sequence, map } = weldSequence(rest);
    const { positions, triangles } = sequence.rest;
    const template = typeof like === 'string' ? templateOfPlan(like) : templateOfRig(like, run);
    // Of the plans, a person's has names in several conventions.
    const style = like === 'human' ? names : 'plain';
    const called = template.joints.map(({ name }) => styled(name, style));
    const given = placesOf(called, landmarks);
    const points = Float64Array.from(positions);
    const embedding = embedJoints(template, points, triangles, given, stageOf(run, 0, 0.6));
    const { bones, segments, missing } = skeletonOf(template, called, embedding, like);
    const counts = { bones: bones.length, slots: weights };
    const skin = boneHeat(positions, triangles, embedding.body.solid, segments, counts, stageOf(run, 0.6, 1));
    const rig: Rig = { name: mesh.name, mesh: sequence.rest, bones, weights: skin };
    return { rig: unweldRig(rig, map, mesh), missing };
  });
}

/** Landmarks by the index of their joint. */
function placesOf(names: readonly string[], landmarks: EmbedOptions['landmarks']): Map<number, Point> {
  const found = new Map<number, Point>();
  for (const [name, at] of landmarks) {
    const j = names.indexOf(name);
    if (j < 0) throw new InputError(`embedSkeleton: there is no joint '${name}'; the skeleton has ${names.join(', ')}`);
    if (!at.every(Number.isFinite)) throw new InputError(`embedSkeleton: the place of '${name}' is not three numbers`);
    found.set(j, at);
  }
  return found;
}

/** Length of a leaf bone whose end is not known, relative to the bone before it. */
const TIP_SHARE = 0.6;

/** The joints that the body has as bones, with the segments that heat its skin. */
function skeletonOf(template: Template, names: readonly string[], embedding: Embedding, like: BodyPlan | Rig) {
  const { joints } = template;
  const { joints: placed, pairs, turn, body } = embedding;
  const index = new Map<number, number>();
  const bones: Bone[] = [];
  const origins: Point[] = [];
  joints.forEach(({ parent }, j) => {
    const here = placed[j];
    if (!here) return;
    index.set(j, bones.length);
    const axes = typeof like === 'string' ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : turnedAxes(turn, like.bones[j].rest);
    const rest = Float64Array.from([0, 1, 2].flatMap((r) => [...axes.slice(3 * r, 3 * r + 3), here.at[r]]));
    // A joint whose parent the body has not hangs from what that hung from.
    let above = parent;
    while (above >= 0 && !index.has(above)) above = joints[above].parent;
    const place = typeof like === 'string' ? {} : like.bones[j].place && { place: like.bones[j].place };
    bones.push({ name: names[j], parent: above < 0 ? -1 : (index.get(above) ?? -1), rest, ...place });
    origins.push(here.at);
  });
  const { centres } = body.solid;
  const ends = new Map(
    pairs.map(({ joint, to }): [number | undefined, Point] => [
      index.get(joint),
      [centres[3 * to], centres[3 * to + 1], centres[3 * to + 2]],
    ]),
  );
  const segments = bones.flatMap(({ parent }, bone): Segment[] => {
    const from = origins[bone];
    const children = bones.flatMap((other, k) => (other.parent === bone ? [k] : []));
    const end = ends.get(bone);
    const to = children.map((k) => origins[k]);
    if (end) to.push(end);
    if (to.length === 0) {
      const before = parent < 0 ? from : origins[parent];
      to.push([0, 1, 2].map((d) => from[d] + TIP_SHARE * (from[d] - before[d])) as unknown as Point);
    }
    return to.map((place) => ({ bone, from, to: place }));
  });
  const missing = names.filter((_, j) => !index.has(j));
  return { bones, segments, missing };
}

/** The axes of a bone, turned as its skeleton is; 3 × 3. */
function turnedAxes(turn: readonly number[], rest: Float64Array): number[] {
  return [0, 1, 2].flatMap((r) =>
    [0, 1, 2].map((c) => turn[3 * r] * rest[c] + turn[3 * r + 1] * rest[4 + c] + turn[3 * r + 2] * rest[8 + c]),
  );
}
