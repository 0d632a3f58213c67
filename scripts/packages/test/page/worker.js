/** Fits a clip and reads back what was written, with the packages as an application imports them. */
import { readGltf, readObj, readPc2, readRig, sequenceFromCache, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { decompose } from '@pelt/skin/decompose';

async function fitClip({ rest, clip, threads }) {
  const sequence = sequenceFromCache(readObj(rest), readPc2(clip));
  const numerics = await openNumerics({ threads });
  const { rig, clip: motion, error } = decompose(sequence, { bones: 3 }, { numerics });
  const { bytes } = await writeSkinnedGlb({ rig, clips: [motion] });
  const { rig: read } = readRig(await readGltf(bytes));
  const used = numerics.threads;
  numerics.close();
  return { error, threads: used, bytes: bytes.length, bones: read.bones.length, frames: motion.times.length };
}

addEventListener('message', async ({ data }) => {
  try {
    postMessage(await fitClip(data));
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
