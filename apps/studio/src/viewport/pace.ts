/**
 * How fine a picture may be. While something moves, a machine without a fast GPU gets coarser pictures as long as they come
 * too slowly; when nothing moves, every machine gets the finest one.
 */

export interface Fineness {
  /** Pixels along an edge, in parts of the canvas's. */
  readonly scale: number;
  /** Per pixel, for edges; 0 or 4. */
  readonly samples: 0 | 4;
  /** Whether shadows follow what moves, or stay until it rests. */
  readonly shadows: boolean;
  /** Where skins are posed: on the CPU when pictures come so slowly that the renderer probably runs there, too. */
  readonly passes: 'gpu' | 'cpu';
}

/** From the finest on; in software, samples cost most, then pixels, then the second pass over all triangles. */
export const FINENESS: readonly Fineness[] = [
  { scale: 1, samples: 4, shadows: true, passes: 'gpu' },
  { scale: 1, samples: 0, shadows: true, passes: 'gpu' },
  { scale: 0.7, samples: 0, shadows: true, passes: 'gpu' },
  { scale: 0.5, samples: 0, shadows: false, passes: 'cpu' },
  { scale: 0.35, samples: 0, shadows: false, passes: 'cpu' },
];

/** Milliseconds between pictures that look continuous under a hand. */
const SLOW = 34;
/** Many times slower than that: not one step, but two. */
const VERY_SLOW = 3 * SLOW;
/** Pictures at one level before it is judged by their median; the first ones have their shaders compiled. */
const JUDGED = 4;
/** Pictures that have to come in time before a finer level is tried; twice as many after each time it was too slow. */
const FIRST_TRIAL = 60;
/** A longer pause is not the machine's: nothing was to be drawn. */
const PAUSE = 1000;
/** Nothing has moved for so long: time for the finest picture. */
const STILL = 250;

export class Pace {
  #level = 0;
  #intervals: number[] = [];
  #inTime = 0;
  #trial = FIRST_TRIAL;
  #tried = false;
  #last: number | undefined;
  #coarse = false;

  /** For the next picture of something that moves. */
  get moving(): Fineness {
    return FINENESS[this.#level];
  }

  /** Whether what is shown should be drawn again, finest, as nothing has moved since. */
  rests(now: number): boolean {
    return this.#coarse && this.#last !== undefined && now - this.#last > STILL;
  }

  /** After the finest picture of what rests. */
  rested(): void {
    this.#coarse = false;
    // Its own time says nothing of the pictures to come.
    this.#last = undefined;
  }

  /** After a picture of something that moves. */
  drawn(now: number): void {
    this.#coarse = this.#level > 0;
    const interval = now - (this.#last ?? Number.NEGATIVE_INFINITY);
    this.#last = now;
    if (interval > PAUSE) return;
    this.#intervals.push(interval);
    if (this.#intervals.length < JUDGED) return;
    const median = this.#intervals.sort((a, b) => a - b)[JUDGED >> 1];
    this.#intervals = [];
    if (median > SLOW) this.#coarser(median > VERY_SLOW ? 2 : 1);
    else this.#stayed();
  }

  #coarser(steps: number): void {
    if (this.#tried) this.#trial *= 2;
    this.#tried = false;
    this.#inTime = 0;
    this.#level = Math.min(FINENESS.length - 1, this.#level + steps);
  }

  #stayed(): void {
    this.#inTime += JUDGED;
    if (this.#level === 0 || this.#inTime < this.#trial) return;
    this.#inTime = 0;
    this.#tried = true;
    this.#level--;
  }
}
