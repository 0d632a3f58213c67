/**
 * Low-dimensional coordinates of how every triangle rotates over a sequence. The rotations of a triangle over all frames
 * are a point z ∈ R^{9S}; rigid parts are dense regions of such points. Their leading principal coordinates preserve
 * distances up to a small fraction of the variance. The principal directions come from a sample of the triangles; every
 * frame then adds its contribution to the coordinates of all triangles, so that the points themselves are never stored.
 *
 * References: James, Twigg. Skinning mesh animations. 2005, section 3.1. Jolliffe. Principal component analysis. 2002.
 */
import {
  type Block,
  gemm,
  matrixOf,
  type Numerics,
  partOf,
  polarDecompositions,
  type Scope,
  symmetricEigen,
  transposed,
} from '@pelt/math';
import { checkCancelled, frameAt, frameCount, type MeshSequence, type RunContext } from '@pelt/model';
import { DeformationGradients } from '../../shared/gradients/deformation-gradients.ts';

export interface RotationCoordinates {
  /** d, at least 1 */
  readonly dimension: number;
  /** f × d */
  readonly coordinates: Float64Array;
}

/** Triangles sampled for the principal directions. */
const SAMPLE = 600;

/**
 * @param leftOut  fraction of the variance that may be discarded
 * @param most     maximum number of coordinates
 */
export function rotationCoordinates(
  sequence: MeshSequence,
  leftOut: number,
  most: number,
  numerics: Numerics,
  context?: RunContext,
): RotationCoordinates {
  const { positions, triangles } = sequence.rest;
  const gradients = new DeformationGradients(positions, triangles);
  const sample = sampleOf(gradients);
  if (sample.length === 0) return { dimension: 1, coordinates: new Float64Array(gradients.count) };
  const scope = numerics.scope();
  try {
    const { basis, mean, dimension } = principalDirections(sequence, sample, leftOut, most, numerics);
    const length = mean.length;
    const directions = matrixOf(scope.f64From(basis), dimension, length);
    const product = scope.f64(gradients.count * dimension);
    const frames = new FrameRotations(gradients, numerics, scope);
    for (let t = 0; 9 * t < length; t++) {
      checkCancelled(context);
      frames.take(frameAt(sequence, t));
      const ofFrame = transposed(partOf(directions, 0, 9 * t, dimension, 9));
      const rotations = matrixOf(frames.rotations, gradients.count, 9);
      gemm(numerics, 1, rotations, ofFrame, t === 0 ? 0 : 1, matrixOf(product, gradients.count, dimension));
    }
    const centre = new Float64Array(dimension);
    for (let k = 0; k < basis.length; k++) centre[Math.floor(k / length)] += basis[k] * mean[k % length];
    return { dimension, coordinates: product.view.map((x, k) => x - centre[k % dimension]) };
  } finally {
    scope.dispose();
  }
}

/** Corners of up to SAMPLE triangles with non-zero area, evenly spaced. */
function sampleOf({ areas, triangles }: DeformationGradients): Uint32Array {
  const solid = Array.from(areas.keys()).filter((k) => areas[k] > 0);
  const count = Math.min(SAMPLE, solid.length);
  const sample = new Uint32Array(3 * count);
  for (let k = 0; k < count; k++) {
    const triangle = solid[Math.floor((k * solid.length) / count)];
    sample.set(triangles.subarray(3 * triangle, 3 * triangle + 3), 3 * k);
  }
  return sample;
}

/** Rotations of all triangles in one frame at a time. */
class FrameRotations {
  /** f × 9 */
  readonly rotations: Block<Float64Array>;
  readonly #gradients: DeformationGradients;
  readonly #numerics: Numerics;
  readonly #scratch: Float64Array<ArrayBuffer>;
  readonly #unsplit: Block<Float64Array>;
  readonly #stretches: Block<Float64Array>;

  constructor(gradients: DeformationGradients, numerics: Numerics, scope: Scope) {
    const size = 9 * gradients.count;
    this.#gradients = gradients;
    this.#numerics = numerics;
    this.#scratch = new Float64Array(size);
    this.#unsplit = scope.f64(size);
    this.#stretches = scope.f64(size);
    this.rotations = scope.f64(size);
  }

  take(frame: Float32Array): Float64Array {
    this.#unsplit.view.set(this.#gradients.of(frame, this.#scratch));
    polarDecompositions(this.#numerics, this.#gradients.count, this.#unsplit, this.rotations, this.#stretches);
    return this.rotations.view;
  }
}

/** d × 9S principal directions and the mean of the sampled points. */
function principalDirections(
  sequence: MeshSequence,
  sample: Uint32Array,
  leftOut: number,
  most: number,
  numerics: Numerics,
): { basis: Float64Array; mean: Float64Array; dimension: number } {
  const scope = numerics.scope();
  try {
    const gradients = new DeformationGradients(sequence.rest.positions, sample);
    const q = gradients.count;
    const length = 9 * frameCount(sequence);
    const frames = new FrameRotations(gradients, numerics, scope);
    const block = scope.f64(q * length);
    const mean = new Float64Array(length);
    for (let t = 0; 9 * t < length; t++) {
      const rotations = frames.take(frameAt(sequence, t));
      const points = block.view;
      for (let k = 0; k < 9 * q; k++) {
        const a = 9 * t + (k % 9);
        points[Math.floor(k / 9) * length + a] = rotations[k];
        mean[a] += rotations[k] / q;
      }
    }
    for (let k = 0; k < q * length; k++) block.view[k] -= mean[k % length];
    // Eigenvectors of the q × q Gram matrix give the directions: X = UΣVᵀ, V = XᵀU/Σ.
    const gram = scope.f64(q * q);
    const points = matrixOf(block, q, length);
    gemm(numerics, 1, points, transposed(points), 0, matrixOf(gram, q, q));
    const { values, vectors } = symmetricEigen(gram.view.slice(), q, numerics);
    const variance = values.reduce((sum, value) => sum + Math.max(value, 0), 0);
    let rest = variance;
    let dimension = 0;
    // Identical points have a variance from rounding alone, which has no meaningful directions.
    const enough = Math.max(leftOut * variance, NO_VARIANCE * length * q);
    while (dimension < Math.min(most, q) && rest > enough) rest -= Math.max(values[q - 1 - dimension++], 0);
    if (dimension === 0) return { basis: new Float64Array(length), mean, dimension: 1 };
    const chosen = scope.f64(dimension * q);
    for (let d = 0; d < dimension; d++) {
      const scale = 1 / Math.sqrt(values[q - 1 - d]);
      for (let k = 0; k < q; k++) chosen.view[d * q + k] = scale * vectors[k * q + q - 1 - d];
    }
    const basis = scope.f64(dimension * length);
    gemm(numerics, 1, matrixOf(chosen, dimension, q), points, 0, matrixOf(basis, dimension, length));
    return { basis: basis.view.slice(), mean, dimension };
  } finally {
    scope.dispose();
  }
}

/** Mean square below which rotation entries differ only by the rounding of float32 positions. */
const NO_VARIANCE = 1e-10;
