/**
 * The Gram matrix of the performer's examples, which all projections of a pose onto them share.
 *
 * For weights with Σw = 1 the examples may be centred without changing ‖x − Xw‖, which keeps the Gram matrix well scaled;
 * a multiple of 1 1ᵀ, which adds a constant for every such w, removes the null space that centring creates. The matrix is
 * still singular for fewer dimensions than examples, or repeated examples: a small ridge distributes the weight evenly
 * among equal examples.
 *
 * Nearly equal examples, or any combination of examples that nearly cancels, are worse than equal ones: a small difference
 * of the pose from all examples, which says nothing about them, gets large weights of opposite signs (−3.9 to 6 for a trunk
 * that hardly moves in a walk) and the character jumps. With G the Gram matrix of the centred examples and σ the difference
 * that says nothing, the penalty wᵀ P w with P = σ² (I + G/σ²)⁻³ adds σ² to an eigenvalue far below σ², and almost nothing
 * to one above, so that examples which do differ are still met. A ridge of σ² is as steady, but misses all examples.
 */
import { factorSmall, solveSmallVector } from '@pelt/math';
import { InputError, NumericError } from '@pelt/model';

/** Squared distance below which examples are equal, relative to their total variance. */
const ALIKE = 1e-9;

/** Factors a principal submatrix of a Gram matrix, which its ridge makes positive definite; see `factorSmall`. */
export function factorGram(gram: Float64Array, size: number, stride: number): void {
  if (factorSmall(gram, size, stride, 0)) return;
  throw new NumericError('createPuppet: the poses of the performer are too similar; raise the ridge');
}

export class ExampleSpace {
  /** N */
  readonly count: number;
  /** D, numbers per pose */
  readonly dimension: number;
  /** N × D, row-major, centred */
  readonly examples: Float64Array;
  /** D */
  readonly centre: Float64Array;
  /** X Xᵀ + P + scale · 1 1ᵀ + ridge · scale · I, N × N */
  readonly gram: Float64Array;
  /** Mean squared distance of an example from its nearest neighbour, the unit of penalties; 0 where all are equal. */
  readonly spacing: number;
  /** Mean square of the centred examples, the unit of tolerances; 1 where all examples are equal. */
  readonly scale: number;

  /**
   * @param examples  N × D, row-major
   * @param ridge     fraction of the Gram matrix's mean diagonal that is added to its diagonal
   * @param noise     σ, a distance that does not distinguish examples
   */
  constructor(examples: Float64Array, count: number, ridge: number, noise = 0) {
    if (count < 1) throw new InputError('createPuppet: there are no pairs; give at least one');
    const D = examples.length / count;
    this.count = count;
    this.dimension = D;
    this.examples = Float64Array.from(examples);
    this.centre = new Float64Array(D);
    for (let d = 0; d < D; d++) {
      for (let i = 0; i < count; i++) this.centre[d] += examples[i * D + d] / count;
      for (let i = 0; i < count; i++) this.examples[i * D + d] -= this.centre[d];
    }
    this.gram = new Float64Array(count * count);
    let trace = 0;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k <= i; k++) {
        let sum = 0;
        for (let d = 0; d < D; d++) sum += this.examples[i * D + d] * this.examples[k * D + d];
        this.gram[i * count + k] = sum;
        this.gram[k * count + i] = sum;
      }
      trace += this.gram[i * count + i];
    }
    this.scale = trace > 0 ? trace / count : 1;
    this.spacing = neighbourDistance(this.gram, count, ALIKE * trace);
    const penalty = noise > 0 ? noisePenalty(this.gram, count, noise * noise) : this.gram.map(() => 0);
    for (let k = 0; k < this.gram.length; k++) {
      this.gram[k] += penalty[k];
      this.gram[k] += this.scale * (k % (count + 1) === 0 ? 1 + ridge : 1);
    }
  }

  /** out = X (x − centre), N numbers. */
  correlate(features: Float64Array, out: Float64Array): void {
    const { count, dimension, examples, centre } = this;
    for (let i = 0, k = 0; i < count; i++) {
      let sum = 0;
      for (let d = 0; d < dimension; d++, k++) sum += examples[k] * (features[d] - centre[d]);
      out[i] = sum;
    }
  }
}

/** P = σ² (I + G/σ²)⁻³, N × N. */
function noisePenalty(gram: Float64Array, count: number, variance: number): Float64Array {
  const factor = gram.map((value, k) => value / variance + (k % (count + 1) === 0 ? 1 : 0));
  factorGram(factor, count, count);
  const penalty = new Float64Array(count * count);
  const column = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    column.fill(0);
    column[i] = variance;
    for (let power = 0; power < 3; power++) solveSmallVector(factor, count, count, column);
    penalty.set(column, i * count);
  }
  return penalty;
}

/** Mean over the examples of the squared distance to the nearest one that differs by more than `least`. */
function neighbourDistance(gram: Float64Array, count: number, least: number): number {
  let total = 0;
  let found = 0;
  for (let i = 0; i < count; i++) {
    let nearest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      const squared = gram[i * count + i] + gram[k * count + k] - 2 * gram[i * count + k];
      if (squared > least && squared < nearest) nearest = squared;
    }
    if (nearest === Number.POSITIVE_INFINITY) continue;
    total += nearest;
    found++;
  }
  return found > 0 ? total / found : 0;
}

/** Expresses a pose by the examples. */
export interface Projection {
  /**
   * @param features  D
   * @param weights   N; overwritten; they sum to 1
   */
  project(features: Float64Array, weights: Float64Array): void;
  /** Discards the last pose, from which the next solve starts. */
  reset(): void;
}
