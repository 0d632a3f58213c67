/**
 * The space of the performer's examples: what every projection of a new pose onto them starts from.
 *
 * For weights with Σw = 1 the examples may be centred without changing ‖x − Xw‖, which keeps the Gram matrix well
 * scaled; a multiple of 1 1ᵀ, which adds the same to every such w, takes away the null direction that centring makes.
 * Fewer dimensions than examples, or repeated examples, make the matrix singular all the same: a small multiple of the
 * identity is added, which shares the weight evenly among examples that are alike.
 */
import { factorSmall } from '@pelt/math';
import { InputError, NumericError } from '@pelt/model';

/** Examples whose squared distance is below this share of the whole spread are the same. */
const ALIKE = 1e-9;

/** Factors a part of a space's Gram matrix, which its ridge makes positive definite; see `factorSmall`. */
export function factorGram(gram: Float64Array, size: number, stride: number): void {
  if (factorSmall(gram, size, stride, 0)) return;
  throw new NumericError('projection: the examples are too much alike; raise the ridge');
}

export class ExampleSpace {
  /** N */
  readonly count: number;
  /** D, numbers in a pose */
  readonly dimension: number;
  /** N × D, row-major, centred */
  readonly examples: Float64Array;
  /** D */
  readonly centre: Float64Array;
  /** N × N, X Xᵀ + scale · 1 1ᵀ + ridge · scale · I */
  readonly gram: Float64Array;
  /** Mean squared distance of an example from the nearest other, by which penalties are set; 0 where all are alike. */
  readonly spacing: number;
  /** Mean square of the centred examples, by which tolerances are set; 1 where all examples are alike. */
  readonly scale: number;

  /**
   * @param examples  N × D, row-major
   * @param ridge     share of the Gram matrix's mean diagonal that is added to it
   */
  constructor(examples: Float64Array, count: number, ridge: number) {
    if (count < 1) throw new InputError('projection: no examples');
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
    for (let k = 0; k < this.gram.length; k++) {
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

/** Mean over the examples of the squared distance to the nearest that differs by more than `least`. */
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

/** A way to express a pose by the examples. */
export interface Projection {
  /**
   * @param features  D
   * @param weights   N, overwritten; they sum to 1
   */
  project(features: Float64Array, weights: Float64Array): void;
  /** Forgets the last pose: the next one is projected as if it were the first. */
  reset(): void;
}
