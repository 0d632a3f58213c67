/** What an input reaches: the blocks of the sources that ran, as the engine counts them. */
import { Session } from 'node:inspector/promises';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Precise coverage of some sources, one input at a time. */
export class Coverage {
  readonly #session = new Session();
  readonly #wanted: (url: string) => boolean;
  /** Place → the powers of two that its count has reached, as bits: one more turn of a loop is not news, many are. */
  readonly #seen = new Map<string, number>();

  /** @param wanted  tells the scripts that count by their addresses */
  constructor(wanted: (url: string) => boolean) {
    this.#wanted = wanted;
  }

  get blocks(): number {
    return this.#seen.size;
  }

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** @returns how much of what ran since the last call was new */
  async take(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    let news = 0;
    for (const { url, functions } of result) {
      if (!this.#wanted(url)) continue;
      for (const { ranges } of functions) for (const range of ranges) if (this.#isNew(url, range)) news++;
    }
    return news;
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  #isNew(url: string, { startOffset, endOffset, count }: Range): boolean {
    if (count === 0) return false;
    const place = `${url}:${startOffset}:${endOffset}`;
    const [known, bit] = [this.#seen.get(place) ?? 0, 1 << Math.min(30, Math.floor(Math.log2(count)))];
    if (known & bit) return false;
    this.#seen.set(place, known | bit);
    return true;
  }
}
