/** Stops a job before it starts where it would need more memory than it may use, and says what would help. */
import { InputError } from '@pelt/model';
import type { CommandName } from '../commands.ts';
import type { Checked, Table } from '../request/table.ts';
import { ESTIMATES, estimateChunks, type JobSizes } from './estimates.ts';

export interface MemoryLimits {
  /** Bytes that the job may use; absent: any. */
  readonly limit: number | undefined;
  readonly threads: number;
}

/** Bones where the number is found by the job. */
const UNKNOWN_BONES = 64;

export class MemoryBudget {
  readonly #command: CommandName;
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #canSample: boolean;
  readonly #canChunk: boolean;
  readonly #format: string;
  readonly #limits: MemoryLimits;
  #vertices = 0;
  #frames = 0;
  #positions = 0;
  /** Bytes of a fit in chunks, where it is one. */
  #inChunks: number | undefined;

  /** @param table  of the command */
  constructor(command: CommandName, table: Table, { output, options }: Checked<Table>, limits: MemoryLimits) {
    this.#command = command;
    this.#canSample = Object.hasOwn(table.options, 'sample');
    this.#canChunk = Object.hasOwn(table.options, 'chunk');
    this.#options = options;
    this.#format = /\.([^./\\]*)$/.exec(output ?? '')?.[1].toLowerCase() ?? '';
    this.#limits = limits;
  }

  /** Megabytes that the job is expected to need at its peak; undefined before its input is known. */
  get expectedMegabytes(): number | undefined {
    return this.#vertices === 0 ? undefined : Math.round(this.#needed(1) / 2 ** 20);
  }

  /**
   * Adds an animation that is about to be read.
   *
   * @param n  vertices
   * @param S  frames that will be kept
   * @throws InputError where the job would need more than the limit
   */
  expect(n: number, S: number): void {
    const { limit } = this.#limits;
    this.#vertices = Math.max(this.#vertices, n);
    this.#frames += S;
    this.#positions += 12 * n * S;
    const needed = this.#needed(1);
    if (limit === undefined || needed <= limit) return;
    throw new InputError(
      `${this.#command} would need about ${amount(needed)} of memory for ${this.#frames} frames of ${n} vertices, ` +
        `more than the ${amount(limit)} that it may use; ${this.#cure(S, limit)}`,
    );
  }

  /** Whether an animation would fit, beside those before. */
  hasRoomFor(n: number, S: number): boolean {
    const { limit } = this.#limits;
    const positions = this.#positions + 12 * n * S;
    const sizes = { ...this.#sizes(1), vertices: Math.max(this.#vertices, n), frames: this.#frames + S, positions };
    return limit === undefined || ESTIMATES[this.#command](sizes) <= limit;
  }

  /**
   * The memory of a fit in chunks.
   *
   * @param sample  vertices that the bones are found on
   * @throws InputError where it would need more than the limit
   */
  expectChunks(n: number, S: number, sample: number): void {
    const { limit } = this.#limits;
    [this.#vertices, this.#frames] = [n, S];
    const needed = estimateChunks(this.#sizes(1), sample);
    this.#inChunks = needed;
    if (limit === undefined || needed <= limit) return;
    throw new InputError(
      `${this.#command} in chunks would need about ${amount(needed)} of memory for ${n} vertices, more than the ` +
        `${amount(limit)} that it may use; use a smaller mesh or --sample-vertices, or allow more by --memory`,
    );
  }

  /** @param share  of the frames so far that are kept */
  #needed(share: number): number {
    return this.#inChunks ?? ESTIMATES[this.#command](this.#sizes(share));
  }

  #sizes(share: number): JobSizes {
    const { bones } = this.#options;
    return {
      vertices: this.#vertices,
      frames: share * this.#frames,
      positions: share * this.#positions,
      bones: typeof bones === 'number' ? bones : UNKNOWN_BONES,
      threads: this.#limits.threads,
      format: this.#format,
    };
  }

  #cure(S: number, limit: number): string {
    const more = 'allow more by --memory';
    if (!this.#canSample) return `give fewer frames, or ${more}`;
    let [fits, tooMany] = [0, S];
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1;
      if (this.#needed(middle / S) <= limit) fits = middle;
      else tooMany = middle;
    }
    const chunks = this.#canChunk ? 'fit it in chunks by --chunk auto, ' : '';
    return (
      chunks +
      (fits < 2 ? `use a smaller mesh, or ${more}` : `read a part of the frames by --sample ${fits}, or ${more}`)
    );
  }
}

function amount(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
