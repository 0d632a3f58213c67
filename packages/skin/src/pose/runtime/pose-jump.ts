/**
 * Tells a pose that jumps from one that follows its handles: the common blend is another one although the handles have hardly
 * moved. A descent does so where the minimum that it has followed vanishes. Allocates nothing.
 */

/** A blend that changes by this much between poses is another one, unless the handles moved so far, in model sizes. */
const OTHER_BLEND = 0.5;
const FAR = 0.05;

export class PoseJump {
  readonly #E: number;
  /** The blend of the last pose that was found, and how far the handles have moved since */
  readonly #found: Float64Array;
  #moved = 0;

  constructor(examples: number) {
    this.#E = examples;
    this.#found = new Float64Array(examples);
  }

  /** @param distance  by which the handles have moved, in model sizes */
  move(distance: number): void {
    this.#moved += distance;
  }

  /**
   * A pose was found.
   *
   * @param blend  at least E
   * @returns whether it has jumped
   */
  find(blend: Float64Array): boolean {
    let squared = 0;
    for (let e = 0; e < this.#E; e++) {
      squared += (blend[e] - this.#found[e]) ** 2;
      this.#found[e] = blend[e];
    }
    const jumps = squared > OTHER_BLEND * OTHER_BLEND && this.#moved < FAR;
    this.#moved = 0;
    return jumps;
  }
}
