/** One fit, or several: as few bones as reach an error, or the least error within a size of the file. */
import { boundsOf, diagonalOf, type Run, stageOf } from '@pelt/model';
import {
  correctSliders,
  fitSliders,
  type SliderErrors,
  type SliderFit,
  type SliderShapes,
  sliderErrors,
} from '@pelt/skin/sliders';
import { ErrorLimit } from '../input/error-limit.ts';
import { type Job, timed } from '../job.ts';
import { bytesOf } from '../request/shared-options.ts';
import type { Checked } from '../request/table.ts';
import { encodeSliders, type SliderFile } from './encode-sliders.ts';
import type { LoadedShapes } from './load-shapes.ts';
import type { SLIDERS } from './table.ts';

/** A file, and the errors that it has. */
export interface TriedFit {
  readonly found: SliderFit;
  readonly file: SliderFile;
  readonly errors: SliderErrors;
}

/** Numbers of bones that a search tries, up to the most. */
const COUNTS = [8, 12, 16, 24, 32, 40, 56, 80, 112, 160, 224];
const MIXTURES = 1000;
/** Bytes of a vertex that is corrected: its index and three numbers. */
const CORRECTION_BYTES = 14;
/** Share of the bytes that are left which corrections may take: some need a target of their own. */
const SPENT = 0.8;

export class SliderSearch {
  readonly #loaded: LoadedShapes;
  readonly #options: Checked<typeof SLIDERS>['options'];
  readonly #job: Job;
  /** Seconds that went into files. */
  writing = 0;

  constructor(loaded: LoadedShapes, options: Checked<typeof SLIDERS>['options'], job: Job) {
    this.#loaded = loaded;
    this.#options = options;
    this.#job = job;
  }

  run(run: Run): Promise<TriedFit> {
    const { bones, maxError, budget } = this.#options;
    const counts = [...COUNTS.filter((count) => count < bones), bones];
    if (maxError !== undefined) return this.#withinError(this.#distance(maxError), counts, run);
    if (budget !== undefined) return this.#withinSize(bytesOf(budget), counts, run);
    return this.#fit(bones, run);
  }

  /** More and more bones. */
  async #withinError(limit: number, counts: readonly number[], run: Run): Promise<TriedFit> {
    let last: TriedFit | undefined;
    for (const [k, bones] of counts.entries()) {
      last = await this.#fit(bones, stageOf(run, k / counts.length, 1));
      if (last.errors.rms <= limit) return last;
    }
    const { maxError, bones } = this.#options;
    this.#job.warn(`--max-error ${maxError} is not reached with ${bones} bones; allow more`);
    return last as TriedFit;
  }

  /** The size grows with the number of bones, which is bisected; what is left of it goes to the worst vertices. */
  async #withinSize(size: number, counts: readonly number[], run: Run): Promise<TriedFit> {
    let [low, high] = [-1, counts.length];
    let best: TriedFit | undefined;
    let smallest: TriedFit | undefined;
    for (let done = 0; high - low > 1; ) {
      // The most bones first: whoever has room for them wants no fewer.
      const k = high === counts.length ? high - 1 : Math.floor((low + high) / 2);
      const tried = await this.#fit(counts[k], stageOf(run, done, (done + 1) / 2));
      done = (done + 1) / 2;
      if (tried.file.bytes.length <= size) [low, best] = [k, tried];
      else [high, smallest] = [k, tried];
    }
    if (best) return this.#options.corrections ? this.#spend(best, size) : best;
    const bytes = (smallest as TriedFit).file.bytes.length;
    this.#job.warn(`--budget ${this.#options.budget} is not reached: the face takes ${bytes} bytes with few bones`);
    return smallest as TriedFit;
  }

  /** Corrections for the bytes that are left, where they make it better. */
  async #spend(best: TriedFit, size: number): Promise<TriedFit> {
    const left = SPENT * (size - best.file.bytes.length);
    const more = Math.floor(left / CORRECTION_BYTES);
    if (more < 1) return best;
    const count = best.found.corrections.vertices.length + more;
    const tried = await this.#write(correctSliders(this.#loaded.shapes, best.found, count));
    return tried.file.bytes.length <= size && tried.errors.rms < best.errors.rms ? tried : best;
  }

  #fit(bones: number, run: Run): Promise<TriedFit> {
    const { weights, zeros, corrections } = this.#options;
    const wanted = { bones, weights, zeros, ...(!corrections && { correctAbove: Number.POSITIVE_INFINITY }) };
    return this.#write(fitSliders(this.#loaded.shapes, wanted, run));
  }

  async #write(found: SliderFit): Promise<TriedFit> {
    const { shapes, clips } = this.#loaded;
    const { context, warn } = this.#job;
    const [tried, seconds] = await timed(async () => {
      const own = sliderErrors(shapes, found, { mixtures: 0 }, context);
      const share = own.rms / (diagonalOf(boundsOf(shapes.mesh.positions)) || 1);
      const file = await encodeSliders(found, clips, share, this.#options, warn);
      const errors = sliderErrors(inOrder(shapes, file.fit), file.fit, { mixtures: MIXTURES }, context);
      return { found, file, errors };
    });
    this.writing += seconds;
    return tried;
  }

  /** The limit as an RMS distance in model units. */
  #distance(limit: number | string): number {
    const { shapes, unit = 1 } = this.#loaded;
    const metres = shapes.mesh.positions.map((value) => value * unit);
    const parsed = new ErrorLimit(limit, metres);
    return (parsed.share * (diagonalOf(boundsOf(metres)) || 1)) / unit;
  }
}

/** Shapes in the order of the sliders of a file. */
function inOrder({ mesh, names, shapes }: SliderShapes, { sliders: { names: order } }: SliderFit): SliderShapes {
  const size = mesh.positions.length;
  const moved = new Float32Array(shapes.length);
  order.forEach((name, s) => {
    const from = size * names.indexOf(name);
    moved.set(shapes.subarray(from, from + size), s * size);
  });
  return { mesh, names: order, shapes: moved };
}
