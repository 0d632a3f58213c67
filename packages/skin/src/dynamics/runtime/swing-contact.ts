/** Pushes bones that swing out of the body, so that their centres keep a clearance from its capsules, smoothly. */
import { CAPSULE_SIZE, type Dynamics, SWING_CODE, TRANSFORM_SIZE } from '@pelt/model';
import { capsuleDistance, poseCapsules, pushOut } from '../../capsules/runtime/capsule.ts';
import { kneeFactor } from './knee.ts';

/** Width of the zone in which a push sets in, relative to the radius of the capsule. */
const SOFT = 0.1;

export class SwingContact {
  readonly #contact: NonNullable<Dynamics['contact']>;
  readonly #posed: Float64Array;
  readonly #normal = new Float64Array(3);
  /** D: a contact undoes a swing, and moves a bone no farther than a swing could have brought it. */
  readonly #ranges: Float64Array;

  constructor(contact: NonNullable<Dynamics['contact']>, dynamics: Pick<Dynamics, 'bones' | 'modes' | 'limits'>) {
    this.#contact = contact;
    this.#ranges = rangesOf(dynamics);
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
      const wanted = pushOut(distance, clearances[d * C + c], SOFT * this.#posed[CAPSULE_SIZE * c + 6]);
      if (wanted === 0) continue;
      const push = wanted * kneeFactor(wanted, this.#ranges[d]);
      for (let r = 0; r < 3; r++) palette[at + 4 * r + 3] += push * normal[r];
    }
  }
}

/** How far the centre of each bone may be shifted by its swing, with all modes at their limits. */
function rangesOf({ bones, modes, limits }: Pick<Dynamics, 'bones' | 'modes' | 'limits'>): Float64Array {
  const size = SWING_CODE * bones.length;
  return Float64Array.from(bones, (_, d) => {
    const shift = [0, 0, 0];
    limits.forEach((limit, r) => {
      for (let c = 0; c < 3; c++) shift[c] += limit * Math.abs(modes[r * size + SWING_CODE * d + 3 + c]);
    });
    return Math.hypot(...shift);
  });
}

/** Index of the first joint of a palette, behind which no others stand. */
export function firstJoint(palette: Float64Array, joints: number): number {
  return palette.length / TRANSFORM_SIZE - joints;
}
