/** `pelt fit`: bones, weights and baked animation from a mesh animation. */
import { eigenSkinExtension, writeSkinnedGlb } from '@pelt/io';
import { frameCount, type SequenceErrors, takenOf, UsageError, vertexCount, weldSequence } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import {
  DECOMPOSE_TAKEN_BY,
  type DecomposeMethod,
  type DecomposeRequest,
  decompose,
  eigenSkin,
  type RestDisplacement,
  splitRootMotion,
} from '@pelt/skin/decompose';
import { ErrorLimit, type LimitCheck } from '../input/error-limit.ts';
import { atOwnStarts } from '../input/load-clips.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { fitInChunks, wantsChunks } from './chunks/fit-in-chunks.ts';
import { fitStage } from './chunks/fit-stage.ts';
import { encodeFit } from './encode-fit.ts';
import { type FitFigures, fitOpened, openForFit } from './fit-to-file.ts';
import { fitWithin } from './fit-within.ts';
import { loadLockedRig } from './locked-rig.ts';
import { cutAmounts, inBytes } from './packed-model.ts';
import { loadPaintedRig } from './painted-rig.ts';
import { type PlayedFrames, playAllFrames } from './play-all-frames.ts';
import { reachLimit } from './reach-limit.ts';
import type { FIT } from './table.ts';

export interface FitReport extends FitFigures {
  readonly method: DecomposeMethod;
  /** With a sample: its frames, and the error on them; `error` is that on all frames. */
  readonly sampled?: { readonly frames: number; readonly error: SequenceErrors };
  /** Of a fit in chunks: the vertices that gave the bones, and the error on them. */
  readonly sampledVertices?: { readonly vertices: number; readonly error: SequenceErrors };
  /** Of a stage before the last, whose error is that on the sample. */
  readonly stage?: string;
  readonly error: SequenceErrors & { readonly eigenskin?: SequenceErrors };
  /** Of --budget: displacements beside the bones, fits that were tried, and whether the file keeps to it. */
  readonly displacements?: number;
  readonly tried?: number;
  readonly limits?: readonly LimitCheck[];
  /** How far the rest pose moved: RMS in the unit of E_RMS, and the largest displacement in model units. */
  readonly restMoved: RestDisplacement;
}

/** Two sets of four is what engines read. */
const MOST_PLAYED = 8;

export async function fit(request: Checked<typeof FIT>, job: Job): Promise<FitReport> {
  const { options } = request;
  const { method, bones, weights, smooth, islandPrice, restPose, start, bandwidth, smaBones } = options;
  const affine = method === 'affine' || (method === 'sma' && smaBones === 'affine');
  if (weights > MOST_PLAYED) {
    job.warn(`engines read up to ${MOST_PLAYED} weights a vertex; ${weights} are for comparison`);
  }
  const given = typeof bones !== 'string' && options.maxError === undefined && options.lock === undefined;
  if (start === 'regions' && !given) {
    throw new UsageError('--start regions needs a number of --bones; leave out --max-error and --lock');
  }
  requireRig(options);
  if (options.sample !== undefined && (options.eigenskin !== undefined || options.root !== undefined)) {
    throw new UsageError('--eigenskin and --root look at every frame; leave out --sample');
  }
  const opened = await openForFit(request, job);
  if (options.budget !== undefined) return fitWithin(request, options.budget, opened, job);
  if (options.stage !== undefined) return fitStage(request, options.stage, opened, job);
  if (wantsChunks(request, opened.clips, job)) return fitInChunks(request, opened, job);
  let eigenskin: SequenceErrors | undefined;
  let sampled: FitReport['sampled'];
  let played: PlayedFrames | undefined;
  const { figures, fitted } = await fitOpened(request, opened, job, {
    fit: async (sequence, run) => {
      const locked = await loadLockedRig(options, frameCount(sequence), sequence.rest, job);
      const limit = options.maxError;
      const allowed = limit === undefined ? undefined : new ErrorLimit(limit, sequence.rest.positions);
      if (allowed?.caution) job.warn(allowed.caution);
      const maxError = allowed?.eRms;
      const { paint, rig } = options;
      const painted = paint && rig ? await loadPaintedRig(paint, rig, sequence.rest, job) : undefined;
      const search = { method, bones, maxError, weights, locked, painted, start, bandwidth, smaBones };
      const wanted = takenOf(method, DECOMPOSE_TAKEN_BY, { ...search, smooth, islandPrice, restPose });
      const fitted = reachLimit(allowed, () => decompose(sequence, wanted as DecomposeRequest, run));
      if (typeof bones === 'number' && maxError === undefined && !painted && fitted.rig.bones.length < bones) {
        job.warn(fewerBones(bones, fitted.rig.bones.length, vertexCount(weldSequence(sequence).sequence.rest)));
      }
      return fitted;
    },
    encode: async ({ rig: fitted, clip: fittedClip, error }, loaded, run) => {
      const { sequence, split, sampledFrom } = loaded;
      // An affine bone is exact as a pair of joints; one joint with TRS would lose its shear.
      const glb = { affine: affine ? 'pair' : 'trs', onWarning: job.warn } as const;
      const compress = options.compress === 'none' ? undefined : options.compress;
      // Bones that are locked have the frames of the sample and no others.
      if (sampledFrom.length > 0 && options.lock !== 'bones') {
        const S = frameCount(sequence);
        sampled = { frames: S, error };
        // The sample is still in memory: parts that are shorter add little to it.
        const frames = Math.ceil(S / 4);
        played = await playAllFrames({ rig: fitted, rest: sequence.rest }, sampledFrom, { affine, frames }, job, run);
        const file = await writeSkinnedGlb({ rig: fitted, clips: atOwnStarts(played.clips, loaded.starts) }, glb);
        const { bytes } = compress ? await compressGlb(file.bytes) : file;
        return { bytes, clips: played.clips };
      }
      const packs = compress ? inBytes(fitted, fittedClip, sequence, run) : { rig: fitted, clip: fittedClip };
      const whole = { sequence, ...packs };
      const skin = options.eigenskin ? eigenSkin(whole, { rank: options.eigenskin }, run) : undefined;
      eigenskin = skin?.error;
      const { rig, clip } = options.root ? splitRootMotion(whole, { motion: options.root }) : whole;
      const clips = split(clip);
      const morphs = skin && { deltas: skin.deltas, weights: cutAmounts(skin.amounts, clips, skin.deltas.length) };
      // In poses of other clips the displacements follow the joints.
      const extensions = skin && [
        eigenSkinExtension(rig.bones.length, { poses: clip.transforms, amounts: skin.amounts }),
      ];
      const model = { rig, clips, morphs, extensions };
      const file = await encodeFit(model, error, loaded, { affine: glb.affine, compress }, job);
      return { ...file, clips };
    },
  });
  return {
    ...figures,
    ...(sampled && { sampled }),
    method,
    error: { ...(played?.error ?? figures.error), ...(eigenskin && { eigenskin }) },
    restMoved: fitted.restMoved,
  };
}

/** A rig is given for what is locked or painted, and for nothing else. */
function requireRig({ lock, paint, rig, bones, maxError }: Checked<typeof FIT>['options']): void {
  if (lock !== undefined && paint !== undefined) {
    throw new UsageError('--lock keeps bones or weights, --paint some of the weights; give one of them');
  }
  if ((lock === undefined && paint === undefined) !== (rig === undefined)) {
    throw new UsageError('--lock or --paint says what to keep and --rig of which file; give both');
  }
  if (paint !== undefined && (bones !== undefined || maxError !== undefined)) {
    throw new UsageError('--paint goes with the bones of --rig; leave out --bones and --max-error');
  }
}

function fewerBones(wanted: number, made: number, vertices: number): string {
  const reason =
    made === vertices ? `the mesh has ${vertices} vertices` : 'no more parts of the mesh move on their own';
  return `${made} of the ${wanted} bones asked for: ${reason}`;
}
