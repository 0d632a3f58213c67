/** Learnt skins as GLB: with the model in an extension, or with their bones as joints and the clip baked. */
import { envelopeExtension, writeSkinnedGlb } from '@pelt/io';
import {
  type Bone,
  type Clip,
  gatherVertices,
  IDENTITY_TRANSFORM,
  type MeshSequence,
  poseAt,
  type ReducedEnvelope,
  type Rig,
  type SkinWeights,
  TRANSFORM_SIZE,
  unweldRig,
  type Weld,
} from '@pelt/model';

/** What a skin is learnt from. */
export interface Examples {
  /** At the welded vertices. */
  readonly rig: Rig;
  /** At the frames of the sequence. */
  readonly clip: Clip;
  /** On the rig's own rest pose. */
  readonly sequence: MeshSequence;
  readonly weld: Weld;
}

type Warn = (message: string) => void;

export async function encodeLearnt(
  reduced: ReducedEnvelope,
  { clip, sequence, weld: { map } }: Examples,
  warn: Warn,
): Promise<Uint8Array> {
  const rig = unweldRig(reduced.rig, map, sequence.rest);
  const extensions = (vertexMap: Uint32Array) => [envelopeExtension(reduced, gatherVertices(map, 1, vertexMap))];
  return (await writeSkinnedGlb({ rig, clips: [clip], extensions }, { onWarning: warn })).bytes;
}

/** The proxies as bones, and then those of the skeleton. */
export function bakedBones({ rig, proxies }: ReducedEnvelope): Bone[] {
  const rest = Float64Array.from(IDENTITY_TRANSFORM);
  return [...Array.from({ length: proxies }, (_, k) => ({ name: `proxy ${k}`, parent: -1, rest })), ...rig.bones];
}

/**
 * Bones as loose joints, each with its own track: any engine plays them as they are.
 *
 * @param extend  a pose of the given skeleton → transforms of all these bones
 */
export async function encodeBaked(
  weights: SkinWeights,
  bones: readonly Bone[],
  extend: (pose: Float64Array) => Float64Array,
  { rig: skeleton, clip, sequence: { rest, name }, weld }: Examples,
  warn: Warn,
): Promise<Uint8Array> {
  const size = bones.length * TRANSFORM_SIZE;
  const transforms = new Float64Array(clip.times.length * size);
  clip.times.forEach((_, t) => {
    transforms.set(extend(poseAt(clip, t, skeleton.bones.length).transforms), t * size);
  });
  const loose = bones.map((bone) => ({ ...bone, parent: -1 }));
  const rig = unweldRig({ name, mesh: weld.sequence.rest, bones: loose, weights }, weld.map, rest);
  return (await writeSkinnedGlb({ rig, clips: [{ ...clip, transforms }] }, { affine: 'pair', onWarning: warn })).bytes;
}
