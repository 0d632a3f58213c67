/** What the commands share that fit a rig to frames and write it. */
import {
  type Clip,
  frameCount,
  type MeshSequence,
  type Rig,
  type Run,
  type SequenceErrors,
  stageOf,
  UsageError,
  vertexCount,
  weldSequence,
} from '@pelt/model';
import { requireFewBones } from '../input/bone-limit.ts';
import { ErrorLimit, type LimitReport } from '../input/error-limit.ts';
import { type ClipsOptions, type LoadedClips, type OpenedClips, openClips, readClips } from '../input/load-clips.ts';
import { type InputFigures, inputFigures } from '../input/load-sequence.ts';
import { namedRig } from '../input/names.ts';
import { sourceOf } from '../input/source-files.ts';
import { type Job, timed } from '../job.ts';
import { warnOfGrowth } from '../outputs/growth.ts';
import { withNumerics } from '../with-numerics.ts';
import type { EncodedFit } from './encode-fit.ts';

/** What a fit gives. */
export interface Found {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly error: SequenceErrors;
  readonly iterations: number;
}

/** Shares of the whole job at which reading, fitting and what is made of the fit are done. */
const [READING, FITTED, WRITTEN] = [0.05, 0.97, 0.99];

/** What to do about a file that grew. */
const GROWN = 'fewer --bones, --max-error and --compress meshopt make it smaller';

interface FitRequest {
  readonly inputs: readonly string[];
  readonly output: string;
  readonly options: ClipsOptions & {
    readonly name?: string | undefined;
    readonly bones?: number | 'auto' | undefined;
    readonly maxError?: number | string | undefined;
  };
}

/** What the report of every fit has. */
export interface FitFigures {
  readonly input: InputFigures;
  readonly bones: number;
  readonly weightsPerVertex: number;
  readonly error: SequenceErrors;
  /** Of --max-error, in the unit that was typed. */
  readonly limit?: LimitReport;
  readonly clips: readonly string[];
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly iterations: number;
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

/** The steps in which fits differ. */
export interface FitSteps<F extends Found> {
  fit(sequence: MeshSequence, run: Run, loaded: LoadedClips): Promise<F>;
  /** The bytes of the file. */
  encode(fitted: F, loaded: LoadedClips, run: Run): Promise<EncodedFit & { readonly clips: readonly Clip[] }>;
}

export async function fitToFile<F extends Found>(
  { inputs, output, options }: FitRequest,
  job: Job,
  steps: FitSteps<F>,
): Promise<{ figures: FitFigures; fitted: F }> {
  return fitOpened({ inputs, output, options }, await openForFit({ inputs, output, options }, job), job, steps);
}

/** Clips that were opened for a fit, and the seconds that it took. */
export interface OpenedForFit {
  readonly clips: OpenedClips;
  readonly seconds: number;
}

/** Makes sure that the file can be written, and opens the clips. */
export async function openForFit({ inputs, output, options }: FitRequest, job: Job): Promise<OpenedForFit> {
  job.outputs.reserve(output);
  const [clips, seconds] = await timed(() => openClips(inputs, options, job, stageOf(job.context, 0, READING)));
  return { clips, seconds };
}

export async function fitOpened<F extends Found>(
  { inputs, output, options }: FitRequest,
  opened: OpenedForFit,
  job: Job,
  steps: FitSteps<F>,
): Promise<{ figures: FitFigures; fitted: F }> {
  const [loaded, reading] = await timed(() => readClips(opened.clips, job, stageOf(job.context, 0, READING)));
  const read = opened.seconds + reading;
  const { sequence } = loaded;
  if (frameCount(sequence) < 2) {
    throw new UsageError(`'${loaded.label}' is a single pose; give at least two frames, or a rest pose and a frame`);
  }
  requireFewBones(options.bones, () => vertexCount(weldSequence(sequence).sequence.rest));
  const limit = options.maxError === undefined ? undefined : new ErrorLimit(options.maxError, sequence.rest.positions);
  return withNumerics(job, async (run) => {
    const [found, fitting] = await timed(() => steps.fit(sequence, stageOf(run, READING, FITTED), loaded));
    const fitted = { ...found, rig: namedRig(found.rig, options.name) };
    const [{ bytes, clips, error = fitted.error }, writing] = await timed(async () => {
      const file = await steps.encode(fitted, loaded, stageOf(run, FITTED, WRITTEN));
      job.outputs.write(output, file.bytes);
      warnOfGrowth(job, sourceOf(job.files, inputs, options.rest), file.bytes.length, GROWN);
      return file;
    });
    return {
      fitted,
      figures: {
        input: { ...inputFigures(loaded), frames: clips.reduce((sum, { times }) => sum + times.length, 0) },
        bones: fitted.rig.bones.length,
        weightsPerVertex: fitted.rig.weights.slots,
        error,
        ...(limit && { limit: limit.report(error.eRms) }),
        clips: clips.map(({ name }) => name),
        seconds: { read, fit: fitting, write: writing },
        iterations: fitted.iterations,
        output: { file: output, bytes: bytes.length },
        threads: run.numerics.threads,
      },
    };
  });
}
