/**
 * The state of the studio and the only way to change it. Three parts, by what becomes of them: the document is undone and
 * kept, the view is kept, the session ends with the page. Documents are immutable, so the history is a list of them.
 */
import { EMPTY_DOCUMENT, type StudioDocument } from './document.ts';
import { EMPTY_SESSION, type Session } from './session.ts';
import { FIRST_VIEW, type View } from './view.ts';

export interface StudioState {
  readonly document: StudioDocument;
  readonly view: View;
  readonly session: Session;
  /** What undo and redo would take back and do again. */
  readonly undo: string | undefined;
  readonly redo: string | undefined;
}

/** Who takes back its own steps, such as a hand on the model; false where there is nothing to take back. */
export interface Hand {
  undo(): boolean;
  redo(): boolean;
}

interface Step {
  readonly label: string;
  readonly merge: string | undefined;
  readonly before: StudioDocument;
  readonly after: StudioDocument;
  /** Of a step that changes no document: whose it is. */
  readonly hand?: Hand;
}

/** Steps that can be undone. */
const MOST_STEPS = 100;
/** Animations that undo can come back to: each holds all of its frames. */
const MOST_INPUTS = 3;

export class Store {
  #state: StudioState;
  #past: Step[] = [];
  #future: Step[] = [];
  readonly #listeners = new Set<(state: StudioState, before: StudioState) => void>();

  constructor(document: StudioDocument = EMPTY_DOCUMENT, view: View = FIRST_VIEW) {
    this.#state = { document, view, session: EMPTY_SESSION, undo: undefined, redo: undefined };
  }

  get state(): StudioState {
    return this.#state;
  }

  /** All documents that undo and redo can come back to, and the one that is shown. */
  get documents(): readonly StudioDocument[] {
    return [this.#state.document, ...[...this.#past, ...this.#future].flatMap(({ before, after }) => [before, after])];
  }

  /**
   * Changes the document as one step that can be undone.
   *
   * @param label  what undo says it takes back: `Change bones`
   * @param merge  steps in a row with the same key become one, as while a slider is dragged
   */
  edit(label: string, change: (document: StudioDocument) => StudioDocument, merge?: string): void {
    const before = this.#state.document;
    const after = change(before);
    if (isSame(before, after)) return;
    const last = this.#past.at(-1);
    if (merge !== undefined && last?.merge === merge && last.after === before) {
      this.#past[this.#past.length - 1] = { ...last, after };
    } else this.#past = withinLimits([...this.#past, { label, merge, before, after }]);
    this.#future = [];
    this.#set({ document: after });
  }

  /** Changes what undo does not take back by itself: the mode, the clip that is looked at. */
  amend(change: Partial<StudioDocument>): void {
    this.#set({ document: { ...this.#state.document, ...change } });
  }

  /** A step that a hand has taken, in the order of all others. */
  note(label: string, hand: Hand): void {
    const { document } = this.#state;
    this.#past = withinLimits([...this.#past, { label, merge: undefined, before: document, after: document, hand }]);
    this.#future = [];
    this.#set({});
  }

  /** Forgets the steps of a hand that is gone. */
  release(hand: Hand): void {
    const isLeft = (step: Step) => step.hand !== hand;
    [this.#past, this.#future] = [this.#past.filter(isLeft), this.#future.filter(isLeft)];
    this.#set({});
  }

  /** Forgets how the document came about: there is nothing before it to go back to. */
  forget(): void {
    this.load(this.#state.document);
  }

  /** Replaces the document and forgets the history: another project. */
  load(document: StudioDocument): void {
    this.#past = [];
    this.#future = [];
    this.#set({ document });
  }

  setView(change: Partial<View>): void {
    this.#set({ view: { ...this.#state.view, ...change } });
  }

  setSession(change: Partial<Session>): void {
    this.#set({ session: { ...this.#state.session, ...change } });
  }

  undo(): boolean {
    const step = this.#past.pop();
    if (!step) return false;
    this.#future.push(step);
    if (step.hand) step.hand.undo();
    this.#set(step.hand ? {} : { document: step.before });
    return true;
  }

  redo(): boolean {
    const step = this.#future.pop();
    if (!step) return false;
    this.#past.push(step);
    if (step.hand) step.hand.redo();
    this.#set(step.hand ? {} : { document: step.after });
    return true;
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: (state: StudioState, before: StudioState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(change: Partial<StudioState>): void {
    const before = this.#state;
    this.#state = { ...before, ...change, undo: this.#past.at(-1)?.label, redo: this.#future.at(-1)?.label };
    for (const listener of this.#listeners) listener(this.#state, before);
  }
}

/** Whether a change has changed anything: an empty step would make undo do nothing. */
function isSame(before: StudioDocument, after: StudioDocument): boolean {
  return (Object.keys(after) as (keyof StudioDocument)[]).every(
    (key) => before[key] === after[key] || JSON.stringify(before[key]) === JSON.stringify(after[key]),
  );
}

/** The last steps, over the last few animations. */
function withinLimits(steps: readonly Step[]): Step[] {
  const inputs = new Set<string | undefined>();
  const first = steps.findLastIndex(({ before }) => inputs.add(before.input?.id).size > MOST_INPUTS);
  return steps.slice(Math.max(first + 1, steps.length - MOST_STEPS));
}
