/**
 * Collects a reader's warnings so that a file with a million flaws gives a handful of lines: equal warnings are
 * counted, and beyond a limit of different ones only their number is told.
 */
export class WarningTally {
  static readonly MAX_MESSAGES = 20;

  readonly #label: string;
  readonly #onWarning: ((message: string) => void) | undefined;
  readonly #counts = new Map<string, number>();
  #left = 0;

  /** @param label  begins every message: `OBJ 'arm.obj'` */
  constructor(label: string, onWarning: ((message: string) => void) | undefined) {
    this.#label = label;
    this.#onWarning = onWarning;
  }

  add(message: string): void {
    const count = this.#counts.get(message);
    if (count !== undefined) this.#counts.set(message, count + 1);
    else if (this.#counts.size < WarningTally.MAX_MESSAGES) this.#counts.set(message, 1);
    else this.#left++;
  }

  /** Tells everything collected, in the order in which it was first met, and starts anew. */
  flush(): void {
    for (const [message, count] of this.#counts) {
      this.#onWarning?.(`${this.#label}: ${message}${count > 1 ? ` (${count} times)` : ''}`);
    }
    if (this.#left > 0) this.#onWarning?.(`${this.#label}: ${this.#left} further warnings are left out`);
    this.#counts.clear();
    this.#left = 0;
  }
}
