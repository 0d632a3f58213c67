/** The vertices of a poser, by its controls and the weights of its examples' details. */
import { LinearBlend } from '@pelt/kernels';
import type { Numerics } from '@pelt/math';
import { exampleCount, type Poser, TRANSFORM_SIZE } from '@pelt/model';

export class PosedSkin {
  readonly #poser: Poser;
  readonly #skin: LinearBlend;

  constructor(poser: Poser, numerics: Numerics) {
    const { rig, exampleDetails } = poser;
    const { bones, weights } = rig.weights;
    this.#poser = poser;
    this.#skin = new LinearBlend(numerics, rig.mesh.positions, bones, weights, rig.bones.length, exampleDetails);
  }

  /**
   * @param transforms  m × 12
   * @param blend       E, of which those of examples with details count
   * @returns n × 3, valid until the next call
   */
  pose(transforms: Float64Array, blend: Float64Array): Float32Array {
    const { length } = this.#poser.exampleDetails;
    return this.#skin.pose(transforms, length > 0 ? blend.subarray(0, length) : undefined);
  }

  /** The rest pose and the examples, one after the other; each valid until the next. */
  *shapes(): Iterable<ArrayLike<number>> {
    const { rig, exampleTransforms } = this.#poser;
    yield rig.mesh.positions;
    const size = TRANSFORM_SIZE * rig.bones.length;
    const alone = new Float64Array(exampleCount(this.#poser));
    for (let e = 0; e < alone.length; e++) {
      alone.fill(0)[e] = 1;
      yield this.pose(exampleTransforms.subarray(e * size, (e + 1) * size), alone);
    }
  }

  dispose(): void {
    this.#skin.dispose();
  }
}
