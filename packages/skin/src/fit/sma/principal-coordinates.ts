/**
 * Points of many dimensions in their few principal ones: distances between them stay what they were to within the share
 * of the variance that is left out. The directions come from a sample; every point is then projected once.
 *
 * Reference: Jolliffe. Principal component analysis. 2nd ed. 2002, section 3.5.
 */
import { gemm, matrixOf, type Numerics, symmetricEigen, transposed } from '@pelt/math';
import { checkCancelled, type RunContext } from '@pelt/model';

export interface PrincipalCoordinates {
  /** d, at least 1 */
  readonly dimension: number;
  /** count × d */
  readonly coordinates: Float64Array;
}

/** Points from which the directions are made. */
const SAMPLE = 600;
/** Points whose full coordinates are in memory at once. */
const BLOCK = 512;

/**
 * @param count    points
 * @param length   numbers of one point
 * @param gather   writes a point
 * @param left     share of the variance that may be left out
 * @param most     most dimensions
 */
export function principalCoordinates(
  count: number,
  length: number,
  gather: (point: number, out: Float64Array, at: number) => void,
  left: number,
  most: number,
  numerics: Numerics,
  context?: RunContext,
): PrincipalCoordinates {
  const scope = numerics.scope();
  try {
    const { basis, dimension, mean } = principalDirections(count, length, gather, left, most, numerics);
    const directions = transposed(matrixOf(scope.f64From(basis), dimension, length));
    const block = scope.f64(Math.min(BLOCK, count) * length);
    const product = scope.f64(Math.min(BLOCK, count) * dimension);
    const coordinates = new Float64Array(count * dimension);
    for (let first = 0; first < count; first += BLOCK) {
      checkCancelled(context);
      const here = Math.min(BLOCK, count - first);
      const values = block.view;
      for (let k = 0; k < here; k++) {
        gather(first + k, values, k * length);
        for (let a = 0; a < length; a++) values[k * length + a] -= mean[a];
      }
      gemm(numerics, 1, matrixOf(block, here, length), directions, 0, matrixOf(product, here, dimension));
      coordinates.set(product.view.subarray(0, here * dimension), first * dimension);
    }
    return { dimension, coordinates };
  } finally {
    scope.dispose();
  }
}

function principalDirections(
  count: number,
  length: number,
  gather: (point: number, out: Float64Array, at: number) => void,
  left: number,
  most: number,
  numerics: Numerics,
): { basis: Float64Array; dimension: number; mean: Float64Array } {
  const scope = numerics.scope();
  try {
    const q = Math.min(SAMPLE, count);
    const block = scope.f64(q * length);
    const values = block.view;
    const mean = new Float64Array(length);
    for (let k = 0; k < q; k++) {
      gather(Math.floor((k * count) / q), values, k * length);
      for (let a = 0; a < length; a++) mean[a] += values[k * length + a] / q;
    }
    for (let k = 0; k < q * length; k++) values[k] -= mean[k % length];
    // The eigenvectors of the q × q Gram matrix, carried over to the directions: X = UΣVᵀ, V = XᵀU/Σ.
    const gram = scope.f64(q * q);
    const samples = matrixOf(block, q, length);
    gemm(numerics, 1, samples, transposed(samples), 0, matrixOf(gram, q, q));
    const eigen = symmetricEigen(gram.view.slice(), q, numerics);
    const variance = eigen.values.reduce((sum, value) => sum + Math.max(value, 0), 0);
    let rest = variance;
    let dimension = 0;
    while (dimension < Math.min(most, q) && rest > left * variance) {
      rest -= Math.max(eigen.values[q - 1 - dimension++], 0);
    }
    // Points that are all the same still have one coordinate.
    if (dimension === 0) return { basis: new Float64Array(length), dimension: 1, mean };
    const chosen = scope.f64(dimension * q);
    for (let d = 0; d < dimension; d++) {
      const scale = 1 / Math.sqrt(eigen.values[q - 1 - d]);
      for (let k = 0; k < q; k++) chosen.view[d * q + k] = scale * eigen.vectors[k * q + q - 1 - d];
    }
    const basis = scope.f64(dimension * length);
    gemm(numerics, 1, matrixOf(chosen, dimension, q), samples, 0, matrixOf(basis, dimension, length));
    return { basis: basis.view.slice(), dimension, mean };
  } finally {
    scope.dispose();
  }
}
