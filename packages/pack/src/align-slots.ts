/**
 * Puts each joint into the slot that the vertex before had it in, in place. The order within a vertex says nothing, and
 * the codec stores differences between neighbours.
 *
 * @param joints   n × 4
 * @param weights  n × 4; a joint of weight 0 is 0
 */
export function alignSlots(joints: Uint8Array | Uint16Array, weights: Uint8Array | Uint16Array): void {
  const joint = [0, 0, 0, 0];
  const weight = [0, 0, 0, 0];
  for (let row = 4; row < joints.length; row += 4) {
    const taken = [false, false, false, false];
    const place = (slot: number, s: number) => {
      taken[slot] = true;
      joint[slot] = joints[row + s];
      weight[slot] = weights[row + s];
    };
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
  }
}
