import type { Accessor } from '@gltf-transform/core';
import type { GlbDocument } from './glb-document.ts';

/** Bytes of a displacement, and at most of its index where only those that are not 0 are stored. */
const DENSE_BYTES = 12;
const SPARSE_BYTES = 16;

/**
 * Displacements of a morph target, sparse where that is smaller.
 *
 * @param deltas  vertices × 3
 */
export function deltaAccessor(glb: GlbDocument, deltas: Float32Array<ArrayBuffer>): Accessor {
  let moved = 0;
  for (let k = 0; k < deltas.length; k += 3) if (deltas[k] || deltas[k + 1] || deltas[k + 2]) moved++;
  return glb.accessor('VEC3', deltas, { sparse: moved * SPARSE_BYTES < (deltas.length / 3) * DENSE_BYTES });
}
