/**
 * The rigid motion that each vertex's bones agree on: its normalised dual quaternion. It gives a pose's first rotations,
 * and carries the last pose's vertices to where the next pose will about have them.
 */
import type { SkinWeights } from '@pelt/model';
import { blendDualQuaternions, DUAL_QUATERNION_SIZE, dualQuaternions } from '../dual-quaternion.ts';

export class BoneFrames {
  readonly #skin: SkinWeights;
  readonly #count: number;

  constructor(skin: SkinWeights) {
    this.#skin = skin;
    this.#count = skin.weights.length / skin.slots;
  }

  /**
   * @param transforms  m × 12
   * @returns           v × 4 quaternions (x, y, z, w), not normalised
   */
  rotations(transforms: Float64Array): Float64Array {
    const bones = dualQuaternions(transforms);
    const result = new Float64Array(4 * this.#count);
    const blended = new Float64Array(DUAL_QUATERNION_SIZE);
    for (let v = 0; v < this.#count; v++) {
      blendDualQuaternions(bones, this.#skin, v, blended);
      result.set(blended.subarray(0, 4), 4 * v);
    }
    return result;
  }

  /**
   * Moves every vertex by its bones' motion from one pose to another.
   *
   * @param from, to   m × 12
   * @param positions  v × 3; changed
   */
  carry(from: Float64Array, to: Float64Array, positions: Float64Array): void {
    const [before, after] = [dualQuaternions(from), dualQuaternions(to)];
    const [a, b] = [new Float64Array(DUAL_QUATERNION_SIZE), new Float64Array(DUAL_QUATERNION_SIZE)];
    const place = new Float64Array(3);
    for (let v = 0; v < this.#count; v++) {
      blendDualQuaternions(before, this.#skin, v, a);
      blendDualQuaternions(after, this.#skin, v, b);
      place.set(positions.subarray(3 * v, 3 * v + 3));
      undo(a, place);
      apply(b, place);
      positions.set(place, 3 * v);
    }
  }
}

/** The translation 2 (w d − dw v + v × d) of a dual quaternion, divided by its squared length. */
function translationOf([x, y, z, w, dx, dy, dz, dw]: Float64Array): [number, number, number] {
  const s = 2 / (x * x + y * y + z * z + w * w);
  return [
    s * (w * dx - dw * x + y * dz - z * dy),
    s * (w * dy - dw * y + z * dx - x * dz),
    s * (w * dz - dw * z + x * dy - y * dx),
  ];
}

/** p := R p + t */
function apply(q: Float64Array, p: Float64Array): void {
  const [tx, ty, tz] = translationOf(q);
  turn(q[0], q[1], q[2], q[3], p);
  p[0] += tx;
  p[1] += ty;
  p[2] += tz;
}

/** p := Rᵀ (p − t) */
function undo(q: Float64Array, p: Float64Array): void {
  const [tx, ty, tz] = translationOf(q);
  p[0] -= tx;
  p[1] -= ty;
  p[2] -= tz;
  turn(-q[0], -q[1], -q[2], q[3], p);
}

/** p := p + 2 v × (v × p + w p) / ‖q‖² */
function turn(x: number, y: number, z: number, w: number, p: Float64Array): void {
  const s = 2 / (x * x + y * y + z * z + w * w);
  const cx = y * p[2] - z * p[1] + w * p[0];
  const cy = z * p[0] - x * p[2] + w * p[1];
  const cz = x * p[1] - y * p[0] + w * p[2];
  p[0] += s * (y * cz - z * cy);
  p[1] += s * (z * cx - x * cz);
  p[2] += s * (x * cy - y * cx);
}
