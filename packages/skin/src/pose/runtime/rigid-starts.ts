/**
 * How near the examples, and the rest pose, are to the handles once each is placed rigidly: the rotation that takes its
 * handles to the targets best, and the distance that is left. The distances tell which blend is likely (see ExamplePrior);
 * the nearest examples are starts for a descent that is stuck elsewhere.
 *
 * Reference: Kabsch. A solution for the best rotation to relate two sets of vectors. 1976.
 */
import { properRotation } from '@pelt/math';

/** Three points determine a rotation. */
export const LEAST_HANDLES = 3;

export class RigidStarts {
  /** Examples in order of their distance, the nearest first; `count` of them are valid. */
  readonly order: Int32Array;
  count = 0;
  /** (E + 1) × 9: rotations of the examples and of the rest pose, row-major */
  readonly rotations: Float64Array;
  /** E + 1: mean squared distance of the handles of the examples and of the rest pose */
  readonly squares: Float64Array;
  readonly #products = new Float64Array(9);

  /** @param most  how many starts are wanted */
  constructor(examples: number, most: number) {
    this.order = new Int32Array(Math.min(examples, most));
    this.rotations = new Float64Array(9 * (examples + 1));
    this.squares = new Float64Array(examples + 1);
  }

  /**
   * Places every example; allocates nothing, unless handles lie in a plane.
   *
   * @param k        number of handles
   * @param places   (E + 1) × k × 3 positions of the handles in the examples and at rest, relative to their mean
   * @param targets  k × 3, relative to their mean
   * @returns        whether the handles determine rotations; else nothing is valid
   */
  find(k: number, places: Float64Array, targets: Float64Array): boolean {
    const E = this.squares.length - 1;
    this.count = 0;
    if (k < LEAST_HANDLES) return false;
    for (let e = 0; e <= E; e++) this.#place(e, k, places, targets);
    for (let n = 0; n < this.order.length; n++) {
      let best = -1;
      for (let e = 0; e < E; e++) {
        let taken = false;
        for (let before = 0; before < n; before++) taken ||= this.order[before] === e;
        if (!taken && (best < 0 || this.squares[e] < this.squares[best])) best = e;
      }
      this.order[n] = best;
    }
    this.count = this.order.length;
    return true;
  }

  #place(e: number, k: number, places: Float64Array, targets: Float64Array): void {
    const H = this.#products.fill(0);
    const first = 3 * k * e;
    for (let c = 0; c < 3 * k; c += 3) {
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) H[3 * a + b] += places[first + c + a] * targets[c + b];
    }
    const R = this.rotations;
    const at = 9 * e;
    properRotation(H, 0, R, at);
    let squared = 0;
    for (let c = 0; c < 3 * k; c += 3) {
      for (let r = 0; r < 3; r++) {
        const row = at + 3 * r;
        const p = first + c;
        const turned = R[row] * places[p] + R[row + 1] * places[p + 1] + R[row + 2] * places[p + 2];
        squared += (turned - targets[c + r]) ** 2;
      }
    }
    this.squares[e] = squared / k;
  }
}
