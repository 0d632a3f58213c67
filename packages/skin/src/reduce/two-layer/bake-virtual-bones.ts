/**
 * Virtual bones as ordinary bones that any engine plays: each with its own motion, V_t = Σ D_j M_tj, and two per vertex.
 *
 * A blend of rigid bones stretches, and in most formats a joint can only scale along its own axes. Two choices keep the
 * loss small: the pivot is the centre of influence Σa²p/Σa², where translation is exact; and the axes are those in which
 * the stretches of all frames are closest to scales.
 */
import { linearPart, polarDecomposition } from '@pelt/math';
import {
  type Bone,
  type Clip,
  checkCancelled,
  type Rig,
  type RunContext,
  resolveOptions,
  TRANSFORM_SIZE,
  type TwoLayerSkin,
  virtualCount,
} from '@pelt/model';
import { BAKE_DEFAULTS, type BakeOptions } from '../options.ts';
import { blendTransforms } from '../runtime/two-layer.ts';
import { jointDiagonaliser } from './joint-diagonalise.ts';

/** A rig with its clips, and the two-layer skin computed for it. */
export interface LayeredRig {
  readonly rig: Rig;
  readonly clips: readonly Clip[];
  readonly skin: TwoLayerSkin;
}

/** A rig whose bones are virtual bones with motion of their own. */
export interface BakedLayers {
  /** q bones without parents, followed by the master bones if they are kept. */
  readonly rig: Rig;
  readonly clips: readonly Clip[];
}

/**
 * Turns the virtual bones of a two-layer skin into ordinary bones with baked motion.
 *
 * @param data     a rig of n vertices and m bones with its clips, and a skin of q virtual bones
 * @param options  whether the master bones stay in the rig
 * @param context  for cancelling
 *
 * @example
 * {@includeCode ../../../examples/bake-virtual-bones.ts}
 */
export function bakeVirtualBones(
  { rig, clips, skin }: LayeredRig,
  options: Partial<BakeOptions> = {},
  context?: RunContext,
): BakedLayers {
  const { masters } = resolveOptions('bakeVirtualBones', BAKE_DEFAULTS, options);
  const q = virtualCount(skin);
  const m = rig.bones.length;
  const kept = masters === 'keep' ? m : 0;
  const baked = clips.map((clip) => bakeClip(clip, skin, q, m, kept));
  const digits = String(q - 1).length;
  const pivots = pivotsOf(rig, skin, q);
  const virtual = Array.from({ length: q }, (_, r): Bone => {
    checkCancelled(context);
    const axes = jointDiagonaliser(stretchesOf(baked, r, q + kept));
    const [x, y, z] = pivots.subarray(3 * r, 3 * r + 3);
    const rest = Float64Array.of(...axes.subarray(0, 3), x, ...axes.subarray(3, 6), y, ...axes.subarray(6, 9), z);
    return { name: `virtual-${String(r).padStart(digits, '0')}`, parent: -1, rest };
  });
  const behind = rig.bones.slice(0, kept).map((bone) => ({ ...bone, parent: bone.parent < 0 ? -1 : bone.parent + q }));
  return { rig: { ...rig, bones: [...virtual, ...behind], weights: skin.vertices }, clips: baked };
}

function bakeClip(clip: Clip, skin: TwoLayerSkin, q: number, m: number, kept: number): Clip {
  const S = clip.times.length;
  const size = (q + kept) * TRANSFORM_SIZE;
  const transforms = new Float64Array(S * size);
  for (let t = 0; t < S; t++) {
    const pose = clip.transforms.subarray(t * m * TRANSFORM_SIZE, (t + 1) * m * TRANSFORM_SIZE);
    blendTransforms(skin.masters, pose, transforms.subarray(t * size, t * size + q * TRANSFORM_SIZE));
    if (kept > 0) transforms.set(pose, t * size + q * TRANSFORM_SIZE);
  }
  return { ...clip, transforms };
}

/** q × 3 pivots; the origin for a bone without vertices. */
function pivotsOf({ mesh }: Rig, { vertices }: TwoLayerSkin, q: number): Float64Array {
  const pivots = new Float64Array(3 * q);
  const totals = new Float64Array(q);
  vertices.bones.forEach((r, k) => {
    const squared = vertices.weights[k] ** 2;
    const i = Math.floor(k / vertices.slots);
    totals[r] += squared;
    for (let c = 0; c < 3; c++) pivots[3 * r + c] += squared * mesh.positions[3 * i + c];
  });
  return pivots.map((sum, k) => (totals[Math.floor(k / 3)] > 0 ? sum / totals[Math.floor(k / 3)] : 0));
}

/** Symmetric polar factors of a bone's linear part in every frame, 9 numbers each. */
function stretchesOf(clips: readonly Clip[], r: number, bones: number): Float64Array {
  const frames = clips.reduce((sum, clip) => sum + clip.times.length, 0);
  const out = new Float64Array(9 * frames);
  const [linear, rotation] = [new Float64Array(9), new Float64Array(9)];
  let at = 0;
  for (const { transforms, times } of clips) {
    for (let t = 0; t < times.length; t++, at += 9) {
      const from = (t * bones + r) * TRANSFORM_SIZE;
      linearPart(transforms, from, linear, 0);
      polarDecomposition(linear, 0, rotation, 0, out, at);
    }
  }
  return out;
}
