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
  type SkinWeights,
  TRANSFORM_SIZE,
  unweldRig,
  type Weld,
} from '@pelt/model';
import type { Job } from '../thread/job.ts';

export async function writeLearnt(
  output: string,
  reduced: ReducedEnvelope,
  clip: Clip,
  { rest }: MeshSequence,
  { map }: Weld,
  job: Job,
): Promise<number> {
  const rig = unweldRig(reduced.rig, map, rest);
  const extensions = (vertexMap: Uint32Array) => [envelopeExtension(reduced, gatherVertices(map, 1, vertexMap))];
  const glb = await writeSkinnedGlb({ rig, clips: [clip], extensions }, { onWarning: job.warn });
  job.outputs.write(output, glb.bytes);
  return glb.bytes.length;
}

export function bakedBones({ rig, proxies }: ReducedEnvelope): Bone[] {
  const rest = Float64Array.from(IDENTITY_TRANSFORM);
  const joints = Array.from({ length: proxies }, (_, k) => ({ name: `proxy ${k}`, parent: -1, rest }));
  return [...joints, ...rig.bones.map((bone) => ({ ...bone, parent: -1 }))];
}

/**
 * Bones as loose joints, each with its own track: any engine plays them as they are.
 *
 * @param extend  a pose of the given skeleton → transforms of all these bones
 */
export async function writeBaked(
  output: string,
  weights: SkinWeights,
  bones: readonly Bone[],
  extend: (pose: Float64Array) => Float64Array,
  clip: Clip,
  { rest, name }: MeshSequence,
  { map, sequence }: Weld,
  job: Job,
): Promise<number> {
  const S = clip.times.length;
  const transforms = new Float64Array(S * bones.length * TRANSFORM_SIZE);
  for (let t = 0; t < S; t++) {
    const pose = poseAt(clip, t, clip.transforms.length / (S * TRANSFORM_SIZE)).transforms;
    transforms.set(extend(pose), t * bones.length * TRANSFORM_SIZE);
  }
  const baked = unweldRig({ name, mesh: sequence.rest, bones, weights }, map, rest);
  const glb = await writeSkinnedGlb(
    { rig: baked, clips: [{ ...clip, transforms }] },
    { affine: 'pair', onWarning: job.warn },
  );
  job.outputs.write(output, glb.bytes);
  return glb.bytes.length;
}
