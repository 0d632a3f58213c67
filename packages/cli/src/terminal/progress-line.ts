/**
 * One line that says how far a run is and how long it will take: stage, bar, share, time left, detail. Drawn over itself
 * on a terminal; where the stream is none, nothing is drawn.
 */
import type { Progress } from '@pelt/model';
import { formatSeconds } from './amounts.ts';
import { printable } from './printable.ts';

/** What is used of a stream, so that tests can stand in for a terminal. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
/** Before this much is done, and this long has passed, a guess at the time left would only jump about. */
const GUESS_FROM = { fraction: 0.02, ms: 1000 };
const BAR_WIDTH = 20;
const CLEAR = '\r\u001b[2K';

export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  readonly #started: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #drawn = false;

  /** @param now  milliseconds of a clock that only goes forward */
  constructor(stream: ProgressStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
    this.#started = now();
  }

  show(progress: Progress): void {
    if (!this.#stream.isTTY) return;
    const now = this.#now();
    if (now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#drawn = true;
    // A terminal that does not know its width says 0. One column is left free: some wrap when the last is filled.
    const width = Math.max(20, (this.#stream.columns || 80) - 1);
    this.#stream.write(CLEAR + [...this.#text(progress, now - this.#started)].slice(0, width).join(''));
  }

  /** Takes the line away, so that what comes next starts on a clean one. */
  clear(): void {
    if (!this.#drawn) return;
    this.#stream.write(CLEAR);
    this.#drawn = false;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  #text({ stage, fraction, detail }: Progress, elapsed: number): string {
    const share = Math.min(1, Math.max(0, fraction));
    const full = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
    const known = share >= GUESS_FROM.fraction && elapsed >= GUESS_FROM.ms;
    const left = known ? `  ${formatSeconds((elapsed * (1 - share)) / share / 1000)} left` : '';
    return printable(`${stage}  ${bar} ${Math.floor(share * 100)} %${left}${detail ? `  ${detail}` : ''}`);
  }
}
