/**
 * The unknowns of a slider fit and what is fitted: displacements δ_si of every slider at every vertex, bones with centres
 * o_j, weights w_ij, and maps N_sj (3 × 4, in the frame of the bone), with
 *
 *   δ_si ≈ Σ_j w_ij N_sj (p_i − o_j, 1).
 */
import type { SkinWeights } from '@pelt/model';

export class SliderSystem {
  /** n vertices, S sliders, m bones, K weights per vertex; R = 3S rows and D = 4m columns of the maps */
  readonly n: number;
  readonly S: number;
  readonly m: number;
  readonly K: number;
  readonly R: number;
  readonly D: number;
  /** n × 3 */
  readonly rest: Float32Array;
  /** n × R: all displacements of a vertex, slider by slider */
  readonly deltas: Float32Array;
  /** m × 3 */
  readonly centres: Float64Array;
  /** n × K */
  readonly bones: Int32Array;
  readonly weights: Float64Array;
  /** R × D: row 3s + c holds coordinate c of the maps of slider s, column 4j + e element e of bone j */
  maps: Float64Array;

  /**
   * @param shapes   S × n × 3 positions with one slider fully on
   * @param skin     weights to begin with
   * @param centres  m × 3
   */
  constructor(rest: Float32Array, shapes: Float32Array, skin: SkinWeights, centres: Float64Array, slots: number) {
    this.rest = rest;
    this.n = rest.length / 3;
    this.S = shapes.length / rest.length;
    this.m = centres.length / 3;
    this.K = slots;
    this.R = 3 * this.S;
    this.D = 4 * this.m;
    this.centres = centres;
    this.deltas = displacements(rest, shapes);
    this.bones = new Int32Array(this.n * slots);
    this.weights = new Float64Array(this.n * slots);
    for (let i = 0; i < this.n; i++) {
      for (let s = 0; s < skin.slots; s++) {
        this.bones[i * slots + s] = skin.bones[i * skin.slots + s];
        this.weights[i * slots + s] = skin.weights[i * skin.slots + s];
      }
    }
    this.maps = new Float64Array(this.R * this.D);
  }

  /** Place k of 4 of vertex i in the frame of bone j. */
  local(i: number, j: number, out: Float64Array, at: number): void {
    for (let c = 0; c < 3; c++) out[at + c] = this.rest[3 * i + c] - this.centres[3 * j + c];
    out[at + 3] = 1;
  }

  /**
   * What bones leave of the displacements of vertex i.
   *
   * @param out  R; overwritten
   */
  residual(i: number, out: Float64Array): Float64Array {
    const { K, R, D, bones, weights, deltas, maps } = this;
    const p = this.#place;
    for (let r = 0; r < R; r++) out[r] = deltas[i * R + r];
    for (let s = i * K; s < (i + 1) * K; s++) {
      const w = weights[s];
      if (w === 0) continue;
      this.local(i, bones[s], p, 0);
      for (let r = 0, at = 4 * bones[s]; r < R; r++, at += D) {
        out[r] -= w * (maps[at] * p[0] + maps[at + 1] * p[1] + maps[at + 2] * p[2] + maps[at + 3]);
      }
    }
    return out;
  }

  /** Mean over the vertices of Σ_s ‖residual‖². */
  meanSquares(): number {
    const left = new Float64Array(this.R);
    let sum = 0;
    for (let i = 0; i < this.n; i++) {
      this.residual(i, left);
      for (let r = 0; r < left.length; r++) sum += left[r] * left[r];
    }
    return sum / this.n;
  }

  readonly #place = new Float64Array(4);
}

function displacements(rest: Float32Array, shapes: Float32Array): Float32Array {
  const S = shapes.length / rest.length;
  const out = new Float32Array(shapes.length);
  for (let s = 0; s < S; s++) {
    for (let k = 0; k < rest.length; k++) {
      const i = Math.floor(k / 3);
      out[3 * (i * S + s) + (k % 3)] = shapes[s * rest.length + k] - rest[k];
    }
  }
  return out;
}
