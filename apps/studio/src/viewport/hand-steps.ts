/** Steps of a hand on a model: what it begins becomes a step with its first change, so that none of them is empty. */
export class HandSteps<T> {
  readonly #past: T[] = [];
  readonly #future: T[] = [];
  #begun: { readonly before: T; readonly label: string } | undefined;

  get isBegun(): boolean {
    return this.#begun !== undefined;
  }

  begin(label: string, before: T): void {
    this.#begun = { before, label };
  }

  /** @returns what undo will say it takes back, at the first change of what was begun */
  changed(): string | undefined {
    const begun = this.#begun;
    if (!begun || begun.before === this.#past.at(-1)) return undefined;
    this.#past.push(begun.before);
    this.#future.length = 0;
    return begun.label;
  }

  end(): void {
    this.#begun = undefined;
  }

  /** @param now  what redo comes back to */
  undo(now: T): T | undefined {
    return travel(this.#past, this.#future, now);
  }

  redo(now: T): T | undefined {
    return travel(this.#future, this.#past, now);
  }
}

function travel<T>(from: T[], to: T[], now: T): T | undefined {
  const there = from.pop();
  if (there !== undefined) to.push(now);
  return there;
}
