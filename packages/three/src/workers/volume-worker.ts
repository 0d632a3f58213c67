/** Deforms a solid body beside the page. */
import { openNumerics } from '@pelt/math';
import { vertexNormals } from '@pelt/model';
import { createVolumeDeformer } from '@pelt/skin/volume/runtime';
import type { AnswerVolume, AskVolume, OpenVolume } from './protocol.ts';
import { serve } from './serve.ts';

serve<OpenVolume, AskVolume, AnswerVolume>(async ({ surface, bones, binding, options }) => {
  const numerics = await openNumerics({ threads: 1 });
  const deformer = createVolumeDeformer({ surface, bones, binding }, options, { numerics });
  const sums = new Float64Array(surface.positions.length);
  return {
    answer({ transforms }) {
      const positions = new Float32Array(surface.positions.length);
      deformer.deform(transforms, positions);
      vertexNormals(positions, surface.triangles, sums);
      const normals = new Float32Array(sums.length);
      for (let k = 0; k < sums.length; k += 3) {
        const length = Math.hypot(sums[k], sums[k + 1], sums[k + 2]) || 1;
        for (let c = k; c < k + 3; c++) normals[c] = sums[c] / length;
      }
      return { positions, normals };
    },
    transfer: ({ positions, normals }) => [positions.buffer, normals.buffer],
  };
});
