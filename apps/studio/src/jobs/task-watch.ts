/** Follows a job: time, what is left of it, the error round by round; and tells the store. */
import type { Progress, Snapshot } from '@pelt/model';
import type { Task } from '../store/session.ts';
import type { Store } from '../store/store.ts';
import type { Watcher } from './ask.ts';

/** A share that is too small, and a time that is too short, to foretell anything. */
const LEAST_FRACTION = 0.08;
const LEAST_SECONDS = 1;

export class TaskWatch implements Watcher {
  readonly onSnapshot: (snapshot: Snapshot) => void;
  readonly #command: Task['command'];
  readonly #store: Store;
  readonly #started = performance.now();
  curve: readonly number[] = [];

  constructor(command: Task['command'], store: Store, onSnapshot: (snapshot: Snapshot) => void) {
    this.#command = command;
    this.#store = store;
    this.onSnapshot = onSnapshot;
    this.onProgress({ stage: 'starting', fraction: 0 });
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  readonly onProgress = ({ stage, fraction, detail = '', eRms }: Progress): void => {
    const { seconds } = this;
    if (eRms !== undefined) this.curve = [...this.curve, eRms];
    const foreseen = fraction > LEAST_FRACTION && seconds > LEAST_SECONDS;
    const left = foreseen ? (seconds * (1 - fraction)) / fraction : undefined;
    this.#store.setSession({
      task: { command: this.#command, stage, fraction, detail, curve: this.curve, seconds, left },
    });
  };

  readonly onWarning = (text: string): void => {
    this.#store.setSession({ notice: { kind: 'info', text } });
  };
}
