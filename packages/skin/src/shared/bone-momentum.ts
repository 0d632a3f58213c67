/**
 * Momentum for alternating descent: after each bone step the transforms go on in the direction they came,
 * M ← M + β(M − M_last), rotations projected back. β grows while the error falls; when it rises the step is undone and β
 * halved. Alternating steps creep along narrow valleys (a bone and its weights move together); this strides.
 */
import { properRotation, type SkinningSystem } from '@pelt/math';

const GROWTH = 1.15;
const GROWTH_STEP = 0.05;
/** Beyond this a step is a guess. */
const MOST = 8;

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

  /** Forgets where the transforms came from: after anything but a plain descent step. */
  reset(): void {
    this.#primed = false;
    this.#error = Number.POSITIVE_INFINITY;
  }

  /**
   * After a weight step with the error it found. Where the last stride raised it, the stride is taken back: the bones are
   * as they were before it, and the weights need solving again.
   *
   * @returns whether the stride was taken back
   */
  judge(error: number): boolean {
    if (error > this.#error && this.#primed && this.#beta > 0) {
      this.#beta /= 2;
      this.#system.editTransforms().set(this.#last);
      this.#error = Number.POSITIVE_INFINITY;
      return true;
    }
    this.#beta = Math.min(this.#beta * GROWTH + GROWTH_STEP, MOST);
    this.#error = error;
    return false;
  }

  /** After a bone step: strides on. */
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

/** The 3 × 3 part of every bone that is not locked becomes the nearest rotation, in place. */
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
