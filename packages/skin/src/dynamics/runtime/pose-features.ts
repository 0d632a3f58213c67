/**
 * What the pose part listens to: rotations of joints relative to their parents, and gravity at the drivers. Rotations are
 * vectors, or the entries of R − I, in which a blended transform is linear, and with it how flesh is pushed about by a bend.
 */
import { multiplyTransposed3, properRotation, rotationLog } from '@pelt/math';
import { type Bone, DRIVER_INPUTS, type Dynamics, GRAVITY_INPUTS, TRANSFORM_SIZE } from '@pelt/model';

/** Numbers of a rotation, as a vector and as a matrix. */
const VECTOR = 3;
const MATRIX = 9;

/** Whether a map from features of the pose is one from matrices. */
export function readsMatrices({ poseMap, limits, posed, drivers }: Dynamics): boolean {
  return (
    posed.length > 0 && poseMap.length === limits.length * (MATRIX * posed.length + GRAVITY_INPUTS * drivers.length)
  );
}

export class PoseFeatures {
  /** 3 or 9 per posed joint, then 3 per driver */
  readonly values: Float64Array;
  readonly #bones: readonly Bone[];
  readonly #posed: Uint16Array;
  readonly #matrices: boolean;
  readonly #linear = new Float64Array(9);
  readonly #parent = new Float64Array(9);
  readonly #child = new Float64Array(9);

  constructor(bones: readonly Bone[], { posed, drivers }: Pick<Dynamics, 'posed' | 'drivers'>, matrices = false) {
    this.#bones = bones;
    this.#posed = posed;
    this.#matrices = matrices;
    this.values = new Float64Array((matrices ? MATRIX : VECTOR) * posed.length + GRAVITY_INPUTS * drivers.length);
  }

  /**
   * @param transforms  m × 12, rest → pose
   * @param inputs      J × 18 of the drivers, for their gravity
   */
  read(transforms: Float64Array, inputs: Float64Array): Float64Array {
    const { values } = this;
    const size = this.#matrices ? MATRIX : VECTOR;
    let at = 0;
    for (const j of this.#posed) {
      const { parent } = this.#bones[j];
      if (parent < 0) values.fill(0, at, at + size);
      else {
        this.#rotation(transforms, j, this.#child);
        this.#rotation(transforms, parent, this.#parent);
        multiplyTransposed3(this.#parent, 0, this.#child, 0, this.#linear, 0);
        if (this.#matrices) for (let k = 0; k < MATRIX; k++) values[at + k] = this.#linear[k] - (k % 4 === 0 ? 1 : 0);
        else rotationLog(this.#linear, 0, values, at);
      }
      at += size;
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
