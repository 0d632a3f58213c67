/**
 * Eases a pose that changes at once over some steps: what was shown last is left gradually, transform by transform. Steps
 * allocate nothing.
 */
export class EasedPose {
  readonly #steps: number;
  /** The transforms that were shown last, and their difference from those that were found then. */
  readonly #last: Float64Array;
  readonly #difference: Float64Array;
  #hasLast = false;
  #isNew = false;
  #left = 0;

  /**
   * @param length  numbers of a pose
   * @param steps   over which a change takes place; 0 for at once
   */
  constructor(length: number, steps: number) {
    this.#steps = steps;
    this.#last = new Float64Array(steps > 0 ? length : 0);
    this.#difference = new Float64Array(this.#last.length);
  }

  /** What is shown next is elsewhere. */
  begin(): void {
    if (this.#steps === 0 || !this.#hasLast) return;
    this.#isNew = true;
    this.#left = this.#steps;
  }

  /** One step on; returns whether the pose still changes. */
  advance(): boolean {
    if (this.#left > 0) this.#left--;
    return this.#left > 0;
  }

  /** Nothing to ease from. */
  reset(): void {
    this.#hasLast = false;
    this.#left = 0;
  }

  /** @param transforms  of the pose that was found; changed to what is to be shown */
  show(transforms: Float64Array): void {
    if (this.#steps === 0) return;
    const last = this.#last;
    const difference = this.#difference;
    if (this.#isNew) for (let k = 0; k < last.length; k++) difference[k] = last[k] - transforms[k];
    this.#isNew = false;
    const t = this.#left / this.#steps;
    const share = t * t * (3 - 2 * t);
    for (let k = 0; k < last.length; k++) {
      if (share > 0) transforms[k] += share * difference[k];
      last[k] = transforms[k];
    }
    this.#hasLast = true;
  }
}
