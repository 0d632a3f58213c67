/**
 * The DevTools protocol over two pipes of a browser (`--remote-debugging-pipe`): JSON messages that end in a zero byte.
 * No port is opened, and the browser ends when the pipes close, however this process ends.
 */
import type { Readable, Writable } from 'node:stream';

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

export class DevtoolsPipe {
  readonly #to: Writable;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  readonly #listeners = new Map<string, (params: unknown, session: string | undefined) => void>();
  #parts: Buffer[] = [];
  #next = 1;
  #ended: Error | undefined;

  constructor(to: Writable, from: Readable) {
    this.#to = to;
    // A browser that has gone is told of by `end`.
    to.on('error', () => {});
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    from.on('error', () => {});
  }

  /** @param session  of a page; undefined: the browser itself */
  send<T>(method: string, params: object = {}, session?: string): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.#to.write(`${JSON.stringify({ id, method, params, ...(session && { sessionId: session }) })}\0`);
    });
  }

  on(method: string, listener: (params: never, session: string | undefined) => void): void {
    this.#listeners.set(method, listener as (params: unknown, session: string | undefined) => void);
  }

  /** Nobody answers any more. */
  end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let zero = chunk.indexOf(0); zero >= 0; zero = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...this.#parts, chunk.subarray(from, zero)]).toString('utf8');
      this.#parts = [];
      from = zero + 1;
      this.#handle(JSON.parse(text) as Answer);
    }
    this.#parts.push(chunk.subarray(from));
  }

  #handle({ id, method, params, result, error, sessionId }: Answer): void {
    if (id === undefined) {
      if (method) this.#listeners.get(method)?.(params, sessionId);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }
}
