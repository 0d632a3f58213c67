/**
 * The page's side of a worker that answers one request at a time. A request that comes while another is answered waits;
 * only the latest waits, since what is drawn is always the newest.
 */
import { InputError } from '@pelt/model';
import type { FromWorker, ToWorker } from '../workers/protocol.ts';

export class WorkerLink<Open, Ask, Answer> {
  /** Resolves when the worker is open; rejects with what it says is wrong. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #answered: (answer: Answer, id: number) => void;
  readonly #failed: (error: Error) => void;
  #asked = 0;
  #busy = true;
  #waiting: Ask | undefined;

  constructor(
    worker: Worker,
    open: Open,
    answered: (answer: Answer, id: number) => void,
    failed: (error: Error) => void,
  ) {
    this.#worker = worker;
    this.#answered = answered;
    this.#failed = failed;
    this.ready = new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(`a worker of pelt could not start: ${event.message}`));
      worker.onmessage = ({ data }: MessageEvent<FromWorker<Answer>>) => {
        if ('error' in data) {
          reject(new InputError(data.error));
          return;
        }
        worker.onmessage = (event: MessageEvent<FromWorker<Answer>>) => this.#receive(event.data);
        worker.onerror = (event) => this.#failed(new Error(event.message));
        this.#busy = false;
        resolve();
        this.#next();
      };
    });
    // Whoever waits for it hears of a failure; nobody has to.
    this.ready.catch(() => {});
    worker.postMessage({ open } satisfies ToWorker<Open, Ask>);
  }

  /** @returns the number of this request */
  ask(ask: Ask): number {
    this.#waiting = ask;
    const id = this.#asked + 1;
    this.#next();
    return id;
  }

  close(): void {
    this.#worker.terminate();
    this.#busy = true;
    this.#waiting = undefined;
  }

  #next(): void {
    if (this.#busy || this.#waiting === undefined) return;
    const ask = this.#waiting;
    this.#waiting = undefined;
    this.#busy = true;
    this.#asked++;
    this.#worker.postMessage({ id: this.#asked, ask } satisfies ToWorker<Open, Ask>);
  }

  #receive(message: FromWorker<Answer>): void {
    this.#busy = false;
    if ('error' in message) this.#failed(new InputError(message.error));
    else if ('id' in message) this.#answered(message.answer, message.id);
    this.#next();
  }
}
