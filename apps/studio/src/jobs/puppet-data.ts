/** What a performance is made of, read for the page: the joints of a motion, and the poses that pairs mean. */
import { readCharacter, readGltf, readPairs } from '@pelt/io';
import type { BlobFiles } from '@pelt/jobs';
import { openNumerics } from '@pelt/math';
import { linearRigOf, type Rig } from '@pelt/model';
import { fitCapsules } from '@pelt/skin/capsules';
import { fillGaps, resolvePairs } from '@pelt/skin/puppet';
import type { PuppetData, PuppetFiles } from './protocol.ts';
import { readAnyMotion } from './recognise.ts';

/** How finely clips of the character are sampled, for pairs that name a moment of one. */
const MOMENTS_PER_SECOND = 60;

export async function readPuppetData(
  { character, motion, pairs }: PuppetFiles,
  files: BlobFiles,
  onWarning: (message: string) => void,
): Promise<PuppetData> {
  const motionOf = async (path: string) => fillGaps(await readAnyMotion(path, files.read(path), onWarning)).motion;
  const played = motion && (await motionOf(motion.path));
  if (!character) return { motion: played, pairs: undefined, body: undefined };
  const whole = readCharacter(await readGltf(files.read(character.path)), { fps: MOMENTS_PER_SECOND });
  const [rig, { clips }] = [linearRigOf(whole), whole];
  const body = await bodyOf(rig);
  if (!pairs) return { motion: played, pairs: undefined, body };
  const document = readPairs(files.read(pairs.path), { name: pairs.path });
  const motions = new Map(
    await Promise.all(
      Object.entries(document.motions).map(async ([key, path]) => [key, await motionOf(path)] as const),
    ),
  );
  const registration = resolvePairs({ document, sources: { rig, clips, motions, played } }, { onWarning });
  return { motion: played, pairs: { registration, bones: rig.bones.map(({ name }) => name) }, body };
}

async function bodyOf(rig: Rig): Promise<PuppetData['body']> {
  const numerics = await openNumerics({ threads: 1 });
  try {
    const capsules = fitCapsules(rig, undefined, { numerics });
    return capsules.bones.length > 0 ? { capsules, bones: rig.bones.map(({ name }) => name) } : undefined;
  } finally {
    numerics.close();
  }
}
