/**
 * Sliding measured at the soles of a character, where it is seen. Joints do not show it: the ankle of a foot that rolls over
 * its heel moves although the foot stands, and a foot may drag its sole about an ankle that does not move.
 */

/** Largest total weight of other bones on a vertex of a foot. */
const ELSEWHERE = 0.01;
/** Largest height of a sole at rest, relative to the character's. */
const SOLE = 0.03;
/** A vertex touches the ground if it is no higher than this above the lowest one of its sole; relative to the character. */
const TOUCHING = 0.01;

export class Soles {
  #rig;
  /** Vertices of the sole below each ankle. */
  #vertices = new Map();
  #floor;
  #height;

  constructor(rig, floor, height) {
    this.#rig = rig;
    this.#floor = floor;
    this.#height = height;
  }

  /** Mean horizontal displacement between two poses of the sole's vertices that touch the ground in the second one. */
  slide(ankle, before, after) {
    const now = this.#verticesBelow(ankle).map((i) => [i, this.#skinned(i, after)]);
    const lowest = now.reduce((low, [, [, y]]) => Math.min(low, y), Number.POSITIVE_INFINITY);
    const touching = now.filter(([, [, y]]) => y <= lowest + TOUCHING * this.#height);
    const moved = touching.map(([i, [x, , z]]) => {
      const [x0, , z0] = this.#skinned(i, before);
      return Math.hypot(x - x0, z - z0);
    });
    return moved.reduce((sum, value) => sum + value, 0) / Math.max(1, moved.length);
  }

  #verticesBelow(ankle) {
    if (!this.#vertices.has(ankle)) {
      const { mesh, bones, weights } = this.#rig;
      const foot = new Set([ankle]);
      bones.forEach(({ parent }, j) => {
        if (foot.has(parent)) foot.add(j);
      });
      const found = Array.from({ length: mesh.positions.length / 3 }, (_, i) => i).filter((i) => {
        let elsewhere = 0;
        for (let s = i * weights.slots; s < (i + 1) * weights.slots; s++) {
          if (!foot.has(weights.bones[s])) elsewhere += weights.weights[s];
        }
        return elsewhere < ELSEWHERE && mesh.positions[3 * i + 1] < this.#floor + SOLE * this.#height;
      });
      this.#vertices.set(ankle, found);
    }
    return this.#vertices.get(ankle);
  }

  /** Where a pose takes a vertex. */
  #skinned(i, pose) {
    const { mesh, weights } = this.#rig;
    const [x, y, z] = mesh.positions.subarray(3 * i, 3 * i + 3);
    const at = [0, 0, 0];
    for (let s = i * weights.slots; s < (i + 1) * weights.slots; s++) {
      const first = 12 * weights.bones[s];
      for (let r = 0; r < 3; r++) {
        const row = first + 4 * r;
        at[r] += weights.weights[s] * (pose[row] * x + pose[row + 1] * y + pose[row + 2] * z + pose[row + 3]);
      }
    }
    return at;
  }
}
