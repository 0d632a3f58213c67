/** A character as an avatar: a file that is a VRM stays one; of any other the body is recognised. */
import { glbToVrm, readGltf, SLIDERS_EXTENSION } from '@pelt/io';
import type { GltfFile } from '../input/load-sequence.ts';
import { vrmBones } from '../input/vrm-bones.ts';
import type { Job } from '../job.ts';

export interface VrmFileOptions {
  /** What the user calls it; empty for as it is called. */
  readonly title: string;
  readonly resolve: GltfFile['resolve'];
  readonly onWarning: Job['warn'];
}

export async function vrmFile(glb: Uint8Array, options: VrmFileOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { title, onWarning } = options;
  return glbToVrm(glb, { title, onWarning, humanoid: await humanoidOf(glb, options) });
}

/** Nodes of the human body by the names of VRM; none where the file says them itself. */
export async function humanoidOf(
  glb: Uint8Array,
  { title, resolve, onWarning }: VrmFileOptions,
): Promise<Record<string, number>> {
  const asset = await readGltf(glb, { resolve });
  if (asset.scene.bones.some(({ place }) => place !== undefined)) return {};
  if (asset.extensions.some(({ name }) => name === SLIDERS_EXTENSION)) {
    onWarning('its sliders move bones, which expressions of VRM cannot; those of morph targets alone are written');
  }
  return vrmBones(asset, title || asset.mesh.name, onWarning);
}
