/**
 * Rest positions of the handles, displaced by the details of the examples (see learnDetails) according to the blend.
 * All lengths are relative to the model's size; setting a blend allocates nothing.
 */
import { exampleCount, type Poser } from '@pelt/model';
import type { BodyBlend } from './body-blend.ts';

export class HandleDetails {
  /** k × 3: rest positions of the handles with the details of the blend, and the details alone */
  places = new Float64Array(0);
  shifts = new Float64Array(0);
  readonly #poser: Poser;
  /** n × 3, relative */
  readonly #x: Float64Array;
  readonly #details: readonly Float32Array[];
  readonly #frame = new Float64Array(9);
  /** 3 × E: displacement of a handle by the details of each example */
  readonly #moves: Float64Array;
  #vertices = new Int32Array(0);
  #count = 0;

  /** @param x  n × 3 rest positions, relative */
  constructor(poser: Poser, x: Float64Array) {
    this.#poser = poser;
    this.#x = x;
    this.#details = poser.exampleDetails;
    this.#moves = new Float64Array(3 * exampleCount(poser));
  }

  /** @param vertices  at least k indices; referred to, not copied */
  setVertices(vertices: Int32Array<ArrayBuffer>, k: number): void {
    this.#vertices = vertices;
    this.#count = k;
    if (this.places.length < 3 * k) {
      this.places = new Float64Array(3 * vertices.length);
      this.shifts = new Float64Array(3 * vertices.length);
    }
    this.shifts.fill(0);
    for (let c = 0; c < 3 * k; c++) this.places[c] = this.#x[3 * vertices[(c / 3) | 0] + (c % 3)];
  }

  /** @returns whether there are details, so that `places` may have changed */
  setBlend(beta: Float64Array): boolean {
    const details = this.#details;
    if (details.length === 0) return false;
    for (let c = 0; c < 3 * this.#count; c++) {
      const at = 3 * this.#vertices[(c / 3) | 0] + (c % 3);
      let shift = 0;
      for (let e = 0; e < details.length; e++) shift += beta[e] * details[e][at];
      this.shifts[c] = shift / this.#poser.size;
      this.places[c] = this.#x[at] + this.shifts[c];
    }
    return true;
  }

  /**
   * The displacement of handle c by the details, in the frame that the controls give it, as derivatives by the unknowns.
   *
   * @param u    N × 3 controls, relative to the rest pose
   * @param out  three rows of `width` from `at` on, with one number per unknown; added to
   */
  addMoves(c: number, u: Float64Array, body: BodyBlend, out: Float64Array, at: number, width: number): void {
    if (this.#details.length === 0) return;
    this.#setMoves(c, u);
    for (let r = 0; r < 3; r++) body.addDetails(this.#moves, r * body.E, 1, out, at + r * width);
  }

  /**
   * The contribution of the details to the gradient of the cost: the work of each handle's force along the displacement
   * by the details.
   *
   * @param forces    k × 3
   * @param gradient  one number per unknown; subtracted from
   */
  addSlopes(u: Float64Array, body: BodyBlend, forces: Float64Array, gradient: Float64Array): void {
    if (this.#details.length === 0) return;
    for (let c = 0; c < this.#count; c++) {
      this.#setMoves(c, u);
      for (let r = 0; r < 3; r++) body.addDetails(this.#moves, r * body.E, -forces[3 * c + r], gradient, 0);
    }
  }

  /** 3 × E: displacement of handle c by the details of each example. */
  #setMoves(c: number, u: Float64Array): void {
    const details = this.#details;
    const E = this.#moves.length / 3;
    const { slots, bones, weights } = this.#poser.rig.weights;
    const i = this.#vertices[c];
    const frame = this.#frame.fill(0);
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      for (let k = 0; k < 9; k++) frame[k] += weights[s] * u[12 * bones[s] + k];
    }
    for (let k = 0; k < 9; k += 4) frame[k] += 1;
    for (let e = 0; e < details.length; e++) {
      const detail = details[e];
      for (let r = 0; r < 3; r++) {
        const moved = detail[3 * i] * frame[r] + detail[3 * i + 1] * frame[3 + r] + detail[3 * i + 2] * frame[6 + r];
        this.#moves[r * E + e] = moved / this.#poser.size;
      }
    }
  }
}
