/** Learnt skins as GLB: with the model in an extension, or with their bones as joints and the clips baked. */
import {
  DUAL_QUATERNION_EXTENSION,
  DYNAMICS_EXTENSION,
  dynamicsExtension,
  envelopeExtension,
  writeSkinnedGlb,
} from '@pelt/io';
import {
  type Clip,
  type Dynamics,
  IDENTITY_TRANSFORM,
  type MeshSequence,
  poseAt,
  type ReducedEnvelope,
  type Rig,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { encodeCharacter, type OpenedCharacter, warnOfUnkept } from '../input/open-character.ts';

/** What a skin is learnt from. */
export interface Examples {
  readonly rig: Rig;
  /** The pose at each frame of the sequence. */
  readonly clip: Clip;
  /** On the rig's own rest pose. */
  readonly sequence: MeshSequence;
}

type Warn = (message: string) => void;

/** The file of the rig with the learnt skin, and the weights that come nearest to it where it is not known. */
export async function encodeLearnt(
  reduced: ReducedEnvelope,
  opened: OpenedCharacter,
  warn: Warn,
  dynamics?: Dynamics,
): Promise<Uint8Array> {
  const { weights } = reduced.rig;
  const swing = dynamics ? [dynamicsExtension(dynamics)] : [];
  // What swung before was another skin.
  const without = [DUAL_QUATERNION_EXTENSION, ...(dynamics ? [] : [DYNAMICS_EXTENSION])];
  return encodeCharacter(opened, { weights, without, extensions: [envelopeExtension(reduced), ...swing] }, warn);
}

/** A reduced skin with its proxies and added joints, and then the bones of the skeleton, as joints of their own. */
export function bakedRig({ rig, proxies, addedJoints = 0, skin }: ReducedEnvelope): Rig {
  const rest = Float64Array.from(IDENTITY_TRANSFORM);
  const name = (k: number) => (k < proxies ? `proxy ${k}` : `added ${k - proxies}`);
  const joints = Array.from({ length: proxies + addedJoints }, (_, k) => ({ name: name(k), parent: -1, rest }));
  return { ...rig, bones: [...joints, ...rig.bones.map((bone) => ({ ...bone, parent: -1 }))], weights: skin };
}

/**
 * Bones as loose joints, each with its own track: any engine plays them as they are.
 *
 * @param extend  a pose of the given skeleton → transforms of all these bones
 */
export async function encodeBaked(
  rig: Rig,
  extend: (pose: Float64Array) => Float64Array,
  opened: OpenedCharacter,
  warn: Warn,
): Promise<Uint8Array> {
  const { clips } = opened.character;
  const size = rig.bones.length * TRANSFORM_SIZE;
  const baked = clips.map((clip) => {
    const S = clip.times.length;
    const transforms = new Float64Array(S * size);
    const given = clip.transforms.length / (S * TRANSFORM_SIZE);
    for (let t = 0; t < S; t++) transforms.set(extend(poseAt(clip, t, given).transforms), t * size);
    return { ...clip, transforms };
  });
  return encodeBakedClips(rig, baked, opened, warn);
}

/** @param clips  of all the bones of the rig */
export async function encodeBakedClips(
  rig: Rig,
  clips: readonly Clip[],
  opened: OpenedCharacter,
  warn: Warn,
): Promise<Uint8Array> {
  warnOfUnkept(opened, warn);
  return (await writeSkinnedGlb({ rig, clips }, { affine: 'pair', onWarning: warn })).bytes;
}
