/** What commands share that fit a rig to frames and write it: from files to welded frames, and back to all vertices. */
import type { Numerics } from '@pelt/math';
import {
  type Clip,
  frameCount,
  type MeshSequence,
  type Rig,
  type SequenceErrors,
  stageOf,
  UsageError,
  unweldRig,
  type Weld,
  weldSequence,
} from '@pelt/model';
import { linearSequenceErrors } from '@pelt/skin/decompose';
import { type ClipsOptions, type LoadedClips, loadClips } from '../input/load-clips.ts';
import { type InputFigures, inputFigures } from '../input/load-sequence.ts';
import { type Job, timed } from '../job.ts';
import { refuseToReplace } from '../outputs/refuse-to-replace.ts';
import { withNumerics } from '../with-numerics.ts';

/** What a fit of the welded frames gives. */
export interface Found {
  readonly rig: Rig;
  readonly clip: Clip;
}

/**
 * Fits welded vertices, and gives the rig to all vertices again. Its error is that which a viewer of the file will see:
 * every vertex counts, also the copies on seams.
 */
export async function fitWelded<F extends Found>(
  sequence: MeshSequence,
  fit: (weld: Weld) => F | Promise<F>,
): Promise<F & { readonly error: SequenceErrors }> {
  const weld = weldSequence(sequence);
  const found = await fit(weld);
  const rig = unweldRig(found.rig, weld.map, sequence.rest);
  return { ...found, rig, error: linearSequenceErrors(sequence, rig, found.clip) };
}

/** Share of the whole job that reading is given. */
const READING = 0.05;

interface FitRequest {
  readonly inputs: readonly string[];
  readonly output: string;
  readonly options: ClipsOptions;
}

/** What the report of every fit has. */
export interface FitFigures {
  readonly input: InputFigures;
  readonly bones: number;
  readonly weightsPerVertex: number;
  readonly error: SequenceErrors;
  readonly clips: readonly string[];
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly iterations: number;
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

/** The steps in which fits differ. */
export interface FitSteps<F extends Found & { readonly iterations: number }> {
  fit(weld: Weld, sequence: MeshSequence, numerics: Numerics): F | Promise<F>;
  /** The bytes of the file. */
  encode(
    fitted: F & { readonly error: SequenceErrors },
    loaded: LoadedClips,
    numerics: Numerics,
  ): Promise<{ readonly bytes: Uint8Array; readonly clips: readonly Clip[] }>;
}

export async function fitToFile<F extends Found & { readonly iterations: number }>(
  { inputs, output, options }: FitRequest,
  job: Job,
  steps: FitSteps<F>,
): Promise<{ figures: FitFigures; fitted: F & { readonly error: SequenceErrors } }> {
  job.outputs.reserve(output);
  const [loaded, read] = await timed(() => loadClips(inputs, options, job, stageOf(job.context, 0, READING)));
  const { sequence } = loaded;
  refuseToReplace(job.files, [output], loaded.paths);
  if (frameCount(sequence) < 2) {
    throw new UsageError(`'${loaded.label}' is a single pose; give at least two frames, or a rest pose and a frame`);
  }
  return withNumerics(job, async (numerics) => {
    const [fitted, fitting] = await timed(() => fitWelded(sequence, (weld) => steps.fit(weld, sequence, numerics)));
    const [{ bytes, clips }, writing] = await timed(async () => {
      const file = await steps.encode(fitted, loaded, numerics);
      job.outputs.write(output, file.bytes);
      return file;
    });
    return {
      fitted,
      figures: {
        input: inputFigures(loaded),
        bones: fitted.rig.bones.length,
        weightsPerVertex: fitted.rig.weights.slots,
        error: fitted.error,
        clips: clips.map(({ name }) => name),
        seconds: { read, fit: fitting, write: writing },
        iterations: fitted.iterations,
        output: { file: output, bytes: bytes.length },
        threads: numerics.threads,
      },
    };
  });
}
