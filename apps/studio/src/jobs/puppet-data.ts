/** What a performance is made of, read for the page: the joints of a motion, and the poses that pairs mean. */
import { readGltf, readMotion, readPairs, readRig } from '@pelt/io';
import type { BlobFiles } from '@pelt/jobs';
import { fillGaps, resolvePairs } from '@pelt/skin/puppet';
import type { PuppetData, PuppetFiles } from './protocol.ts';

/** How finely clips of the character are sampled, for pairs that name a moment of one. */
const MOMENTS_PER_SECOND = 60;

export async function readPuppetData(
  { character, motion, pairs }: PuppetFiles,
  files: BlobFiles,
  onWarning: (message: string) => void,
): Promise<PuppetData> {
  const motionOf = (path: string) => fillGaps(readMotion(files.read(path), { name: path, onWarning })).motion;
  const played = motion && motionOf(motion.path);
  if (!pairs || !character) return { motion: played, pairs: undefined };
  const { rig, clips } = readRig(await readGltf(files.read(character.path)), { fps: MOMENTS_PER_SECOND });
  const document = readPairs(files.read(pairs.path), { name: pairs.path });
  const motions = new Map(Object.entries(document.motions).map(([key, path]) => [key, motionOf(path)]));
  const registration = resolvePairs({ document, sources: { rig, clips, motions, played } }, { onWarning });
  return { motion: played, pairs: { registration, bones: rig.bones.map(({ name }) => name) } };
}
