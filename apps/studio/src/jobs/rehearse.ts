/** A performance before it is written: what the character does, and how much each pair counts, over the whole motion. */
import { readCharacter, readGltf } from '@pelt/io';
import type { BlobFiles } from '@pelt/jobs';
import { frameNearest, linearRigOf, type Motion, PeltError } from '@pelt/model';
import { createPuppet, type PuppetOptions, retargetMotion, suggestNeutral } from '@pelt/skin/puppet';
import type { ShownWeights } from '../store/session.ts';
import type { JointClip } from './joint-clips.ts';
import type { PuppetData, PuppetFiles } from './protocol.ts';
import { readPuppetData } from './puppet-data.ts';

export interface Rehearsal extends PuppetData {
  readonly motion: Motion;
  /** Absent: the character needs pairs, and has none. */
  readonly clip: JointClip | undefined;
  readonly weights: ShownWeights | undefined;
  /** Why there is no clip. */
  readonly trouble: string | undefined;
}

export async function rehearse(
  files: PuppetFiles,
  options: Partial<PuppetOptions>,
  fps: number,
  bytes: BlobFiles,
  onWarning: (message: string) => void,
): Promise<Rehearsal | undefined> {
  const { motion, pairs, body } = await readPuppetData(files, bytes, onWarning);
  if (!motion || !files.character) return undefined;
  const character = readCharacter(await readGltf(bytes.read(files.character.path)));
  const rig = linearRigOf(character);
  const frames = Math.max(1, Math.round((motion.times.at(-1) ?? 0) * fps) + 1);
  const still = { motion, pairs, body, clip: undefined, weights: undefined };
  try {
    const puppet = createPuppet(
      {
        character: rig,
        humanBones: character.humanBones,
        pairs: pairs?.registration,
        capsules: body?.capsules,
        performer: motion.joints,
        camera: motion.camera,
        neutral: suggestNeutral(motion),
      },
      options,
    );
    const counted: Float32Array[] = [];
    const onKey = () => counted.push(Float32Array.from(puppet.weights));
    const { times, transforms } = retargetMotion({ puppet, motion, onKey }, { fps }, {});
    const size = transforms.length / times.length;
    const out = new Float32Array(frames * size);
    const width = counted[0]?.length ?? 0;
    const values = new Float32Array(frames * width);
    for (let t = 0; t < frames; t++) {
      const key = frameNearest(times, t / fps);
      out.set(transforms.subarray(key * size, (key + 1) * size), t * size);
      values.set(counted[key] ?? [], t * width);
    }
    const joints = rig.bones.map(({ name }) => name);
    const names = pairs?.registration.pairs.map(({ name }) => name) ?? [];
    return {
      motion,
      pairs,
      body,
      clip: { name: 'rehearsal', fps, frames, joints, transforms: out },
      weights: names.length > 0 && width > 0 ? { pairs: names, parts: puppet.parts, values } : undefined,
      trouble: undefined,
    };
  } catch (error) {
    // Without pairs only a humanoid can follow: that is no failure, but a reason to make some.
    if (error instanceof PeltError) return { ...still, trouble: error.message };
    throw error;
  }
}
