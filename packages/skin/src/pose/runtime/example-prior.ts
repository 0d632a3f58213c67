/**
 * A prior for the blend weights, from the positions of the handles alone: the examples whose handles are near.
 *
 * Where several blends meet the handles about equally well, the pose should be near an example; and where the handles
 * are those of an example, it should be that example. The blend is therefore regularised towards inverse distance
 * weights (Shepard) over the examples and the rest pose, by the distances of their handles, where the nearest of them is
 * near, and elsewhere towards the rest pose where the body has one blend, as published, or towards the mean of all examples
 * where it has regions: what no handle tells about a limb is then guessed least wrong (0.69 in place of 0.76 of the nearest
 * example's error on poses of a horse left out). The prior is a continuous function of the targets, so that the pose does
 * not jump while a handle moves. It is invariant to rigid motion: distances are those of examples that are placed rigidly.
 *
 * How much the examples are to be trusted follows from the distance d of the nearest one. Between frames of a clip d is
 * about 1 %: a common blend explains the pose, so that its weights should be nearly free and regions should hardly depart
 * from it. Between a few sculpts d is 5 to 10 %: weights far from the prior extrapolate, and regions have to depart. The
 * weight of the regulariser therefore grows with d², and that of the departures with 1/d², as for variances of the two that
 * grow with the distance. This has the published method as its limit near the examples. Experiments:
 * docs/experiments/posing.md.
 *
 * Reference: Shepard. A two-dimensional interpolation function for irregularly-spaced data. 1968.
 */
import { type Poser, poseAt, regionCount, TRANSFORM_SIZE } from '@pelt/model';
import { RigidStarts } from './rigid-starts.ts';

/** RMS distance of handles, in model sizes, up to which an example counts as near. */
const NEAR = 0.05;
/** The same at which the regulariser is twice as stiff as at an example. */
const TRUSTED = 0.01;
/** The same at which departures of the regions are twice as stiff as far from all examples; and their largest factor. */
const DEPARTING = 0.04;
const FIRMEST = 100;
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
  /** Factor of the regulariser's weight, from 1 on. */
  stiffness = 1;
  /** Factor of the weights of the regions' departures, from 1 on. */
  firmness = 1;
  /** RMS distance of the handles from those of the nearest example, in model sizes; infinite where none is known. */
  distance = Number.POSITIVE_INFINITY;
  /** How near each example is, and the nearest. */
  readonly starts: RigidStarts;
  #targets: Float64Array = new Float64Array(0);
  readonly #weights: Float64Array;
  readonly #mean = new Float64Array(3);

  /** @param starts  how many nearest examples are wanted */
  constructor(poser: Poser, starts: number) {
    this.#poser = poser;
    this.#E = poser.exampleNames.length;
    this.blend = new Float64Array(this.#E);
    this.starts = new RigidStarts(this.#E, starts);
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
    this.#targets = new Float64Array(3 * k);
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

  /** Nothing is known: no example is near. */
  clear(): void {
    this.blend.fill(0);
    this.stiffness = 1;
    this.firmness = 1;
    this.distance = Number.POSITIVE_INFINITY;
    this.starts.count = 0;
  }

  /** @param targets  k × 3, in model space */
  setTargets(targets: Float64Array): void {
    const k = this.#count;
    const E = this.#E;
    const relative = this.#targets;
    this.blend.fill(0);
    this.stiffness = 1;
    this.firmness = 1;
    this.distance = Number.POSITIVE_INFINITY;
    for (let c = 0; c < 3 * k; c++) relative[c] = targets[c] / this.#poser.size;
    subtractMean(relative, 0, k, this.#mean);
    // Two handles determine nothing but their distance.
    if (!this.starts.find(k, this.#places, relative)) return;
    const { squares } = this.starts;
    let nearest = Number.POSITIVE_INFINITY;
    let total = 0;
    for (let e = 0; e <= E; e++) {
      nearest = Math.min(nearest, squares[e]);
      this.#weights[e] = 1 / (squares[e] + LEAST_SQUARE) ** 2;
      total += this.#weights[e];
    }
    this.distance = Math.sqrt(nearest);
    this.stiffness = 1 + nearest / (TRUSTED * TRUSTED);
    this.firmness = Math.min(1 + (DEPARTING * DEPARTING) / Math.max(nearest, LEAST_SQUARE), FIRMEST);
    const confidence = 1 / (1 + nearest / (NEAR * NEAR));
    const mean = regionCount(this.#poser) > 1 ? (1 - confidence) / (E + 1) : 0;
    for (let e = 0; e < E; e++) this.blend[e] = (confidence * this.#weights[e]) / total + mean;
  }
}

function subtractMean(values: Float64Array, at: number, k: number, mean: Float64Array): void {
  mean.fill(0);
  for (let c = 0; c < 3 * k; c++) mean[c % 3] += values[at + c] / k;
  for (let c = 0; c < 3 * k; c++) values[at + c] -= mean[c % 3];
}
