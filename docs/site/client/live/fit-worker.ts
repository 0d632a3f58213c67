/** Fits the arm with as many bones as it is asked for, as `pelt fit` does, and answers with the file. */
import { writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { decompose } from '@pelt/skin/decompose';
import { armScene } from '@pelt/testkit';
import { scope } from './worker-scope.ts';

const { sequence } = armScene({ frames: 36 });
const numerics = openNumerics({ threads: 1 });

scope.postMessage({ sequence });
scope.onmessage = async ({ data: bones }: MessageEvent<number>) => {
  const start = performance.now();
  const { rig, clip, error } = decompose(sequence, { bones }, { numerics: await numerics });
  const milliseconds = performance.now() - start;
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
  const glb = bytes.slice().buffer;
  scope.postMessage({ bones, glb, eRms: error.eRms, milliseconds, count: rig.bones.length }, [glb]);
};
