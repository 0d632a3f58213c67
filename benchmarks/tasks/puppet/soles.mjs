/**
 * The soles of a character: what is seen to slide. A foot that rolls over its heel stands although its ankle moves, and one
 * whose ankle stands may drag its sole.
 */

/** A vertex belongs to a foot whose bones carry all but this of it; heights are relative to the character's. */
const ELSEWHERE = 0.01;
const SOLE = 0.03;
/** Height above the lowest vertex of the sole up to which others touch the ground with it. */
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

  /** How far the vertices below an ankle that touch the ground in the second pose moved over it; 0 where there are none. */
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
