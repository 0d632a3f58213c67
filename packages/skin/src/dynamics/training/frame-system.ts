/**
 * Affine motions of proxies in one frame: minimise
 *
 *   Σ_i ‖Σ_d ω_id G_id X_d q_id − r_i‖² + ε Σ_d ‖X_d‖²,   G_id = F_i⁻¹ L_d,   r_i = F_i⁻¹ (y_i − t_i) − p_i,
 *
 * X_d the motion less the identity, q_id the arm of a vertex about the centre of a proxy, L_d the linear part of the
 * proxy's transform and [F_i | t_i] the blended one. By preconditioned conjugate gradients: where the bones of a vertex turn
 * alike, G is the identity, and the first step is the solution.
 *
 * Reference: Hestenes, Stiefel. Methods of conjugate gradients for solving linear systems. 1952.
 */
import { adjugate3 } from '@pelt/math';
import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';

/** Steps at most, and the fraction of the right-hand side at which the residual is small enough. */
const STEPS = 8;
const SMALL = 0.01;
/** Determinant below which a blended transform is not inverted. */
const COLLAPSED = 0.1;

type Sides = readonly Float64Array[];

export class FrameSystem {
  readonly #skin: SkinWeights;
  readonly #sampled: Int32Array;
  readonly #ridge: number;
  /** sampled × slots × 4 */
  readonly #arms: Float64Array;
  /** sampled × slots × 9 */
  readonly #turns: Float64Array;
  /** sampled × 3 */
  readonly #wanted: Float64Array;
  readonly #residual: Float64Array[];
  readonly #direction: Float64Array[];
  readonly #image: Float64Array[];
  readonly #scaled: Float64Array[];

  /**
   * @param arm    entry c of the arm of vertex i about the centre of proxy d, the fourth of them 1
   * @param ridge  ε
   */
  constructor(
    skin: SkinWeights,
    sampled: Int32Array,
    arm: (i: number, d: number, c: number) => number,
    ridge: number,
    proxies: number,
  ) {
    this.#skin = skin;
    this.#sampled = sampled;
    this.#ridge = ridge;
    const { slots } = skin;
    this.#arms = Float64Array.from({ length: sampled.length * slots * 4 }, (_, k) => {
      const i = sampled[Math.floor(k / (4 * slots))];
      const s = i * slots + (Math.floor(k / 4) % slots);
      return skin.weights[s] === 0 ? 0 : skin.weights[s] * arm(i, skin.bones[s], k % 4);
    });
    this.#turns = new Float64Array(sampled.length * slots * 9);
    this.#wanted = new Float64Array(3 * sampled.length);
    const sides = () => [0, 1, 2].map(() => new Float64Array(4 * proxies));
    [this.#residual, this.#direction, this.#image, this.#scaled] = [sides(), sides(), sides(), sides()];
  }

  /**
   * Takes a frame.
   *
   * @param T       transforms of the proxies
   * @param p       n × 3 at rest
   * @param shapes  the frame's positions, from index `first`
   */
  pose(T: Float64Array, p: Float32Array, shapes: Float32Array, first: number): void {
    const { slots, bones, weights } = this.#skin;
    const M = new Float64Array(TRANSFORM_SIZE);
    const inverse = new Float64Array(9);
    const turns = this.#turns;
    this.#sampled.forEach((i, k) => {
      M.fill(0);
      for (let s = i * slots; s < (i + 1) * slots; s++) {
        const [w, at] = [weights[s], TRANSFORM_SIZE * bones[s]];
        if (w !== 0) for (let c = 0; c < TRANSFORM_SIZE; c++) M[c] += w * T[at + c];
      }
      const determinant = adjugate3(M, 0, inverse, 0, 4);
      // A collapsed blend has no inverse: its transpose does no harm.
      if (Math.abs(determinant) < COLLAPSED) {
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) inverse[3 * r + c] = M[4 * c + r];
      } else for (let c = 0; c < 9; c++) inverse[c] /= determinant;
      for (let r = 0; r < 3; r++) {
        let sum = -p[3 * i + r];
        for (let c = 0; c < 3; c++) sum += inverse[3 * r + c] * (shapes[first + 3 * i + c] - M[4 * c + 3]);
        this.#wanted[3 * k + r] = sum;
      }
      for (let s = 0; s < slots; s++) {
        if (weights[i * slots + s] === 0) continue;
        const at = TRANSFORM_SIZE * bones[i * slots + s];
        const to = 9 * (k * slots + s);
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) {
            turns[to + 3 * r + c] =
              inverse[3 * r] * T[at + c] + inverse[3 * r + 1] * T[at + 4 + c] + inverse[3 * r + 2] * T[at + 8 + c];
          }
        }
      }
    });
  }

  /**
   * The motions of the frame.
   *
   * @param precondition  solves with the system of all G the identity, in place
   * @param x             three rows of 4D: coordinates of X; overwritten
   */
  solve(precondition: (sides: Sides) => void, x: Sides): void {
    const [r, d, Hd, z] = [this.#residual, this.#direction, this.#image, this.#scaled];
    for (const side of x) side.fill(0);
    this.#transposed(this.#wanted, r);
    const enough = SMALL * SMALL * dot(r, r);
    const scale = () => {
      for (let c = 0; c < 3; c++) z[c].set(r[c]);
      precondition(z);
    };
    scale();
    for (let c = 0; c < 3; c++) d[c].set(z[c]);
    let rz = dot(r, z);
    for (let step = 0; step < STEPS && dot(r, r) > enough; step++) {
      this.#multiply(d, Hd);
      const length = rz / dot(d, Hd);
      for (let c = 0; c < 3; c++) {
        for (let k = 0; k < x[c].length; k++) {
          x[c][k] += length * d[c][k];
          r[c][k] -= length * Hd[c][k];
        }
      }
      scale();
      const next = dot(r, z);
      for (let c = 0; c < 3; c++) for (let k = 0; k < x[c].length; k++) d[c][k] = z[c][k] + (next / rz) * d[c][k];
      rz = next;
    }
  }

  /** H x, with the ridge. */
  #multiply(x: Sides, out: Sides): void {
    const { slots, bones } = this.#skin;
    const [arms, turns] = [this.#arms, this.#turns];
    const moved = new Float64Array(3 * this.#sampled.length);
    const arm = new Float64Array(3);
    this.#sampled.forEach((i, k) => {
      for (let s = 0; s < slots; s++) {
        const a = 4 * (k * slots + s);
        if (arms[a + 3] === 0) continue;
        const at = 4 * bones[i * slots + s];
        for (let c = 0; c < 3; c++) {
          arm[c] =
            arms[a] * x[c][at] + arms[a + 1] * x[c][at + 1] + arms[a + 2] * x[c][at + 2] + arms[a + 3] * x[c][at + 3];
        }
        const g = 9 * (k * slots + s);
        for (let r = 0; r < 3; r++) {
          moved[3 * k + r] += turns[g + 3 * r] * arm[0] + turns[g + 3 * r + 1] * arm[1] + turns[g + 3 * r + 2] * arm[2];
        }
      }
    });
    this.#transposed(moved, out);
    for (let c = 0; c < 3; c++) for (let k = 0; k < x[c].length; k++) out[c][k] += this.#ridge * x[c][k];
  }

  /** What motions of vertices pull at each proxy. */
  #transposed(moved: Float64Array, out: Sides): void {
    const { slots, bones } = this.#skin;
    const [arms, turns] = [this.#arms, this.#turns];
    for (const side of out) side.fill(0);
    this.#sampled.forEach((i, k) => {
      for (let s = 0; s < slots; s++) {
        const a = 4 * (k * slots + s);
        if (arms[a + 3] === 0) continue;
        const at = 4 * bones[i * slots + s];
        const g = 9 * (k * slots + s);
        for (let c = 0; c < 3; c++) {
          const pull =
            turns[g + c] * moved[3 * k] + turns[g + 3 + c] * moved[3 * k + 1] + turns[g + 6 + c] * moved[3 * k + 2];
          for (let r = 0; r < 4; r++) out[c][at + r] += arms[a + r] * pull;
        }
      }
    });
  }
}

function dot(a: Sides, b: Sides): number {
  let sum = 0;
  for (let c = 0; c < 3; c++) for (let k = 0; k < a[c].length; k++) sum += a[c][k] * b[c][k];
  return sum;
}
