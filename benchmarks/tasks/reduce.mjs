/**
 * Weight reduction beside the published figures; what joints lose of virtual bones, their evaluation beside dense
 * skinning, and more bones in their place; the bytes of a compressed clip.
 */
import { openNumerics } from '@pelt/math';
import { REDUCTIONS } from '../published/reduction.mjs';
import { dataNeeded } from './decompose/load-animation.mjs';
import { compressedClip } from './reduce/compressed-clip.mjs';
import { Models } from './reduce/models.mjs';
import { virtualBones } from './reduce/virtual-bones.mjs';
import { weightTable } from './reduce/weight-table.mjs';

export default {
  name: 'reduce',
  needs: [...new Set(REDUCTIONS.flatMap(({ data }) => dataNeeded(data)))],
  async run(context) {
    const numerics = await openNumerics({ threads: 2 });
    try {
      const models = new Models(context, numerics);
      return [
        ...weightTable(context, numerics, models),
        ...(await virtualBones(context, numerics, models)),
        ...(await compressedClip(context, numerics, models)),
      ];
    } finally {
      numerics.close();
    }
  },
};
