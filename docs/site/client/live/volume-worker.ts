/** Fills a closed mesh with tetrahedra and binds them to the joints, as `pelt volume` does. */
import { openNumerics } from '@pelt/math';
import type { Bone, Mesh } from '@pelt/model';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { bindVolume } from '@pelt/skin/volume';
import { scope } from './worker-scope.ts';

scope.onmessage = async ({ data: { mesh, bones } }: MessageEvent<{ mesh: Mesh; bones: readonly Bone[] }>) => {
  const numerics = await openNumerics({ threads: 1 });
  const { mesh: body } = tetrahedralize(mesh);
  const { skin, fixed, yielding } = bindVolume({ body, bones }, {}, { numerics });
  scope.postMessage({ body, skin, fixed, yielding });
};
