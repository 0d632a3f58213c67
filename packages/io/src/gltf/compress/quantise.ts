/**
 * Numbers on a grid, so that they pack into few bits: positions as whole numbers in the box around them, weights in
 * steps whose sum stays exact, joints kept in the slot where the vertex before had them.
 *
 * Reference: the glTF extension KHR_mesh_quantization.
 */
import { boundsOf } from '@pelt/model';

/** p = origin + step·q, one step for all axes so that normals keep their direction. */
export interface PositionGrid {
  readonly origin: readonly number[];
  readonly step: number;
}

/** @param positions  n × 3 */
export function positionGrid(positions: Float32Array, bits: number): PositionGrid {
  const { min, max } = boundsOf(positions);
  const extent = Math.max(...max.map((value, axis) => value - min[axis]));
  return { origin: min, step: extent > 0 ? extent / (2 ** bits - 1) : 1 };
}

export function quantisePositions(positions: Float32Array, { origin, step }: PositionGrid): Uint16Array<ArrayBuffer> {
  return Uint16Array.from(positions, (value, k) => Math.round((value - origin[k % 3]) / step));
}

/** Displacements in steps of the grid; undefined where one is too long for 16 bits. */
export function quantiseDeltas(deltas: Float32Array, { step }: PositionGrid): Int16Array<ArrayBuffer> | undefined {
  const most = deltas.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return most / step > 32767 ? undefined : Int16Array.from(deltas, (value) => Math.round(value / step));
}

/**
 * Weights in bytes where 8 bits are enough, else in 16 bits in steps of 2^(16 − bits). The largest of a vertex takes what
 * is left of the whole, so that the sum is exact.
 *
 * @param weights  n × slots, floats that sum to 1
 */
export function quantiseWeights(
  weights: Float32Array,
  slots: number,
  bits: number,
): Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> {
  const width = bits <= 8 ? 8 : 16;
  const whole = 2 ** width - 1;
  const step = 2 ** (width - bits);
  const out = width === 8 ? new Uint8Array(weights.length) : new Uint16Array(weights.length);
  for (let row = 0; row < weights.length; row += slots) {
    let largest = row;
    for (let k = row; k < row + slots; k++) if (weights[k] > weights[largest]) largest = k;
    let rest = whole;
    for (let k = row; k < row + slots; k++) {
      if (k === largest) continue;
      out[k] = Math.round((weights[k] * whole) / step) * step;
      rest -= out[k];
    }
    out[largest] = rest;
  }
  return out;
}

/**
 * Puts each joint into the slot that the vertex before had it in, in place. Order within a vertex says nothing.
 *
 * @param joints   n × 4
 * @param weights  n × 4; a joint of weight 0 is 0
 */
export function alignSlots(joints: Uint8Array | Uint16Array, weights: Uint8Array | Uint16Array): void {
  const joint = [0, 0, 0, 0];
  const weight = [0, 0, 0, 0];
  for (let row = 4; row < joints.length; row += 4) {
    const taken = [false, false, false, false];
    const waiting: number[] = [];
    for (let s = 0; s < 4; s++) {
      if (weights[row + s] === 0) continue;
      const slot = [0, 1, 2, 3].find(
        (k) => !taken[k] && weights[row - 4 + k] > 0 && joints[row - 4 + k] === joints[row + s],
      );
      if (slot === undefined) waiting.push(s);
      else place(slot, s);
    }
    for (const s of waiting) place(taken.indexOf(false), s);
    for (let k = 0; k < 4; k++) {
      joints[row + k] = taken[k] ? joint[k] : 0;
      weights[row + k] = taken[k] ? weight[k] : 0;
    }

    function place(slot: number, s: number): void {
      taken[slot] = true;
      joint[slot] = joints[row + s];
      weight[slot] = weights[row + s];
    }
  }
}
