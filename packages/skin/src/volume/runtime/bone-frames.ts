/**
 * Blended rigid motion of each vertex: dual quaternion blending of its bones. It initialises the rotations of a pose, and
 * predicts the vertices of the next pose from those of the last two.
 *
 * Measured in rounds per frame of smooth motions, against a prediction from the last pose alone: 1.8 and 4.6 of a bend, 1.2
 * and 4.0 of a twist, 1.1 and 4.0 of a closing hand.
 */
import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';
import { blendDualQuaternions, DUAL_QUATERNION_SIZE, dualQuaternions } from '../../shared/blending/dual-quaternion.ts';

export class BoneFrames {
  readonly #skin: SkinWeights;
  readonly #count: number;
  /** v × 8, not normalised: of the previous pose and of this one */
  #before: Float64Array;
  #now: Float64Array;
  #bones = new Float64Array(0);
  /** v × 3: places before the previous pose in the frames of the bones, if there are any */
  readonly #places: Float64Array;
  #hasPlaces = false;
  /** m × 12: transforms of the previous pose, and what they turned by to this one */
  #transforms = new Float64Array(0);
  #turn = new Float64Array(0);
  #goesOn = 0;
  /** Scratch of `dualQuaternions`. */
  readonly #room = new Float64Array(31);

  constructor(skin: SkinWeights) {
    this.#skin = skin;
    this.#count = skin.weights.length / skin.slots;
    this.#before = new Float64Array(DUAL_QUATERNION_SIZE * this.#count);
    this.#now = new Float64Array(DUAL_QUATERNION_SIZE * this.#count);
    this.#places = new Float64Array(3 * this.#count);
  }

  /**
   * Advances to the next pose.
   *
   * @param transforms  m × 12
   */
  pose(transforms: Float64Array): void {
    [this.#before, this.#now] = [this.#now, this.#before];
    this.#measureTurn(transforms);
    const size = (DUAL_QUATERNION_SIZE * transforms.length) / TRANSFORM_SIZE;
    if (this.#bones.length !== size) this.#bones = new Float64Array(size);
    const bones = dualQuaternions(transforms, this.#bones, this.#room);
    for (let v = 0; v < this.#count; v++) {
      blendDualQuaternions(bones, this.#skin, v, this.#now, DUAL_QUATERNION_SIZE * v);
    }
  }

  /** @param out  v × 4 quaternions (x, y, z, w) of this pose, not normalised; overwritten */
  rotations(out: Float64Array): void {
    for (let k = 0; k < out.length; k++) out[k] = this.#now[DUAL_QUATERNION_SIZE * (k >> 2) + (k & 3)];
  }

  /**
   * Moves every vertex by its blended motion from the previous pose to this one.
   *
   * @param positions  v × 3; updated in place
   */
  carry(positions: Float64Array): void {
    for (let v = 0; v < this.#count; v++) {
      undo(this.#before, DUAL_QUATERNION_SIZE * v, positions, 3 * v);
      apply(this.#now, DUAL_QUATERNION_SIZE * v, positions, 3 * v);
    }
  }

  /**
   * Predicts the vertices of this pose from those of the previous two: each has a place in the frame of its bones, which
   * goes on changing as far as the bones go on turning.
   *
   * @param positions  v × 3 of the previous pose; updated in place
   */
  predict(positions: Float64Array): void {
    const places = this.#places;
    const share = this.#hasPlaces ? this.#goesOn : 0;
    for (let v = 0; v < this.#count; v++) {
      undo(this.#before, DUAL_QUATERNION_SIZE * v, positions, 3 * v);
      for (let k = 3 * v; k < 3 * v + 3; k++) {
        const place = positions[k];
        positions[k] += share * (place - places[k]);
        places[k] = place;
      }
      apply(this.#now, DUAL_QUATERNION_SIZE * v, positions, 3 * v);
    }
    this.#hasPlaces = true;
  }

  /** Forgets the previous poses. */
  reset(): void {
    this.#hasPlaces = false;
  }

  /** How much of the last turn of the bones is in this one: a share from 0, as after a stop or a reversal, to 1. */
  #measureTurn(transforms: Float64Array): void {
    if (this.#turn.length !== transforms.length) {
      this.#turn = new Float64Array(transforms.length);
      this.#transforms = transforms.slice();
    }
    let along = 0;
    let squared = 0;
    for (let k = 0; k < transforms.length; k++) {
      // Every fourth number is of the translation.
      if (k % 4 === 3) continue;
      const turn = transforms[k] - this.#transforms[k];
      along += turn * this.#turn[k];
      squared += this.#turn[k] * this.#turn[k];
      this.#turn[k] = turn;
    }
    this.#transforms.set(transforms);
    this.#goesOn = squared > 0 ? Math.min(Math.max(along / squared, 0), 1) : 0;
  }
}

/** p := R p + t = p + (2 v × (v × p + w p) + 2 (w d − dw v + v × d)) / ‖q‖². */
function apply(q: Float64Array, at: number, p: Float64Array, to: number): void {
  const x = q[at];
  const y = q[at + 1];
  const z = q[at + 2];
  const w = q[at + 3];
  const dw = q[at + 7];
  const s = 2 / (x * x + y * y + z * z + w * w);
  const cx = y * p[to + 2] - z * p[to + 1] + w * p[to] + q[at + 4];
  const cy = z * p[to] - x * p[to + 2] + w * p[to + 1] + q[at + 5];
  const cz = x * p[to + 1] - y * p[to] + w * p[to + 2] + q[at + 6];
  p[to] += s * (y * cz - z * cy + w * q[at + 4] - dw * x);
  p[to + 1] += s * (z * cx - x * cz + w * q[at + 5] - dw * y);
  p[to + 2] += s * (x * cy - y * cx + w * q[at + 6] - dw * z);
}

/** p := Rᵀ (p − t) */
function undo(q: Float64Array, at: number, p: Float64Array, to: number): void {
  const x = q[at];
  const y = q[at + 1];
  const z = q[at + 2];
  const w = q[at + 3];
  const dx = q[at + 4];
  const dy = q[at + 5];
  const dz = q[at + 6];
  const dw = q[at + 7];
  const s = 2 / (x * x + y * y + z * z + w * w);
  const px = p[to] - s * (w * dx - dw * x + y * dz - z * dy);
  const py = p[to + 1] - s * (w * dy - dw * y + z * dx - x * dz);
  const pz = p[to + 2] - s * (w * dz - dw * z + x * dy - y * dx);
  const cx = z * py - y * pz + w * px;
  const cy = x * pz - z * px + w * py;
  const cz = y * px - x * py + w * pz;
  p[to] = px - s * (y * cz - z * cy);
  p[to + 1] = py - s * (z * cx - x * cz);
  p[to + 2] = pz - s * (x * cy - y * cx);
}
