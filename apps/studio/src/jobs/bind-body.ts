/** The body of a rig: its closed surface filled with tetrahedra, held by its bones. */
import { readGltf, readRig } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { type RunContext, stageOf } from '@pelt/model';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import { bindVolume, type VolumeBinding } from '@pelt/skin/volume';

/** @param glb  a rig in the vertex order and with the joints that three.js will show */
export async function bindBody(
  glb: Uint8Array<ArrayBuffer>,
  threads: number,
  context: RunContext,
): Promise<VolumeBinding> {
  const { rig } = readRig(await readGltf(glb));
  const { mesh: body } = tetrahedralize(rig.mesh, {}, stageOf(context, 0, 0.7));
  const numerics = await openNumerics({ threads });
  try {
    const { skin, fixed, yielding } = bindVolume(
      { body, bones: rig.bones },
      {},
      { ...stageOf(context, 0.7, 1), numerics },
    );
    return { body, skin, fixed, yielding };
  } finally {
    numerics.close();
  }
}
