/** Learnt skins as GLB: with the model in an extension, or with their bones as joints and the clip baked. */
import { envelopeExtension, writeSkinnedGlb } from '@pelt/io';
import { type Clip, IDENTITY_TRANSFORM, poseAt, type ReducedEnvelope, type Rig, TRANSFORM_SIZE } from '@pelt/model';
import type { Job } from '../thread/job.ts';

export async function writeLearnt(output: string, reduced: ReducedEnvelope, clip: Clip, job: Job): Promise<number> {
  const extensions = (vertexMap: Uint32Array) => [envelopeExtension(reduced, vertexMap)];
  const glb = await writeSkinnedGlb({ rig: reduced.rig, clips: [clip], extensions }, { onWarning: job.warn });
  job.outputs.write(output, glb.bytes);
  return glb.bytes.length;
}

/** A reduced skin with its proxies and bones as joints of their own. */
export function bakedRig({ rig, proxies, skin }: ReducedEnvelope): Rig {
  const rest = Float64Array.from(IDENTITY_TRANSFORM);
  const joints = Array.from({ length: proxies }, (_, k) => ({ name: `proxy ${k}`, parent: -1, rest }));
  return { ...rig, bones: [...joints, ...rig.bones.map((bone) => ({ ...bone, parent: -1 }))], weights: skin };
}

/**
 * Bones as loose joints, each with its own track: any engine plays them as they are.
 *
 * @param extend  a pose of the given skeleton → transforms of all these bones
 */
export async function writeBaked(
  output: string,
  rig: Rig,
  extend: (pose: Float64Array) => Float64Array,
  clip: Clip,
  job: Job,
): Promise<number> {
  const S = clip.times.length;
  const size = rig.bones.length * TRANSFORM_SIZE;
  const transforms = new Float64Array(S * size);
  for (let t = 0; t < S; t++) {
    const pose = poseAt(clip, t, clip.transforms.length / (S * TRANSFORM_SIZE)).transforms;
    transforms.set(extend(pose), t * size);
  }
  const glb = await writeSkinnedGlb({ rig, clips: [{ ...clip, transforms }] }, { affine: 'pair', onWarning: job.warn });
  job.outputs.write(output, glb.bytes);
  return glb.bytes.length;
}
