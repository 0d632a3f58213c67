import type { LiveFrame } from '@pelt/jobs';

/**
 * Frames from whoever calls `push` to whoever iterates: live, so that a consumer who is late gets the newest frame and not all
 * that it missed; of a recording that is piped in, all.
 */
export class FrameQueue implements AsyncIterable<LiveFrame> {
  readonly #waiting: LiveFrame[] = [];
  readonly #keepsAll: boolean;
  #wake: (() => void) | undefined;
  #ended = false;
  #error: Error | undefined;

  constructor(keepsAll: boolean) {
    this.#keepsAll = keepsAll;
  }

  push(frame: LiveFrame): void {
    if (this.#ended) return;
    if (!this.#keepsAll) this.#waiting.length = 0;
    this.#waiting.push(frame);
    this.#wake?.();
  }

  /** @param error  what the iteration ends with */
  end(error?: Error): void {
    this.#ended = true;
    this.#error ??= error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveFrame> {
    for (;;) {
      const frame = this.#waiting.shift();
      if (frame) yield frame;
      else if (this.#error) throw this.#error;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }
}
