/** `--max-error`: how much error a rig may have, and the answer in the unit that it was asked for in. */
import { enclosingBall } from '@pelt/math';
import { boundsOf, diagonalOf, UsageError } from '@pelt/model';
import { LENGTH_UNITS } from '../request/shared-options.ts';

export interface LimitReport {
  /** As it was typed. */
  readonly asked: string;
  /** In the same unit. */
  readonly reached: string;
  /** Of the model: the diagonal of the box around its rest pose, in the same unit of length. */
  readonly size: string;
}

/** A limit, and whether a result keeps to it. */
export interface LimitCheck {
  /** As it was typed. */
  readonly asked: string;
  readonly of: 'error' | 'bytes';
  /** In the same unit; growth as `12%`. */
  readonly reached: string;
  readonly exceeded: boolean;
}

/** Of the diagonal: what rounding to 32 bits moves. */
const LEAST_SHARE = 1e-7;
/** Of the diagonal: below this a fit takes nearly as many bones as there are vertices. */
const SMALL_SHARE = 5e-5;

/**
 * A number is E_RMS itself: the root mean square of coordinates, in thousandths of the rest pose's radius. A length
 * (`2mm`) is the root mean square distance of a vertex; `5%` is growth over the error that the rig has.
 */
export class ErrorLimit {
  readonly eRms: number;
  readonly #asked: string;
  readonly #unit: string;
  readonly #before: number;
  readonly #radius: number;
  readonly #extent: number;
  readonly #diagonal: number;
  readonly #flag: string;

  /**
   * @param rest    n × 3
   * @param before  E_RMS that growth is over
   * @param flag    the option that it comes from, for messages
   */
  constructor(limit: number | string, rest: Float32Array, before = 0, flag = '--max-error') {
    this.#flag = flag;
    this.#asked = String(limit).trim();
    this.#unit = this.#asked.replace(/^[\s\d.]+([eE][+-]?\d+)?/, '').trim();
    this.#before = before;
    this.#radius = enclosingBall(rest).radius || 1;
    this.#extent = diagonalOf(boundsOf(rest));
    this.#diagonal = this.#extent || 1;
    this.eRms = this.#parsed();
  }

  /** Whether it is E_RMS itself. */
  get isPlain(): boolean {
    return this.#unit === '';
  }

  /** As the root mean square distance of a vertex over the diagonal. */
  get share(): number {
    return this.#distance(this.eRms) / this.#diagonal;
  }

  /** What to say before the work begins, of a limit that is hard to reach; undefined where there is nothing to say. */
  get caution(): string | undefined {
    if (this.share >= SMALL_SHARE) return undefined;
    const { size } = this.report(0);
    const percent = (100 * this.share).toPrecision(2);
    return `--max-error ${this.#asked} is ${percent} % of the model, which is ${size} in size; that may take long`;
  }

  report(eRms: number): LimitReport {
    const unit = this.#unit in LENGTH_UNITS ? this.#unit : 'm';
    const size = `${Number((this.#diagonal / LENGTH_UNITS[unit]).toPrecision(3))}${unit}`;
    return { asked: this.#asked, reached: this.#inUnit(eRms), size };
  }

  #parsed(): number {
    const value = Number.parseFloat(this.#asked);
    if (this.#unit === '') return value;
    if (this.#unit !== '%') {
      const length = value * LENGTH_UNITS[this.#unit];
      const size = `${Number((this.#diagonal / LENGTH_UNITS[this.#unit]).toPrecision(3))}${this.#unit}`;
      if (this.#extent > 0 && length < LEAST_SHARE * this.#diagonal) {
        throw new UsageError(
          `--max-error ${this.#asked} is less than 32-bit numbers can tell apart in a model that is ${size} in size`,
        );
      }
      if (length < this.#diagonal || this.#extent === 0) return (1000 * length) / (Math.sqrt(3) * this.#radius);
      throw new UsageError(
        `${this.#flag} ${this.#asked} is more than the model, which is ${size} in size; is it in metres?`,
      );
    }
    if (this.#before > 0) return this.#before * (1 + value / 100);
    throw new UsageError(
      `${this.#asked} of no error is none: without example shapes the rig is its own truth; give an E_RMS or a length`,
    );
  }

  #inUnit(eRms: number): string {
    if (this.#unit === '') return eRms.toPrecision(3);
    if (this.#unit === '%') return `${(100 * (eRms / this.#before - 1)).toPrecision(3)}%`;
    return `${(this.#distance(eRms) / LENGTH_UNITS[this.#unit]).toPrecision(3)}${this.#unit}`;
  }

  #distance(eRms: number): number {
    return (Math.sqrt(3) * eRms * this.#radius) / 1000;
  }
}
