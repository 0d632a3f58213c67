/** What the pose part listens to: rotation vectors of joints relative to their parents, and gravity at the drivers. */
import { multiplyTransposed3, properRotation, rotationLog } from '@pelt/math';
import { type Bone, DRIVER_INPUTS, type Dynamics, GRAVITY_INPUTS, TRANSFORM_SIZE } from '@pelt/model';

export class PoseFeatures {
  /** 3 per posed joint, then 3 per driver */
  readonly values: Float64Array;
  readonly #bones: readonly Bone[];
  readonly #posed: Uint16Array;
  readonly #linear = new Float64Array(9);
  readonly #parent = new Float64Array(9);
  readonly #child = new Float64Array(9);

  constructor(bones: readonly Bone[], { posed, drivers }: Pick<Dynamics, 'posed' | 'drivers'>) {
    this.#bones = bones;
    this.#posed = posed;
    this.values = new Float64Array(3 * posed.length + GRAVITY_INPUTS * drivers.length);
  }

  /**
   * @param transforms  m × 12, rest → pose
   * @param inputs      J × 18 of the drivers, for their gravity
   */
  read(transforms: Float64Array, inputs: Float64Array): Float64Array {
    const { values } = this;
    let at = 0;
    for (const j of this.#posed) {
      const { parent } = this.#bones[j];
      this.#rotation(transforms, j, this.#child);
      if (parent < 0) this.#child.fill(0);
      else {
        this.#rotation(transforms, parent, this.#parent);
        multiplyTransposed3(this.#parent, 0, this.#child, 0, this.#linear, 0);
        rotationLog(this.#linear, 0, values, at);
      }
      at += 3;
    }
    for (let k = DRIVER_INPUTS - GRAVITY_INPUTS; k < inputs.length; k += DRIVER_INPUTS) {
      for (let c = 0; c < GRAVITY_INPUTS; c++) values[at++] = inputs[k + c];
    }
    return values;
  }

  #rotation(transforms: Float64Array, j: number, out: Float64Array): void {
    const at = TRANSFORM_SIZE * j;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) this.#linear[3 * c + r] = transforms[at + 4 * r + c];
    properRotation(this.#linear, 0, out, 0);
  }
}
