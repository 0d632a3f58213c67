/** Every stage of a run on a line of its own, with the seconds since its start: what `--verbose` prints. */
import type { Progress } from '@pelt/model';
import { formatSeconds } from './amounts.ts';
import { printable } from './printable.ts';
import type { ProgressStream } from './progress-line.ts';

export class StageLog {
  readonly #stream: Pick<ProgressStream, 'write'>;
  readonly #now: () => number;
  readonly #started: number;
  #stage = '';

  /** @param now  milliseconds of a clock that only goes forward */
  constructor(stream: Pick<ProgressStream, 'write'>, now: () => number) {
    this.#stream = stream;
    this.#now = now;
    this.#started = now();
  }

  show({ stage, fraction, detail }: Progress): void {
    const what = detail === undefined ? stage : `${stage}: ${detail}`;
    if (what === this.#stage) return;
    this.#stage = what;
    const seconds = formatSeconds((this.#now() - this.#started) / 1000);
    this.#stream.write(
      `${seconds.padStart(8)} ${String(Math.round(100 * fraction)).padStart(4)} %  ${printable(what)}\n`,
    );
  }
}
