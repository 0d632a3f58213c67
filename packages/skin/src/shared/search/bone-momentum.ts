/**
 * Momentum for alternating descent: after each bone step the transforms are extrapolated in the direction they moved,
 * M ← M + β(M − M_last), with rotations projected back. β grows while the error falls; when it rises, the step is undone
 * and β is halved. Alternating steps zigzag along narrow valleys, in which a bone and its weights move together; momentum
 * accelerates them.
 */
import type { SkinningSystem } from '@pelt/kernels';
import { properRotation } from '@pelt/math';

/** Growth of β per step that lowers the error, β ← growth · β + step, and its upper bound, which is rarely reached. */
const [GROWTH, STEP, MOST] = [1.15, 0.05, 8];

export class BoneMomentum {
  readonly #system: SkinningSystem;
  readonly #rigid: boolean;
  readonly #last: Float64Array;
  #beta = 0;
  #error = Number.POSITIVE_INFINITY;
  #primed = false;

  constructor(system: SkinningSystem, rigid: boolean) {
    this.#system = system;
    this.#rigid = rigid;
    this.#last = new Float64Array(system.transforms.length);
  }

  /** Discards the previous transforms: call after anything other than a plain descent step. */
  reset(): void {
    this.#primed = false;
    this.#error = Number.POSITIVE_INFINITY;
  }

  /**
   * Call after a weight step with its error. If the last extrapolation raised the error, it is undone, and the weights need
   * solving again.
   *
   * @returns whether the extrapolation was undone
   */
  judge(error: number): boolean {
    if (error > this.#error && this.#primed && this.#beta > 0) {
      this.#beta /= 2;
      this.#system.editTransforms().set(this.#last);
      this.#error = Number.POSITIVE_INFINITY;
      return true;
    }
    this.#beta = Math.min(this.#beta * GROWTH + STEP, MOST);
    this.#error = error;
    return false;
  }

  /** Call after a bone step: extrapolates the transforms. */
  stride(): void {
    const transforms = this.#system.editTransforms();
    const last = this.#last;
    if (!this.#primed) {
      last.set(transforms);
      this.#primed = true;
      return;
    }
    const beta = this.#beta;
    for (let k = 0; k < transforms.length; k++) {
      const solved = transforms[k];
      transforms[k] = solved + beta * (solved - last[k]);
      last[k] = solved;
    }
    if (this.#rigid) projectRotations(transforms, this.#system.locked.view);
  }
}

/** Projects the 3 × 3 part of every unlocked bone to the nearest rotation, in place. */
function projectRotations(transforms: Float64Array, locked: Int32Array): void {
  const H = new Float64Array(9);
  for (let k = 0; k < transforms.length; k += 12) {
    if (locked[(k / 12) % locked.length] !== 0) continue;
    // properRotation takes Σ p qᵀ, the transpose of the matrix to project.
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) H[column * 3 + row] = transforms[k + 4 * row + column];
    }
    properRotation(H, 0, H, 0);
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) transforms[k + 4 * row + column] = H[row * 3 + column];
    }
  }
}
