/** The skeleton that `--skeleton` names, brought to the vertices of the sequence that is fitted. */
import { readRig } from '@pelt/io';
import { type MeshSequence, UsageError } from '@pelt/model';
import type { GivenSkeleton } from '@pelt/skin';
import { loadGltf } from '../input/load-sequence.ts';
import { isGltf, sourceFile } from '../input/source-files.ts';

/** A mesh whose vertices are this near to the sequence's, against the size of their box, is the same mesh. */
const SAME_MESH = 1e-3;

export async function loadGivenSkeleton(
  path: string,
  sequence: MeshSequence,
  warn: (message: string) => void,
): Promise<GivenSkeleton> {
  const file = sourceFile(path);
  if (!isGltf(file)) throw new UsageError(`'${path}' is no glTF; --skeleton takes a rigged one`);
  const asset = await loadGltf(file, warn);
  if (!asset.skinned) throw new UsageError(`'${path}' has no skin; --skeleton takes a rigged glTF`);
  const { rig } = readRig(asset);
  // Weights of the same mesh are a good start; of another mesh they say nothing about these vertices.
  const same = sameMesh(rig.mesh.positions, sequence.rest.positions);
  return { bones: rig.bones, ...(same && { weights: rig.weights }) };
}

function sameMesh(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false;
  const low = [0, 1, 2].map((d) =>
    b.reduce((least, value, k) => (k % 3 === d ? Math.min(least, value) : least), Infinity),
  );
  const far = b.reduce((most, value, k) => Math.max(most, value - low[k % 3]), 0);
  return a.every((value, k) => Math.abs(value - b[k]) <= SAME_MESH * far);
}
