/**
 * A prior for the blend weights, from the positions of the handles alone: the examples whose handles are near.
 *
 * Where several blends meet the handles about equally well, the pose should be near an example; and where the handles
 * are those of an example, it should be that example. The blend is therefore regularised towards inverse distance
 * weights (Shepard) over the examples and the rest pose, by the distances of their handles, where the nearest of them is
 * near, and towards the rest pose elsewhere. The prior is a continuous function of the targets, so that the pose does
 * not jump while a handle moves. It is invariant to translation: distances are measured relative to the mean.
 *
 * Reference: Shepard. A two-dimensional interpolation function for irregularly-spaced data. 1968.
 */
import { type Poser, poseAt, TRANSFORM_SIZE } from '@pelt/model';

/** RMS distance of handles, in model sizes, up to which an example counts as near. */
const NEAR = 0.05;
/** Two handles determine nothing but their distance. */
const LEAST_HANDLES = 3;
/** Keeps a weight finite where the handles are those of an example. */
const LEAST_SQUARE = 1e-12;

export class ExamplePrior {
  readonly #poser: Poser;
  readonly #E: number;
  /** (E + 1) × k × 3: handle positions in the examples, then at rest, in model sizes and relative to their mean */
  #places: Float64Array = new Float64Array(0);
  #count = 0;
  /** E: the prior blend weights */
  readonly blend: Float64Array;
  readonly #weights: Float64Array;
  readonly #mean = new Float64Array(3);

  constructor(poser: Poser) {
    this.#poser = poser;
    this.#E = poser.exampleNames.length;
    this.blend = new Float64Array(this.#E);
    this.#weights = new Float64Array(this.#E + 1);
  }

  /**
   * Computes the positions of the handles in the examples.
   *
   * @param vertices  k indices
   */
  setVertices(vertices: ArrayLike<number>, k: number): void {
    const { rig, exampleTransforms, exampleDetails, size } = this.#poser;
    const { slots, bones, weights } = rig.weights;
    const { positions } = rig.mesh;
    const m = rig.bones.length;
    this.#count = k;
    this.#places = new Float64Array(3 * k * (this.#E + 1));
    const clip = { name: '', times: new Float64Array(0), transforms: exampleTransforms };
    for (let e = 0; e <= this.#E; e++) {
      for (let c = 0; c < k; c++) {
        const i = vertices[c];
        const detail = e < this.#E ? exampleDetails[e]?.subarray(3 * i, 3 * i + 3) : undefined;
        for (let r = 0; r < 3; r++) {
          let place = e === this.#E ? positions[3 * i + r] : 0;
          for (let s = i * slots; s < (i + 1) * slots && e < this.#E; s++) {
            const at = TRANSFORM_SIZE * bones[s] + 4 * r;
            const { transforms } = poseAt(clip, e, m);
            place += weights[s] * transforms[at + 3];
            for (let d = 0; d < 3; d++) {
              place += weights[s] * transforms[at + d] * (positions[3 * i + d] + (detail?.[d] ?? 0));
            }
          }
          this.#places[3 * (e * k + c) + r] = place / size;
        }
      }
      subtractMean(this.#places, 3 * e * k, k, this.#mean);
    }
  }

  /** E × k × 3: positions of the handles in the examples (then those at rest), in model sizes, relative to their mean */
  get places(): Float64Array {
    return this.#places;
  }

  /** @param targets  k × 3, in model space */
  setTargets(targets: Float64Array): void {
    const k = this.#count;
    const E = this.#E;
    this.blend.fill(0);
    if (k < LEAST_HANDLES) return;
    const { size } = this.#poser;
    const mean = this.#mean.fill(0);
    for (let c = 0; c < 3 * k; c++) mean[c % 3] += targets[c] / (size * k);
    let nearest = Number.POSITIVE_INFINITY;
    let total = 0;
    for (let e = 0; e <= E; e++) {
      let squared = 0;
      for (let c = 0; c < 3 * k; c++) {
        const away = targets[c] / size - mean[c % 3] - this.#places[3 * e * k + c];
        squared += (away * away) / k;
      }
      nearest = Math.min(nearest, squared);
      const weight = 1 / (squared + LEAST_SQUARE) ** 2;
      this.#weights[e] = weight;
      total += weight;
    }
    const confidence = 1 / (1 + nearest / (NEAR * NEAR));
    for (let e = 0; e < E; e++) this.blend[e] = (confidence * this.#weights[e]) / total;
  }
}

function subtractMean(values: Float64Array, at: number, k: number, mean: Float64Array): void {
  mean.fill(0);
  for (let c = 0; c < 3 * k; c++) mean[c % 3] += values[at + c] / k;
  for (let c = 0; c < 3 * k; c++) values[at + c] -= mean[c % 3];
}
