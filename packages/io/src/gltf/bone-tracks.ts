import { cbrt } from '@pelt/math';
import type { Clip, Rig } from '@pelt/model';
import { AffinePairTracker } from './affine-pair.ts';
import { deviationFromSimilarity, fitTrs, nearestSimilarity } from './fit-trs.ts';
import {
  composeTrs,
  determinant,
  fromColumns,
  identityTransform,
  identityTrs,
  invert,
  multiply,
  type Transform,
  type Trs,
  toColumns,
} from './transform.ts';

/**
 * A rig's bones as a tree of nodes with translation, rotation and scale, and its clips as their curves.
 *
 * With M a bone's transform from rest to pose and G its frame at rest, its node must be at W = M G in the world, and its
 * inverse bind matrix is G⁻¹. The node's own transform is W_parent⁻¹ W, where W_parent is what the parent's rounded
 * curves really give: so rounding, and channels left out because they hardly move, do not add up along a chain.
 *
 * Nodes hand their scale down, and a child that turns inside a stretched parent is sheared, which no node can say. So a
 * bone hangs from its nearest ancestor that never stretches.
 */
export interface BoneTrack {
  /** Index of the bone whose node it hangs from; −1 for none. */
  readonly parent: number;
  readonly rest: Trs;
  /** An affine pair: an outer node with `rest` and the curves, and in it the joint, which only turns. */
  readonly paired: boolean;
  /** 16 numbers in column order */
  readonly inverseBind: Float32Array;
  /** For each clip. */
  readonly curves: readonly BoneCurves[];
}

/** S × 3 or S × 4 each; absent where a curve is constant and as at rest. */
export interface BoneCurves {
  readonly translation?: Float32Array<ArrayBuffer>;
  readonly rotation?: Float32Array<ArrayBuffer>;
  readonly scale?: Float32Array<ArrayBuffer>;
  /** rotation of the inner node of an affine pair */
  readonly inner?: Float32Array<ArrayBuffer>;
}

export interface TrackOptions {
  readonly affine: 'pair' | 'trs';
  readonly fixedOffsets: boolean;
}

export interface BoneTracks {
  readonly tracks: readonly BoneTrack[];
  /**
   * Largest difference between a transform that the file gives and the one it was made from: of any element of the
   * linear part, and of the bone's origin against the model's size.
   */
  readonly lost: number;
}

/** Where the model is, and how large: what motion is measured by. */
export interface Extent {
  /** Diagonal of the box around it. */
  readonly size: number;
  readonly center: readonly number[];
}

/** A transform this far from a rotation with one scale stretches. */
const STRETCHES = 1e-5;
/** What moves no vertex by more than this, against the model's size, counts as no motion. */
const MOTIONLESS = 1e-6;

export function trackBones(rig: Rig, clips: readonly Clip[], extent: Extent, options: TrackOptions): BoneTracks {
  const m = rig.bones.length;
  const motionOf = (j: number): Transform[][] =>
    clips.map(({ times, transforms }) =>
      Array.from(times, (_, t) => transforms.subarray(12 * (m * t + j), 12 * (m * t + j + 1))),
    );
  const built: BuiltBone[] = [];
  const stretches: boolean[] = [];
  rig.bones.forEach(({ parent: above, rest }, j) => {
    const motion = motionOf(j);
    stretches.push(motion.some((frames) => frames.some((frame) => deviationFromSimilarity(frame) > STRETCHES)));
    let parent = above;
    while (parent >= 0 && stretches[parent]) parent = rig.bones[parent].parent;
    const paired = stretches[j] && options.affine === 'pair';
    built.push(buildBone(parent, built[parent], rest, motion, paired, extent, options.fixedOffsets));
  });
  return {
    tracks: built.map(({ track }) => track),
    lost: built.reduce((most, bone) => Math.max(most, bone.lost), 0),
  };
}

interface BuiltBone {
  readonly track: BoneTrack;
  readonly restWorld: Transform;
  /** For each clip and frame, as the file gives it. */
  readonly worlds: readonly (readonly Transform[])[];
  readonly lost: number;
}

function buildBone(
  parentIndex: number,
  parent: BuiltBone | undefined,
  restFrame: Transform,
  motion: readonly (readonly Transform[])[],
  paired: boolean,
  { size, center }: Extent,
  fixedOffsets: boolean,
): BuiltBone {
  const parentRest = parent?.restWorld ?? identityTransform();
  const restLocal = multiply(
    invert(parentRest, new Float64Array(12)),
    nearestSimilarity(restFrame),
    new Float64Array(12),
  );
  const rest = rounded(fitTrs(restLocal, identityTrs().rotation));
  const restWorld = multiply(parentRest, composeTrs(rest, new Float64Array(12)), new Float64Array(12));
  const inverseBind = new Float32Array(16);
  toColumns(invert(restWorld, new Float64Array(12)), inverseBind, 0);
  const inverse = fromColumns(inverseBind);
  // The frame that the rounded matrix really stands for.
  const bind = invert(inverse, new Float64Array(12));
  const step = (MOTIONLESS * size) / cbrt(Math.abs(determinant(parentRest)));
  // A turn moves what is far from the bone more than what is near.
  const reach = size + Math.hypot(...center.map((value, axis) => value - restWorld[4 * axis + 3]));
  const turn = (MOTIONLESS * size) / reach;
  const limits = { translation: fixedOffsets ? step : 0, rotation: turn / 2, scale: turn * rest.scale[0] };

  let lost = 0;
  const curves: BoneCurves[] = [];
  const worlds = motion.map((frames, c) => {
    const parents = parent?.worlds[c];
    const locals = frames.map((frame, t) => {
      const world = multiply(frame, bind, new Float64Array(12));
      return parents ? multiply(invert(parents[t], new Float64Array(12)), world, world) : world;
    });
    const pairs = paired ? trackPairs(locals, restLocal) : trackTrs(locals, rest);
    const own = curvesOf(pairs, rest, limits);
    curves.push(own);
    return frames.map((frame, t) => {
      const world = composeTrs(trsAt(own, rest, t), new Float64Array(12));
      if (own.inner) multiply(world, rotationOf(own.inner.subarray(4 * t, 4 * t + 4)), world);
      if (parents) multiply(parents[t], world, world);
      lost = Math.max(lost, difference(multiply(world, inverse, new Float64Array(12)), frame, restWorld, size));
      return world;
    });
  });
  return { track: { parent: parentIndex, rest, paired, inverseBind, curves }, restWorld, worlds, lost };
}

interface LocalFrame {
  readonly outer: Trs;
  readonly inner: Float64Array;
}

const UNTURNED = identityTrs().rotation;

function trackTrs(locals: readonly Transform[], rest: Trs): LocalFrame[] {
  let last = rest.rotation;
  return locals.map((local) => {
    const outer = fitTrs(local, last);
    last = outer.rotation;
    return { outer, inner: UNTURNED };
  });
}

function trackPairs(locals: readonly Transform[], restLocal: Transform): LocalFrame[] {
  const tracker = new AffinePairTracker();
  tracker.next(restLocal);
  return locals.map((local) => tracker.next(local));
}

type Limits = Readonly<Record<'translation' | 'rotation' | 'scale', number>>;

function curvesOf(frames: readonly LocalFrame[], rest: Trs, limits: Limits): BoneCurves {
  const curve = (values: readonly Float64Array[], still: Float64Array, limit: number) => {
    const floats = new Float32Array(values.length * still.length);
    values.forEach((value, t) => {
      floats.set(value, t * still.length);
    });
    const moves = floats.some((value, k) => Math.abs(value - still[k % still.length]) > limit);
    return moves ? floats : undefined;
  };
  const found = {
    translation: curve(
      frames.map(({ outer }) => outer.translation),
      rest.translation,
      limits.translation,
    ),
    rotation: curve(
      frames.map(({ outer }) => outer.rotation),
      rest.rotation,
      limits.rotation,
    ),
    scale: curve(
      frames.map(({ outer }) => outer.scale),
      rest.scale,
      limits.scale,
    ),
    inner: curve(
      frames.map(({ inner }) => inner),
      UNTURNED,
      limits.rotation,
    ),
  };
  return Object.fromEntries(Object.entries(found).filter(([, floats]) => floats));
}

function trsAt(curves: BoneCurves, rest: Trs, t: number): Trs {
  const take = (key: 'translation' | 'rotation' | 'scale', length: number) =>
    curves[key] ? Float64Array.from(curves[key].subarray(length * t, length * (t + 1))) : rest[key];
  return { translation: take('translation', 3), rotation: take('rotation', 4), scale: take('scale', 3) };
}

function rotationOf(rotation: Float32Array): Transform {
  return composeTrs({ ...identityTrs(), rotation: Float64Array.from(rotation) }, new Float64Array(12));
}

function rounded({ translation, rotation, scale }: Trs): Trs {
  const round = (values: Float64Array) => values.map(Math.fround);
  return { translation: round(translation), rotation: round(rotation), scale: round(scale) };
}

/** @param origin  the bone's frame at rest: where it sits, its transforms are to agree */
function difference(a: Transform, b: Transform, origin: Transform, size: number): number {
  let most = 0;
  const shift = [0, 0, 0];
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 4; c++) {
      const delta = a[4 * r + c] - b[4 * r + c];
      shift[r] += delta * (c < 3 ? origin[4 * c + 3] : 1);
      if (c < 3) most = Math.max(most, Math.abs(delta));
    }
  }
  return Math.max(most, Math.hypot(...shift) / size);
}
