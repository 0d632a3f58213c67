/**
 * Joints added to a skeleton to reduce the collapse of linear blending: for every joint one that rotates half-way, and
 * two that scale with the rotation, in the axes of the parent bone and of the child bone. The half-way joint avoids the
 * candy-wrapper artefact; the scaling ones restore the volume of a bend and the bulge of a muscle.
 *
 * Reference: Mohr, Gleicher. Building efficient, accurate character skins from examples. 2003 (section 3).
 */
import { composeTransforms, rotationExp } from '@pelt/math';
import { type Bone, TRANSFORM_SIZE } from '@pelt/model';
import { PoseCoordinates } from './pose-coordinates.ts';

/** How much a scaling joint grows across its bone at half a turn; fitted weights take the fraction they need. */
const SWELL = 1;

/**
 * Extends poses of a skeleton to its added joints; see `trainAddedJoints`. A call allocates nothing.
 *
 * @example
 * {@includeCode ../../../examples/added-joints.ts}
 */
export class AddedJoints {
  /** The skeleton's bones, then three for each joint: half-way, scaling with the parent, scaling with the child. */
  readonly bones: readonly Bone[];
  readonly #given: readonly Bone[];
  readonly #joints: readonly number[];
  readonly #coordinates: PoseCoordinates;
  readonly #half = new Float64Array(3);
  readonly #linear = new Float64Array(9);
  readonly #about = new Float64Array(TRANSFORM_SIZE);

  /**
   * @param bones    m
   * @param centres  m × 3 centres of the joints' ranges, as rotation vectors
   */
  constructor(bones: readonly Bone[], centres: Float64Array) {
    this.#given = bones;
    this.#joints = bones.flatMap(({ parent }, j) => (parent >= 0 ? [j] : []));
    this.#coordinates = new PoseCoordinates(bones, centres);
    const added = this.#joints.flatMap((j) =>
      ['half-way', 'before', 'after'].map((kind, k) => ({
        name: `${bones[j].name} ${kind}`,
        parent: k === 2 ? j : bones[j].parent,
        rest: bones[j].rest,
      })),
    );
    this.bones = [...bones, ...added];
  }

  /**
   * @param transforms  m × 12, rest → pose
   * @param out         bones × 12; overwritten
   */
  extend(transforms: Float64Array, out: Float64Array): Float64Array {
    const { values, versines, axes } = this.#coordinates.read(transforms);
    const linear = this.#linear;
    out.set(transforms);
    for (let k = 0; k < this.#joints.length; k++) {
      const j = this.#joints[k];
      const { parent } = this.#given[j];
      const at = (this.#given.length + 3 * k) * TRANSFORM_SIZE;
      for (let c = 0; c < 3; c++) this.#half[c] = 0.5 * values[6 * j + c];
      rotationExp(this.#half, 0, linear, 0);
      this.#composeAbout(transforms, parent, j, out, at);
      const swell = 0.5 * SWELL * versines[2 * j];
      for (let c = 0; c < 9; c++) {
        const along = swell * axes[3 * j + Math.floor(c / 3)] * axes[3 * j + (c % 3)];
        linear[c] = (c % 4 === 0 ? 1 + swell : 0) - along;
      }
      this.#composeAbout(transforms, parent, j, out, at + TRANSFORM_SIZE);
      this.#composeAbout(transforms, j, j, out, at + 2 * TRANSFORM_SIZE);
    }
    return out;
  }

  /** M_bone ∘ (x ↦ o + A (x − o)), o the origin of joint j and A the linear map in `#linear`. */
  #composeAbout(transforms: Float64Array, bone: number, j: number, out: Float64Array, at: number): void {
    const { rest } = this.#given[j];
    const A = this.#linear;
    const about = this.#about;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) about[4 * r + c] = A[3 * r + c];
      about[4 * r + 3] = rest[4 * r + 3] - A[3 * r] * rest[3] - A[3 * r + 1] * rest[7] - A[3 * r + 2] * rest[11];
    }
    composeTransforms(transforms, bone * TRANSFORM_SIZE, about, 0, out, at);
  }
}
