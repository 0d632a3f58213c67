/** `pelt sliders`: bones that follow the sliders of a face, from its blend shapes. */
import { boundsOf, diagonalOf, stageOf, triangleCount, UsageError, vertexCount } from '@pelt/model';
import { fitSliders, type MixtureErrors, type SliderFit, type SliderShapes, sliderErrors } from '@pelt/skin/sliders';
import { requireFewBones } from '../input/bone-limit.ts';
import { ErrorLimit } from '../input/error-limit.ts';
import { sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { warnOfGrowth } from '../outputs/growth.ts';
import { bytesOf } from '../request/shared-options.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { encodeSliders, type SliderFile } from './encode-sliders.ts';
import { type LoadedShapes, loadShapes } from './load-shapes.ts';
import type { SLIDERS } from './table.ts';

export interface SlidersReport {
  readonly input: {
    readonly name: string;
    readonly bytes: number;
    readonly vertices: number;
    readonly triangles: number;
    readonly sliders: number;
  };
  readonly bones: number;
  readonly weightsPerVertex: number;
  /** Numbers between sliders and bones, and the share of them that are zero. */
  readonly maps: { readonly numbers: number; readonly zeros: number };
  /** Vertices, over all sliders, that are displaced beside the bones. */
  readonly corrections: number;
  /** Unit of the errors: millimetres where the input has a unit, else its own. */
  readonly unit: 'mm' | 'units';
  /** Distances of vertices of the written file with one slider fully on, over all of them. */
  readonly error: MixtureErrors;
  readonly sliders: readonly (MixtureErrors & { readonly name: string })[];
  /** Over random mixtures of up to eight sliders. */
  readonly mixtures: MixtureErrors & { readonly count: number };
  readonly clips: readonly string[];
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

/** Numbers of bones that a search tries, up to the most. */
const COUNTS = [8, 12, 16, 24, 32, 40, 56, 80, 112, 160, 224];
const MIXTURES = 1000;
const [READING, FITTED] = [0.05, 0.95];

export async function sliders(request: Checked<typeof SLIDERS>, job: Job): Promise<SlidersReport> {
  const { inputs, output, options } = request;
  if (options.maxError !== undefined && options.budget !== undefined) {
    throw new UsageError('--max-error and --budget are two goals; give one of them');
  }
  job.outputs.reserve(output);
  const [loaded, read] = await timed(() => loadShapes(request, job));
  const { mesh, names } = loaded.shapes;
  job.expectFrames(vertexCount(mesh), names.length);
  requireFewBones(options.bones, () => vertexCount(mesh));
  return withNumerics(job, async (run) => {
    const search = new SliderSearch(loaded, options, job);
    let writing = 0;
    const [best, searching] = await timed(async () => {
      const counts = search.counts();
      for (const [k, bones] of counts.entries()) {
        const stage = stageOf(run, READING + ((FITTED - READING) * k) / counts.length, FITTED);
        const { bones: most, weights, zeros, corrections } = { ...options, bones };
        const wanted = { bones: most, weights, zeros, ...(!corrections && { correctAbove: Number.POSITIVE_INFINITY }) };
        const fit = fitSliders(loaded.shapes, wanted, stage);
        const [done, seconds] = await timed(() => search.take(fit));
        writing += seconds;
        if (done) break;
      }
      return search.result();
    });
    const { file } = best;
    job.outputs.write(output, file.bytes);
    warnOfGrowth(job, sourceOf(job.files, inputs, options.rest), file.bytes.length, 'fewer --bones make it smaller');
    const { rig, sliders: maps, corrections } = file.fit;
    const numbers = maps.values.length;
    const places = 12 * rig.bones.length * names.length;
    return {
      input: {
        name: loaded.label,
        bytes: loaded.bytes,
        vertices: vertexCount(mesh),
        triangles: triangleCount(mesh),
        sliders: names.length,
      },
      bones: rig.bones.length,
      weightsPerVertex: rig.weights.slots,
      maps: { numbers, zeros: 1 - numbers / places },
      corrections: corrections.vertices.length,
      ...inUnits(loaded, best.errors),
      clips: loaded.clips.map(({ name }) => name),
      seconds: { read, fit: searching - writing, write: writing },
      output: { file: output, bytes: file.bytes.length },
      threads: run.numerics.threads,
    };
  });
}

interface Tried {
  readonly file: SliderFile;
  readonly errors: ReturnType<typeof sliderErrors>;
}

/** One fit, or several with more and more bones until a limit is reached. */
class SliderSearch {
  readonly #loaded: LoadedShapes;
  readonly #options: Checked<typeof SLIDERS>['options'];
  readonly #job: Job;
  readonly #limit: number | undefined;
  readonly #budget: number | undefined;
  #best: Tried | undefined;

  constructor(loaded: LoadedShapes, options: Checked<typeof SLIDERS>['options'], job: Job) {
    const { maxError, budget } = options;
    this.#loaded = loaded;
    this.#options = options;
    this.#job = job;
    this.#budget = budget === undefined ? undefined : bytesOf(budget);
    this.#limit = maxError === undefined ? undefined : this.#distance(maxError);
  }

  counts(): number[] {
    const { bones } = this.#options;
    if (this.#limit === undefined && this.#budget === undefined) return [bones];
    return [...COUNTS.filter((count) => count < bones), bones];
  }

  /** Whether the search is over. */
  async take(fit: ReturnType<typeof fitSliders>): Promise<boolean> {
    const { shapes, clips } = this.#loaded;
    const own = sliderErrors(shapes, fit, { mixtures: 0 }, this.#job.context);
    const share = own.rms / (diagonalOf(boundsOf(shapes.mesh.positions)) || 1);
    const file = await encodeSliders(fit, clips, share, this.#options, this.#job.warn);
    const errors = sliderErrors(inOrder(shapes, file.fit), file.fit, { mixtures: MIXTURES }, this.#job.context);
    const isSmall = this.#budget === undefined || file.bytes.length <= this.#budget;
    if (isSmall || !this.#best) this.#best = { file, errors };
    if (this.#limit !== undefined) return errors.rms <= this.#limit;
    return !isSmall;
  }

  result(): Tried {
    const best = this.#best as Tried;
    const { maxError, budget } = this.#options;
    if (this.#limit !== undefined && best.errors.rms > this.#limit) {
      this.#job.warn(`--max-error ${maxError} is not reached with ${best.file.fit.rig.bones.length} bones; allow more`);
    }
    if (this.#budget !== undefined && best.file.bytes.length > this.#budget) {
      this.#job.warn(
        `--budget ${budget} is not reached: the face takes ${best.file.bytes.length} bytes with few bones`,
      );
    }
    return best;
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

function inUnits(
  { unit }: LoadedShapes,
  errors: Tried['errors'],
): Pick<SlidersReport, 'unit' | 'error' | 'sliders' | 'mixtures'> {
  const factor = unit === undefined ? 1 : unit * 1000;
  const scaled = <E extends MixtureErrors>(e: E): E => ({
    ...e,
    rms: e.rms * factor,
    mean: e.mean * factor,
    max: e.max * factor,
  });
  const { rms, mean, max, sliders: each, mixtures } = errors;
  return {
    unit: unit === undefined ? 'units' : 'mm',
    error: scaled({ rms, mean, max }),
    sliders: each.map(scaled),
    mixtures: scaled(mixtures),
  };
}
