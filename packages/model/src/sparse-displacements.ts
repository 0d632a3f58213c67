/**
 * Principal displacements as files keep them: 8 bits a number, for the vertices that any of them moves. Scales are part
 * of `mixing`.
 */
import { InputError } from './errors.ts';
import { requireIndices, requireLength } from './require.ts';

export interface SparseDisplacements {
  /** v vertices, ascending */
  readonly vertices: Uint32Array;
  /** R × v × 3 */
  readonly displacements: Int8Array;
  /** v */
  readonly axes: Uint16Array;
}

/**
 * The vertices that are displaced, and how.
 *
 * @param displacements  R × n × 3 whole numbers from −127 to 127
 * @param axes           n
 * @example
 * {@includeCode ../examples/sparse-displacements.ts}
 */
export function sparseDisplacements(displacements: Float32Array, axes: Uint16Array): SparseDisplacements {
  const n = axes.length;
  const vertices = Uint32Array.from(axes.keys()).filter((i) => {
    for (let at = 3 * i; at < displacements.length; at += 3 * n) {
      if (displacements[at] !== 0 || displacements[at + 1] !== 0 || displacements[at + 2] !== 0) return true;
    }
    return false;
  });
  const v = vertices.length;
  const packed = new Int8Array(n > 0 ? (displacements.length / n) * v : 0);
  for (let r = 0; 3 * v * r < packed.length; r++) {
    vertices.forEach((i, k) => {
      for (let c = 0; c < 3; c++) packed[3 * (r * v + k) + c] = displacements[3 * (r * n + i) + c];
    });
  }
  return { vertices, displacements: packed, axes: Uint16Array.from(vertices, (i) => axes[i]) };
}

/**
 * The displacements of all n vertices. Throws `InputError` where the arrays do not fit.
 *
 * @param what   the owner, for messages
 * @param count  R
 * @example
 * {@includeCode ../examples/sparse-displacements.ts}
 */
export function denseDisplacements(
  what: string,
  { vertices, displacements, axes }: SparseDisplacements,
  count: number,
  n: number,
): { readonly displacements: Float32Array; readonly axes: Uint16Array } {
  const v = vertices.length;
  if (!Number.isInteger(count)) throw new InputError(`${what}: mixing is not a multiple of the poses`);
  requireIndices(`${what}: displacementVertices`, vertices, n);
  requireLength(`${what}: displacements`, displacements, 3 * count * v);
  requireLength(`${what}: displacementAxes`, axes, v);
  const dense = { displacements: new Float32Array(3 * count * n), axes: new Uint16Array(n) };
  vertices.forEach((i, k) => {
    dense.axes[i] = axes[k];
    for (let r = 0; r < count; r++) {
      for (let c = 0; c < 3; c++) dense.displacements[3 * (r * n + i) + c] = displacements[3 * (r * v + k) + c];
    }
  });
  return dense;
}
