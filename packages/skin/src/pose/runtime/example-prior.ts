/**
 * Which blend the handles speak for by themselves: that of the examples whose handles lie where these are held.
 *
 * Where several blends meet the handles about equally well, the pose should be near an example; and where the handles
 * are those of an example, it should be that example. So the blend is drawn, faintly, to Shepard's weights over the
 * examples (the rest pose among them) by the squared distance of their handles, as far as the nearest of them is near;
 * else to the rest pose. Both are continuous, so that nothing jumps while a handle moves. Where the whole stands does
 * not count: distances are taken after the mean.
 *
 * Reference: Shepard. A two-dimensional interpolation function for irregularly-spaced data. 1968.
 */
import { type Poser, poseAt, TRANSFORM_SIZE } from '@pelt/model';

/** Distance of handles, in sizes of the model, up to which an example is near. */
const NEAR = 0.05;
/** Two handles say nothing but how far apart they are. */
const LEAST_HANDLES = 3;
/** Keeps a weight finite where the handles are an example's own. */
const LEAST_SQUARE = 1e-12;

export class ExamplePrior {
  readonly #poser: Poser;
  readonly #E: number;
  /** (E + 1) × k × 3 positions of the handles in the examples, then at rest, relative and from their mean */
  #places: Float64Array = new Float64Array(0);
  #count = 0;
  /** E, the blend that is drawn to */
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
   * Looks up where the examples have these vertices.
   *
   * @param vertices  k
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
      takeMeanOff(this.#places, 3 * e * k, k, this.#mean);
    }
  }

  /**
   * @param targets  k × 3, in model units
   */
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

function takeMeanOff(values: Float64Array, at: number, k: number, mean: Float64Array): void {
  mean.fill(0);
  for (let c = 0; c < 3 * k; c++) mean[c % 3] += values[at + c] / k;
  for (let c = 0; c < 3 * k; c++) values[at + c] -= mean[c % 3];
}
