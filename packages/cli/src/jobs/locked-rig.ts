/** The rig whose bones or weights a fit keeps, brought to the vertices and frames of the sequence that is fitted. */
import { readRig } from '@pelt/io';
import { frameCount, type MeshSequence, type Rig, UsageError, vertexCount, type Weld } from '@pelt/model';
import type { LockedRig } from '@pelt/skin';
import { loadGltf } from '../input/load-sequence.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';
import type { Lockable } from './fit-methods.ts';

export async function loadLockedRig(
  part: Lockable,
  path: string,
  sequence: MeshSequence,
  weld: Weld,
  warn: (message: string) => void,
): Promise<LockedRig> {
  const file = sourceFile(path);
  if (!isGltf(file)) throw new UsageError(`'${path}' is no glTF; --lock takes a rigged one as --rig`);
  const asset = await loadGltf(file, warn);
  if (!asset.skinned) throw new UsageError(`'${path}' has no skin; --lock takes a rigged glTF as --rig`);
  const { rig, clips } = readRig(asset);
  if (part === 'weights') return { part, rig: welded(rig, sequence, weld, path) };
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

/** The rig at one vertex of each weld. */
function welded(rig: Rig, sequence: MeshSequence, weld: Weld, path: string): Rig {
  const n = vertexCount(sequence.rest);
  if (vertexCount(rig.mesh) !== n) {
    throw new UsageError(
      `'${path}' has ${vertexCount(rig.mesh)} vertices, the animation ${n}; --lock weights needs the same`,
    );
  }
  const { slots } = rig.weights;
  const count = vertexCount(weld.sequence.rest);
  const bones = new Uint16Array(count * slots);
  const weights = new Float32Array(count * slots);
  weld.map.forEach((w, i) => {
    bones.set(rig.weights.bones.subarray(i * slots, (i + 1) * slots), w * slots);
    weights.set(rig.weights.weights.subarray(i * slots, (i + 1) * slots), w * slots);
  });
  return { ...rig, mesh: weld.sequence.rest, weights: { slots, bones, weights } };
}
