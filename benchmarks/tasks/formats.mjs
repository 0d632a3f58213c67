/**
 * Large and damaged files through the jobs and the command: a thousand OBJ frames, a point cache larger than memory, what
 * the commands need beside what they expect to need, and mutated GLBs, of which no invalid file may come. Characters as FBX, USDZ
 * and VRM, read by programs that are not ours.
 */
import { fbxReadingRows } from './formats/fbx-reading.mjs';
import { largeCacheRows } from './formats/large-cache.mjs';
import { memoryRows, SUBJECTS } from './formats/memory.mjs';
import { mutatedGlbRows } from './formats/mutated-glbs.mjs';
import { mutatedSceneRows } from './formats/mutated-scenes.mjs';
import { objFrameRows } from './formats/obj-frames.mjs';
import { roundTripRows } from './formats/round-trips.mjs';

export default {
  name: 'formats',
  needs: SUBJECTS.flatMap((name) => [`${name}/rest.obj`, `${name}/clip.pc2`]),
  async run(context) {
    return [
      ...objFrameRows(context),
      ...largeCacheRows(context),
      ...memoryRows(context),
      ...(await mutatedGlbRows(context)),
      ...(await mutatedSceneRows(context)),
      ...(await fbxReadingRows(context)),
      ...(await roundTripRows(context)),
    ];
  },
};
