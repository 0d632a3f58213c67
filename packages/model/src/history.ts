/** A state to come back to, and what it was left for. */
export interface Moment<T> {
  readonly state: T;
  /** What undo says it takes back: `Change bones`. */
  readonly label?: string | undefined;
  /** Steps in a row with the same key become one, as while a slider is dragged. */
  readonly merge?: string | undefined;
}

/** Undo and redo over whole states, which are never changed in place. The state that is shown is the owner's. */
export class History<T> {
  #past: Moment<T>[] = [];
  #future: Moment<T>[] = [];
  readonly #limit: (past: readonly Moment<T>[]) => Moment<T>[];

  /** @param limit  what is kept of the past, which is given oldest first; everything if absent */
  constructor(limit: (past: readonly Moment<T>[]) => Moment<T>[] = (past) => [...past]) {
    this.#limit = limit;
  }

  /** Labels of what undo would take back and redo would do again; undefined where there is nothing. */
  get undoLabel(): string | undefined {
    return this.#past.at(-1)?.label;
  }

  get redoLabel(): string | undefined {
    return this.#future.at(-1)?.label;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** All states that undo and redo can come back to. */
  get states(): readonly T[] {
    return [...this.#past, ...this.#future].map(({ state }) => state);
  }

  /** Marks the state before a step, which undo comes back to; what could be done again is forgotten. */
  mark(before: Moment<T>): void {
    const isMore = before.merge !== undefined && this.#past.at(-1)?.merge === before.merge;
    if (!isMore) this.#past = this.#limit([...this.#past, before]);
    this.#future = [];
  }

  /** @returns the state before the last step; undefined where there is none */
  undo(shown: T): T | undefined {
    return travel(this.#past, this.#future, shown);
  }

  redo(shown: T): T | undefined {
    return travel(this.#future, this.#past, shown);
  }

  clear(): void {
    this.#past = [];
    this.#future = [];
  }
}

function travel<T>(from: Moment<T>[], to: Moment<T>[], shown: T): T | undefined {
  const moment = from.pop();
  if (moment) to.push({ ...moment, state: shown });
  return moment?.state;
}
