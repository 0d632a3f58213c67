/**
 * How far one animation is from another, in the measures that the literature reports, over n vertices and S frames with
 * truth vₜᵢ, approximation ṽₜᵢ and E = Σ‖vₜᵢ − ṽₜᵢ‖²:
 *
 *   E_RMS         = 1000 √(E / 3nS) / r, r the radius of the rest pose's minimal enclosing ball
 *   RMSE %        = 100 √(E / nS) / d, d the diagonal of the rest pose's bounding box
 *   distortion %  = 100 √E / √Σ‖vₜᵢ − cₜ‖², cₜ the centroid of frame t
 *
 * and the largest vertex error, its 99.9th percentile, and the mean angle between true and approximate normals, because
 * a viewer sees those before an RMS.
 *
 * References: Kavan, Sloan, O'Sullivan. Fast and efficient skinning of animated meshes. 2010 (E_RMS). Karni, Gotsman.
 * Compression of soft-body animation sequences. 2004 (distortion).
 */
import { atan2, enclosingBall } from '@pelt/math';
import { InputError, UsageError } from '../errors.ts';
import { type Mesh, vertexCount } from '../mesh.ts';
import { LargestValues } from './largest-values.ts';
import { vertexNormals } from './vertex-normals.ts';

export interface SequenceErrors {
  /** Root mean square of the coordinates' errors, in thousandths of the rest pose's enclosing radius. */
  readonly eRms: number;
  /** Root mean square of the vertex errors, in per cent of the rest pose's box diagonal. */
  readonly rmsePercent: number;
  /** Error against the spread about each frame's centroid, in per cent. */
  readonly distortionPercent: number;
  /** Largest vertex error, in the model's own unit. */
  readonly max: number;
  /** 99.9 per cent of all vertex errors are not above it (nearest rank), in the model's own unit. */
  readonly p999: number;
  /**
   * Mean angle between the normals, over all vertices of all frames where both have one. The normals are the
   * area-weighted ones of the vertices, computed from the positions.
   */
  readonly normalAngleDegrees: number;
}

/**
 * Measures how far one animation is from another: E_RMS, RMSE, distortion, the largest error and its 99.9th percentile,
 * and the angle between normals. It takes frame after frame, so that neither animation need be in memory.
 * @example
 * {@includeCode ../../examples/sequence.ts}
 */
export class SequenceErrorMeter {
  readonly #n: number;
  readonly #frames: number;
  readonly #triangles: Uint32Array;
  readonly #radius: number;
  readonly #diagonal: number;
  readonly #largest: LargestValues;
  readonly #trueNormals: Float64Array;
  readonly #normals: Float64Array;
  #seen = 0;
  #squared = 0;
  #spread = 0;
  #max = 0;
  #angles = 0;
  #angleCount = 0;

  /**
   * @param rest    the rest pose: gives the size that errors are measured against, and the triangles for the normals
   * @param frames  S, how many frames will be added
   */
  constructor(rest: Mesh, frames: number) {
    this.#n = vertexCount(rest);
    this.#frames = frames;
    this.#triangles = rest.triangles;
    this.#radius = enclosingBall(rest.positions).radius;
    this.#diagonal = boxDiagonal(rest.positions);
    this.#largest = new LargestValues(this.#n * frames, 0.999);
    this.#trueNormals = new Float64Array(3 * this.#n);
    this.#normals = new Float64Array(3 * this.#n);
  }

  /**
   * @param truth          n × 3
   * @param approximation  n × 3
   */
  addFrame(truth: Float32Array, approximation: Float32Array): void {
    const size = 3 * this.#n;
    if (truth.length !== size || approximation.length !== size) {
      throw new InputError(
        `sequence errors: a frame has ${truth.length / 3} and ${approximation.length / 3} vertices, expected ${this.#n}`,
      );
    }
    if (this.#seen === this.#frames)
      throw new UsageError(`sequence errors: more than the ${this.#frames} frames announced`);
    this.#seen++;
    this.#addDistances(truth, approximation);
    this.#addSpread(truth);
    this.#addAngles(truth, approximation);
  }

  result(): SequenceErrors {
    if (this.#seen !== this.#frames) {
      throw new UsageError(`sequence errors: ${this.#seen} frames came, ${this.#frames} were announced`);
    }
    const count = Math.max(1, this.#n * this.#frames);
    return {
      eRms: 1000 * relativeTo(Math.sqrt(this.#squared / (3 * count)), this.#radius),
      rmsePercent: 100 * relativeTo(Math.sqrt(this.#squared / count), this.#diagonal),
      distortionPercent: 100 * relativeTo(Math.sqrt(this.#squared), Math.sqrt(this.#spread)),
      max: this.#max,
      p999: this.#largest.quantile,
      normalAngleDegrees: this.#angleCount === 0 ? 0 : ((180 / Math.PI) * this.#angles) / this.#angleCount,
    };
  }

  #addDistances(truth: Float32Array, approximation: Float32Array): void {
    let sum = 0;
    for (let k = 0; k < truth.length; k += 3) {
      const x = truth[k] - approximation[k];
      const y = truth[k + 1] - approximation[k + 1];
      const z = truth[k + 2] - approximation[k + 2];
      const squared = x * x + y * y + z * z;
      const distance = Math.sqrt(squared);
      sum += squared;
      if (distance > this.#max) this.#max = distance;
      this.#largest.add(distance);
    }
    this.#squared += sum;
  }

  #addSpread(truth: Float32Array): void {
    for (let c = 0; c < 3; c++) {
      let mean = 0;
      for (let k = c; k < truth.length; k += 3) mean += truth[k];
      mean /= this.#n;
      for (let k = c; k < truth.length; k += 3) this.#spread += (truth[k] - mean) ** 2;
    }
  }

  #addAngles(truth: Float32Array, approximation: Float32Array): void {
    if (this.#triangles.length === 0) return;
    const a = vertexNormals(truth, this.#triangles, this.#trueNormals);
    const b = vertexNormals(approximation, this.#triangles, this.#normals);
    for (let k = 0; k < a.length; k += 3) {
      const x = a[k + 1] * b[k + 2] - a[k + 2] * b[k + 1];
      const y = a[k + 2] * b[k] - a[k] * b[k + 2];
      const z = a[k] * b[k + 1] - a[k + 1] * b[k];
      const sine = Math.sqrt(x * x + y * y + z * z);
      const cosine = a[k] * b[k] + a[k + 1] * b[k + 1] + a[k + 2] * b[k + 2];
      if (sine === 0 && cosine === 0) continue;
      this.#angles += atan2(sine, cosine);
      this.#angleCount++;
    }
  }
}

/** A model without size (one point, or all in one place) is measured in its own unit: the answer is finite. */
function relativeTo(error: number, size: number): number {
  return size > 0 ? error / size : error;
}

function boxDiagonal(positions: Float32Array): number {
  let squared = 0;
  for (let c = 0; c < 3; c++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = c; k < positions.length; k += 3) {
      least = Math.min(least, positions[k]);
      most = Math.max(most, positions[k]);
    }
    if (most > least) squared += (most - least) ** 2;
  }
  return Math.sqrt(squared);
}
