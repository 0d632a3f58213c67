/** The rig whose bones or weights a fit keeps, brought to the vertices and frames of the sequence that is fitted. */
import { readRig } from '@pelt/io';
import { frameCount, type MeshSequence, UsageError, vertexCount } from '@pelt/model';
import type { LockedRig } from '@pelt/skin';
import { loadGltf } from '../input/load-sequence.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';
import type { Lockable } from './fit-methods.ts';

export async function loadLockedRig(
  part: Lockable,
  path: string,
  sequence: MeshSequence,
  warn: (message: string) => void,
): Promise<LockedRig> {
  const file = sourceFile(path);
  if (!isGltf(file)) throw new UsageError(`'${path}' is no glTF; --lock takes a rigged one as --rig`);
  const asset = await loadGltf(file, warn);
  if (!asset.skinned) throw new UsageError(`'${path}' has no skin; --lock takes a rigged glTF as --rig`);
  const { rig, clips } = readRig(asset);
  if (part === 'weights') {
    const n = vertexCount(sequence.rest);
    if (vertexCount(rig.mesh) === n) return { part, rig };
    throw new UsageError(
      `'${path}' has ${vertexCount(rig.mesh)} vertices, the animation ${n}; --lock weights needs the same`,
    );
  }
  const frames = frameCount(sequence);
  const clip = clips.find(({ times }) => times.length === frames);
  if (!clip) {
    const counts = clips.map(({ name, times }) => `'${name}' has ${times.length}`).join(', ');
    throw new UsageError(
      `no animation of '${path}' has the ${frames} frames that are fitted (${counts || 'it has none'})`,
    );
  }
  return { part, rig, clip };
}
