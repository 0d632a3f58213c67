/** Pushes bones that swing out of the body, so that their centres keep a clearance from its capsules, smoothly. */
import { CAPSULE_SIZE, type Dynamics, TRANSFORM_SIZE } from '@pelt/model';
import { capsuleDistance, poseCapsules, pushOut } from '../../capsules/runtime/capsule.ts';

/** Width of the zone in which a push sets in, relative to the radius of the capsule. */
const SOFT = 0.1;

export class SwingContact {
  readonly #contact: NonNullable<Dynamics['contact']>;
  readonly #posed: Float64Array;
  readonly #normal = new Float64Array(3);

  constructor(contact: NonNullable<Dynamics['contact']>) {
    this.#contact = contact;
    this.#posed = new Float64Array(contact.shapes.length);
  }

  /** @param first  index of the first joint in the palette */
  pose(palette: Float64Array, first: number): void {
    poseCapsules(this.#contact, palette, first, this.#posed);
  }

  /**
   * Moves one bone of the palette, after `pose`.
   *
   * @param d        which of the bones that swing
   * @param at       where its transform begins
   * @param centres  D × 3, at rest
   */
  push(palette: Float64Array, d: number, at: number, centres: Float64Array): void {
    const { bones, clearances } = this.#contact;
    const normal = this.#normal;
    const C = bones.length;
    const [cx, cy, cz] = [centres[3 * d], centres[3 * d + 1], centres[3 * d + 2]];
    const placed = (row: number) =>
      palette[row] * cx + palette[row + 1] * cy + palette[row + 2] * cz + palette[row + 3];
    for (let c = 0; c < C; c++) {
      const distance = capsuleDistance(this.#posed, c, placed(at), placed(at + 4), placed(at + 8), normal);
      const push = pushOut(distance, clearances[d * C + c], SOFT * this.#posed[CAPSULE_SIZE * c + 6]);
      if (push === 0) continue;
      for (let r = 0; r < 3; r++) palette[at + 4 * r + 3] += push * normal[r];
    }
  }
}

/** Index of the first joint of a palette, behind which no others stand. */
export function firstJoint(palette: Float64Array, joints: number): number {
  return palette.length / TRANSFORM_SIZE - joints;
}
