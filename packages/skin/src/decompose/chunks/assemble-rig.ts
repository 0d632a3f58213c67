import { gatherVertices, gatherWeights, type Mesh, type Rig } from '@pelt/model';
import type { ChunkWeights } from './chunk-weights.ts';
import type { ChunkedMesh } from './chunked-mesh.ts';
import type { FoundBones } from './find-bones.ts';

/**
 * The rig of the whole mesh from the weights of its chunks, in any order, on the vertices of the file.
 *
 * @param rest    the mesh of the file
 * @param chunks  every welded vertex in one of them
 *
 * @example
 * {@includeCode ../../../examples/chunks.ts}
 */
export function assembleRig(
  rest: Mesh,
  { n, weld }: ChunkedMesh,
  { bones, slots }: FoundBones,
  chunks: Iterable<ChunkWeights>,
): Rig {
  const positions = new Float32Array(3 * n);
  const skin = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
  for (const { vertices, positions: own, weights } of chunks) {
    vertices.forEach((i, k) => {
      for (let d = 0; d < 3; d++) positions[3 * i + d] = own[3 * k + d];
      for (let s = 0; s < slots; s++) {
        skin.bones[i * slots + s] = weights.bones[k * slots + s];
        skin.weights[i * slots + s] = weights.weights[k * slots + s];
      }
    });
  }
  const { name } = rest;
  if (weld.map.length === n) return { name, mesh: { ...rest, positions }, bones, weights: skin };
  const mesh = { ...rest, positions: gatherVertices(positions, 3, weld.map) };
  return { name, mesh, bones, weights: gatherWeights(skin, weld.map) };
}
