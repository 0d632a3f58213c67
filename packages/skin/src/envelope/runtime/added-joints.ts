/**
 * Joints added to a skeleton so that linear blending collapses less: for every joint one that turns half-way, and two
 * that swell with the turn, in the axes of the bone before and of the bone after it. The half-way joint fills the
 * candy wrapper, the swelling ones give back the volume of a bend and the thickness of a muscle.
 *
 * Reference: Mohr, Gleicher. Building efficient, accurate character skins from examples. 2003 (section 3).
 */
import { composeTransforms, rotationExp, transformOf } from '@pelt/math';
import { type Bone, TRANSFORM_SIZE } from '@pelt/model';
import { PoseCoordinates } from './pose-coordinates.ts';

/** How much a swelling joint grows across its bone at half a turn: the weights take the share that fits. */
const SWELL = 1;

export class AddedJoints {
  /** The skeleton's bones, then three for each joint: half-way, swelling with the parent, swelling with the child. */
  readonly bones: readonly Bone[];
  readonly #given: readonly Bone[];
  readonly #joints: readonly number[];
  readonly #coordinates: PoseCoordinates;

  /** @param centres  m × 3 middles of the joints' ranges */
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
   * @returns bones × 12
   */
  extend(transforms: Float64Array): Float64Array {
    const { values, versines, axes } = this.#coordinates.read(transforms);
    const out = new Float64Array(this.bones.length * TRANSFORM_SIZE);
    out.set(transforms);
    const linear = new Float64Array(9);
    this.#joints.forEach((j, k) => {
      const { parent, rest } = this.#given[j];
      const at = (this.#given.length + 3 * k) * TRANSFORM_SIZE;
      const origin = [rest[3], rest[7], rest[11]];
      const half = [0, 1, 2].map((c) => 0.5 * values[6 * j + c]);
      rotationExp(half, 0, linear, 0);
      composeAbout(transforms, parent, linear, origin, out, at);
      const swell = 0.5 * SWELL * versines[2 * j];
      for (let c = 0; c < 9; c++) {
        const [a, b] = [axes[3 * j + Math.floor(c / 3)], axes[3 * j + (c % 3)]];
        linear[c] = (c % 4 === 0 ? 1 + swell : 0) - swell * a * b;
      }
      composeAbout(transforms, parent, linear, origin, out, at + TRANSFORM_SIZE);
      composeAbout(transforms, j, linear, origin, out, at + 2 * TRANSFORM_SIZE);
    });
    return out;
  }
}

/** M_j ∘ (x ↦ o + A (x − o)). */
function composeAbout(
  transforms: Float64Array,
  j: number,
  A: Float64Array,
  o: readonly number[],
  out: Float64Array,
  at: number,
): void {
  const moved = [0, 1, 2].map((r) => o[r] - A[3 * r] * o[0] - A[3 * r + 1] * o[1] - A[3 * r + 2] * o[2]);
  composeTransforms(transforms, j * TRANSFORM_SIZE, transformOf(A, 0, moved), 0, out, at);
}
