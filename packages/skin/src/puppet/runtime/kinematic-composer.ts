/** Poses from the parameters of `kinematic-values.ts`, composed along the hierarchy. */
import { multiply3, sin } from '@pelt/math';
import type { Bone } from '@pelt/model';
import { CHANNELS } from './kinematic-values.ts';
import { StretchExponential } from './stretch.ts';

export class KinematicComposer {
  readonly #parents: Int32Array;
  /** m × 3 rest origins */
  readonly #rest: Float64Array;
  /** m × 9: the rotations at which the logarithms are taken */
  readonly #references: Float64Array;
  /** m: 1 where the bone is stretched */
  readonly #stretched: Uint8Array;
  /** m × 3 posed origins */
  readonly #origins: Float64Array;
  readonly #rotation = new Float64Array(9);
  readonly #local = new Float64Array(9);
  readonly #stretch = new StretchExponential();

  /**
   * @param values      N × m × 12: all that will be composed, or what it is blended from
   * @param references  m × 9
   */
  constructor(bones: readonly Bone[], values: Float64Array, references: Float64Array) {
    const m = bones.length;
    this.#parents = Int32Array.from(bones, (bone) => bone.parent);
    this.#rest = new Float64Array(m * 3);
    bones.forEach((bone, j) => {
      this.#rest.set([bone.rest[3], bone.rest[7], bone.rest[11]], 3 * j);
    });
    this.#references = references;
    this.#stretched = new Uint8Array(m);
    for (let k = 0; k < values.length; k++) {
      if (k % CHANNELS >= 6 && values[k] !== 0) this.#stretched[Math.floor(k / CHANNELS) % m] = 1;
    }
    this.#origins = new Float64Array(m * 3);
  }

  /**
   * @param values  m × 12
   * @param out     m × 12 transforms; overwritten
   */
  compose(values: Float64Array, out: Float64Array): void {
    for (let j = 0; j < this.#parents.length; j++) this.#composeBone(j, values, out);
  }

  /** M_j from the parent's M_p: A_j = A_p R_j S_j, x_j = x_p + A_p (o_j − o_p + d_j). */
  #composeBone(j: number, values: Float64Array, out: Float64Array): void {
    const p = this.#parents[j];
    const at = j * CHANNELS;
    const rest = this.#rest;
    const origins = this.#origins;
    const local = this.#local;
    setExponential(values, at, this.#rotation);
    multiply3(this.#references, 9 * j, this.#rotation, 0, local, 0);
    if (this.#stretched[j] !== 0) this.#stretch.composeInPlace(local, values, at + 6);
    for (let r = 0; r < 3; r++) {
      const row = 12 * j + 4 * r;
      if (p < 0) {
        for (let c = 0; c < 3; c++) out[row + c] = local[3 * r + c];
        origins[3 * j + r] = rest[3 * j + r] + values[at + 3 + r];
      } else {
        const a = out[12 * p + 4 * r];
        const b = out[12 * p + 4 * r + 1];
        const c = out[12 * p + 4 * r + 2];
        for (let k = 0; k < 3; k++) out[row + k] = a * local[k] + b * local[3 + k] + c * local[6 + k];
        origins[3 * j + r] =
          origins[3 * p + r] +
          a * (rest[3 * j] - rest[3 * p] + values[at + 3]) +
          b * (rest[3 * j + 1] - rest[3 * p + 1] + values[at + 4]) +
          c * (rest[3 * j + 2] - rest[3 * p + 2] + values[at + 5]);
      }
      out[row + 3] =
        origins[3 * j + r] - out[row] * rest[3 * j] - out[row + 1] * rest[3 * j + 1] - out[row + 2] * rest[3 * j + 2];
    }
  }
}

/**
 * out = exp [ω]× = I + a [ω]× + b [ω]×² (Rodrigues), with ω the three numbers from index `at`. Unlike `rotationExp` it
 * does not allocate, since it runs for every bone of every frame.
 */
function setExponential(logs: Float64Array, at: number, out: Float64Array): void {
  const x = logs[at];
  const y = logs[at + 1];
  const z = logs[at + 2];
  const squared = x * x + y * y + z * z;
  const angle = Math.sqrt(squared);
  const half = sin(0.5 * angle);
  const a = angle > 0 ? sin(angle) / angle : 1;
  const b = angle > 0 ? (2 * half * half) / squared : 0.5;
  out[0] = 1 - b * (y * y + z * z);
  out[1] = b * x * y - a * z;
  out[2] = b * x * z + a * y;
  out[3] = b * x * y + a * z;
  out[4] = 1 - b * (x * x + z * z);
  out[5] = b * y * z - a * x;
  out[6] = b * x * z - a * y;
  out[7] = b * y * z + a * x;
  out[8] = 1 - b * (x * x + y * y);
}
