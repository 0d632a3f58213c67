/** `pelt sliders`: bones that follow the sliders of a face, from its blend shapes. */
import { stageOf, triangleCount, UsageError, vertexCount } from '@pelt/model';
import type { MixtureErrors } from '@pelt/skin/sliders';
import { requireFewBones } from '../input/bone-limit.ts';
import { sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { warnOfGrowth } from '../outputs/growth.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import { type DependentSlider, dependencyLine, dependentSliders } from './dependent-sliders.ts';
import type { SliderFile } from './encode-sliders.ts';
import { type LoadedShapes, loadShapes } from './load-shapes.ts';
import { SliderSearch, type TriedFit } from './slider-search.ts';
import type { SLIDERS } from './table.ts';
import { transfer } from './transfer.ts';

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
  /**
   * Distances of vertices of the written file with one slider fully on, over all of them; absent where sliders were
   * transferred, for there are no shapes to compare with.
   */
  readonly error?: MixtureErrors;
  readonly sliders?: readonly (MixtureErrors & { readonly name: string })[];
  /** Over random mixtures of up to eight sliders. */
  readonly mixtures?: MixtureErrors & { readonly count: number };
  /** Of transferred sliders: the median distance between corresponding places, and that of nine in ten, in % of the diagonal. */
  readonly transfer?: { readonly from: string; readonly medianPercent: number; readonly p90Percent: number };
  /** Sliders that are set by others or by joints, as far as names tell: nothing sets them but whoever plays the face. */
  readonly dependent: readonly DependentSlider[];
  readonly clips: readonly string[];
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

const [READING, FITTED] = [0.05, 0.95];

export async function sliders(request: Checked<typeof SLIDERS>, job: Job): Promise<SlidersReport> {
  const { inputs, output, options } = request;
  if (options.maxError !== undefined && options.budget !== undefined) {
    throw new UsageError('--max-error and --budget are two goals; give one of them');
  }
  job.outputs.reserve(output);
  if (options.transfer !== undefined) return transferred(request, options.transfer, job);
  const [loaded, read] = await timed(() => loadShapes(request, job));
  const { mesh, names } = loaded.shapes;
  const dependent = dependentSliders(names, loaded.joints);
  for (const slider of dependent) job.warn(dependencyLine(slider));
  job.expectFrames(vertexCount(mesh), names.length);
  requireFewBones(options.bones, () => vertexCount(mesh));
  return withNumerics(job, async (run) => {
    const search = new SliderSearch(loaded, options, job);
    const [best, searching] = await timed(() => search.run(stageOf(run, READING, FITTED)));
    const { file } = best;
    job.outputs.write(output, file.bytes);
    warnOfGrowth(job, sourceOf(job.files, inputs, options.rest), file.bytes.length, 'fewer --bones make it smaller');
    return {
      ...described(loaded, file),
      ...inUnits(loaded, best.errors),
      dependent,
      clips: loaded.clips.map(({ name }) => name),
      seconds: { read, fit: searching - search.writing, write: search.writing },
      output: { file: output, bytes: file.bytes.length },
      threads: run.numerics.threads,
    };
  });
}

async function transferred(request: Checked<typeof SLIDERS>, from: string, job: Job): Promise<SlidersReport> {
  const { output } = request;
  const [{ file, distance, clips, ...input }, write] = await timed(() => transfer(request, job));
  job.outputs.write(output, file.bytes);
  return {
    ...described(input, file),
    unit: 'units',
    transfer: { from, medianPercent: 100 * distance.median, p90Percent: 100 * distance.p90 },
    dependent: [],
    clips,
    seconds: { read: 0, fit: 0, write },
    output: { file: output, bytes: file.bytes.length },
    threads: 1,
  };
}

type Described = Pick<SlidersReport, 'input' | 'bones' | 'weightsPerVertex' | 'maps' | 'corrections'>;

function described({ label, bytes }: Pick<LoadedShapes, 'label' | 'bytes'>, { fit }: SliderFile): Described {
  const { rig, sliders: maps, corrections } = fit;
  const [numbers, count] = [maps.values.length, maps.names.length];
  return {
    input: {
      name: label,
      bytes,
      vertices: vertexCount(rig.mesh),
      triangles: triangleCount(rig.mesh),
      sliders: count,
    },
    bones: rig.bones.length,
    weightsPerVertex: rig.weights.slots,
    maps: { numbers, zeros: 1 - numbers / (12 * rig.bones.length * count) },
    corrections: corrections.vertices.length,
  };
}

function inUnits(
  { unit }: LoadedShapes,
  errors: TriedFit['errors'],
): Required<Pick<SlidersReport, 'unit' | 'error' | 'sliders' | 'mixtures'>> {
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
