/**
 * Target gradients of the proxies for a blend of the examples, and their derivatives with respect to the blend:
 *
 *   m(β) = exp(Σ β_e ω_e) · (I + Σ β_e Ŝ_e),   ∂m/∂β_e = [J(ω) ω_e]× m + R Ŝ_e,
 *
 * where ω_e is the logarithm of the proxy's rotation in example e, Ŝ_e its stretch minus the identity, and J the left
 * Jacobian of the exponential map. Runs in every iteration, and allocates nothing.
 *
 * References: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equation 3). Sumner, Zwicker,
 * Gotsman, Popović. Mesh-based inverse kinematics. 2005 (section 4).
 */
import { sin } from '@pelt/math';

/** Below this angle the coefficients of the exponential map are evaluated by their series. */
const SMALL_ANGLE = 1e-4;

export class ProxyBlend {
  readonly count: number;
  readonly examples: number;
  /** p × E × 9: ω_e and Ŝ_e of one proxy side by side */
  readonly #shapes: Float64Array;
  readonly #r = new Float64Array(9);
  readonly #j = new Float64Array(9);
  readonly #m = new Float64Array(9);

  /**
   * @param logs       E × p × 3
   * @param stretches  E × p × 6, Ŝ as xx, xy, xz, yy, yz, zz
   */
  constructor(count: number, examples: number, logs: Float64Array, stretches: Float64Array) {
    this.count = count;
    this.examples = examples;
    this.#shapes = new Float64Array(9 * count * examples);
    for (let e = 0; e < examples; e++) {
      for (let p = 0; p < count; p++) {
        const at = 9 * (p * examples + e);
        for (let k = 0; k < 3; k++) this.#shapes[at + k] = logs[3 * (e * count + p) + k];
        for (let k = 0; k < 6; k++) this.#shapes[at + 3 + k] = stretches[6 * (e * count + p) + k];
      }
    }
  }

  /**
   * Computes m − I of every proxy, and its derivatives.
   *
   * @param beta         E blend weights
   * @param derivatives  whether to compute ∂m/∂β as well
   * @param out          3p × stride: entry (3p + c, r · width + e) is element (r, c); e = 0 is m − I, e + 1 the
   *                     derivative by β_e; overwritten
   */
  fill(beta: Float64Array, derivatives: boolean, out: Float64Array, stride: number, width: number): void {
    for (let p = 0; p < this.count; p++) this.#fillProxy(p, beta, derivatives, out, stride, width);
  }

  #fillProxy(
    p: number,
    beta: Float64Array,
    derivatives: boolean,
    out: Float64Array,
    stride: number,
    width: number,
  ): void {
    const shapes = this.#shapes;
    const E = this.examples;
    const first = 9 * p * E;
    let wx = 0;
    let wy = 0;
    let wz = 0;
    let xx = 1;
    let xy = 0;
    let xz = 0;
    let yy = 1;
    let yz = 0;
    let zz = 1;
    for (let e = 0, at = first; e < E; e++, at += 9) {
      const b = beta[e];
      wx += b * shapes[at];
      wy += b * shapes[at + 1];
      wz += b * shapes[at + 2];
      xx += b * shapes[at + 3];
      xy += b * shapes[at + 4];
      xz += b * shapes[at + 5];
      yy += b * shapes[at + 6];
      yz += b * shapes[at + 7];
      zz += b * shapes[at + 8];
    }
    const r = this.#r;
    const j = this.#j;
    const m = this.#m;
    expAndJacobian(wx, wy, wz, r, j);
    for (let k = 0; k < 9; k += 3) {
      m[k] = r[k] * xx + r[k + 1] * xy + r[k + 2] * xz;
      m[k + 1] = r[k] * xy + r[k + 1] * yy + r[k + 2] * yz;
      m[k + 2] = r[k] * xz + r[k + 1] * yz + r[k + 2] * zz;
    }
    const row0 = 3 * p * stride;
    const row1 = row0 + stride;
    const row2 = row1 + stride;
    for (let k = 0; k < 3; k++) {
      out[row0 + k * width] = m[3 * k] - (k === 0 ? 1 : 0);
      out[row1 + k * width] = m[3 * k + 1] - (k === 1 ? 1 : 0);
      out[row2 + k * width] = m[3 * k + 2] - (k === 2 ? 1 : 0);
    }
    if (!derivatives) return;
    const second = 2 * width;
    for (let e = 0, at = first, column = 1; e < E; e++, at += 9, column++) {
      const lx = shapes[at];
      const ly = shapes[at + 1];
      const lz = shapes[at + 2];
      const ax = j[0] * lx + j[1] * ly + j[2] * lz;
      const ay = j[3] * lx + j[4] * ly + j[5] * lz;
      const az = j[6] * lx + j[7] * ly + j[8] * lz;
      const sxx = shapes[at + 3];
      const sxy = shapes[at + 4];
      const sxz = shapes[at + 5];
      const syy = shapes[at + 6];
      const syz = shapes[at + 7];
      const szz = shapes[at + 8];
      // Column c of [a]× m + R Ŝ, for c = 0, 1, 2.
      out[row0 + column] = ay * m[6] - az * m[3] + r[0] * sxx + r[1] * sxy + r[2] * sxz;
      out[row0 + column + width] = az * m[0] - ax * m[6] + r[3] * sxx + r[4] * sxy + r[5] * sxz;
      out[row0 + column + second] = ax * m[3] - ay * m[0] + r[6] * sxx + r[7] * sxy + r[8] * sxz;
      out[row1 + column] = ay * m[7] - az * m[4] + r[0] * sxy + r[1] * syy + r[2] * syz;
      out[row1 + column + width] = az * m[1] - ax * m[7] + r[3] * sxy + r[4] * syy + r[5] * syz;
      out[row1 + column + second] = ax * m[4] - ay * m[1] + r[6] * sxy + r[7] * syy + r[8] * syz;
      out[row2 + column] = ay * m[8] - az * m[5] + r[0] * sxz + r[1] * syz + r[2] * szz;
      out[row2 + column + width] = az * m[2] - ax * m[8] + r[3] * sxz + r[4] * syz + r[5] * szz;
      out[row2 + column + second] = ax * m[5] - ay * m[2] + r[6] * sxz + r[7] * syz + r[8] * szz;
    }
  }
}

/**
 * R = exp [ω]× and its left Jacobian J = I + (1 − cos θ)/θ² [ω]× + (θ − sin θ)/θ³ [ω]×²: a change δ of ω rotates R by
 * J δ.
 *
 * @param r  9, row-major; overwritten
 * @param j  9, row-major; overwritten
 */
export function expAndJacobian(x: number, y: number, z: number, r: Float64Array, j: Float64Array): void {
  const squared = x * x + y * y + z * z;
  const angle = Math.sqrt(squared);
  let a = 1 - squared / 6;
  let b = 0.5 - squared / 24;
  let c = 1 / 6 - squared / 120;
  if (angle > SMALL_ANGLE) {
    a = sin(angle) / angle;
    const half = sin(0.5 * angle);
    b = (2 * half * half) / squared;
    c = (1 - a) / squared;
  }
  // R = I + a [ω]× + b [ω]×², J = I + b [ω]× + c [ω]×²; [ω]×² = ωωᵀ − θ²I.
  r[0] = 1 + b * (x * x - squared);
  r[4] = 1 + b * (y * y - squared);
  r[8] = 1 + b * (z * z - squared);
  r[1] = b * x * y - a * z;
  r[3] = b * x * y + a * z;
  r[2] = b * x * z + a * y;
  r[6] = b * x * z - a * y;
  r[5] = b * y * z - a * x;
  r[7] = b * y * z + a * x;
  j[0] = 1 + c * (x * x - squared);
  j[4] = 1 + c * (y * y - squared);
  j[8] = 1 + c * (z * z - squared);
  j[1] = c * x * y - b * z;
  j[3] = c * x * y + b * z;
  j[2] = c * x * z + b * y;
  j[6] = c * x * z - b * y;
  j[5] = c * y * z - b * x;
  j[7] = c * y * z + b * x;
}
