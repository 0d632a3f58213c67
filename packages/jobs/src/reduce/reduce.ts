/** `pelt reduce`: fewer weights, virtual bones, fewer keys, fewer bytes, judged on the surface. */
import type { GltfAsset } from '@pelt/io';
import { mostWeights, type SequenceErrors, stageOf, triangleCount, UsageError, vertexCount } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { linearSequenceErrors } from '@pelt/skin/decompose';
import { REDUCE_WEIGHTS_DEFAULTS, virtualCount } from '@pelt/skin/reduce';
import { sayIfSmaller } from '../fit/smaller-forms.ts';
import { ErrorLimit, type LimitCheck, type LimitReport } from '../input/error-limit.ts';
import { type Job, timed } from '../job.ts';
import { kilobytes } from '../outputs/growth.ts';
import { blendFlops, layeredFlops, meanWeights } from '../outputs/skin-flops.ts';
import { vrmFile } from '../outputs/vrm-file.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import type { EncodedRig } from './encode-rig.ts';
import { encodeWithin } from './encode-within.ts';
import { type LodFigures, lodPaths, writeLods } from './lods.ts';
import { type RigChoices, smallerRig } from './reduce-rig.ts';
import { loadReduction, type ReductionSource, weldedProblem } from './reduction-source.ts';
import { BudgetSearch } from './search-budget.ts';
import type { REDUCE, ReduceMethod } from './table.ts';
import { TARGETS } from './targets.ts';
import { smallerTextures, type TextureFigures } from './textures.ts';

/** A rig as a file: what it costs and what it shows. */
export interface RigFigures {
  readonly error: SequenceErrors;
  readonly weightsPerVertex: number;
  readonly bones: number;
  /** Of all curves. */
  readonly keys: number;
  readonly bytes: number;
  /** Floating point operations to pose a vertex, on average. */
  readonly flopsPerVertex: number;
}

export interface ReduceReport {
  readonly input: {
    readonly name: string;
    readonly bytes: number;
    readonly vertices: number;
    readonly triangles: number;
  };
  readonly method: ReduceMethod;
  /** What errors are measured against: examples that were given, or what the rig played before. */
  readonly truth: 'examples' | 'clips';
  readonly before: RigFigures;
  readonly after: RigFigures;
  /** Of --max-error, in the unit that was typed. */
  readonly limit?: LimitReport;
  /** What was asked for by --max-error and --budget, and whether the file keeps to it. */
  readonly limits: readonly LimitCheck[];
  readonly virtualBones?: number;
  /** Images that were encoded again. */
  readonly textures?: TextureFigures;
  /** Levels of detail beside the file, from fine to coarse. */
  readonly lods?: readonly LodFigures[];
  readonly loops: readonly { readonly clip: string; readonly frames: number }[];
  readonly seconds: { readonly read: number; readonly reduce: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

export async function reduce({ inputs, output, options }: Checked<typeof REDUCE>, job: Job): Promise<ReduceReport> {
  const { method, budget, maxError, virtual, keepBones, refitBones, masters, loops } = options;
  job.outputs.reserve(output);
  const lodFiles = lodPaths(output, options.lods ?? 0);
  for (const path of lodFiles) job.outputs.reserve(path);
  const target = options.target && TARGETS[options.target];
  const isAvatar = options.target === 'vrm' || /\.vrm$/i.test(output);
  if (isAvatar && (options.compress ?? (budget === undefined ? target?.compress : 'meshopt') ?? 'none') !== 'none') {
    const option =
      options.compress === undefined ? '--budget packs the file, which' : '--compress meshopt packs, which';
    throw new UsageError(`${option} readers of avatars do not know; leave it out`);
  }
  if (isAvatar && (options.lods !== undefined || options.textures)) {
    throw new UsageError('--lods and --textures write GLBs with extensions that readers of avatars do not know');
  }
  if (keepBones && refitBones) throw new UsageError('--keep-bones and --refit-bones exclude each other');
  const [source, read] = await timed(() => loadReduction(inputs, options, job, stageOf(job.context, 0, 0.05)));
  if (source.packsOnly) {
    requireNoReduction(source, options);
    if (target?.bones !== undefined && source.rig.bones.length > target.bones) {
      const all = source.rig.bones.length;
      job.warn(`without an animation there is nothing to judge fewer bones by: all ${all} stay, above ${target.bones}`);
    }
  }
  const packs = budget !== undefined || (source.packsOnly && !isAvatar);
  const compress = options.compress ?? (packs ? 'meshopt' : target?.compress) ?? 'none';
  if (options.for !== undefined && compress === 'none') {
    throw new UsageError('--for says how a packed file travels; add --compress meshopt');
  }
  // How far the rig itself is from the examples: not at all where there are none.
  const ownError = source.examples ? errorOf(source) : NO_ERROR;
  const limit = maxError === undefined ? undefined : new ErrorLimit(maxError, source.rig.mesh.positions, ownError.eRms);
  const choices: RigChoices = {
    method,
    weights: source.packsOnly ? ALL_WEIGHTS : (options.weights ?? target?.weights ?? REDUCE_WEIGHTS_DEFAULTS.weights),
    bones: source.packsOnly ? undefined : (options.bones ?? target?.bones),
    virtual,
    keepBones,
    refitBones,
    masters,
    loops,
    byteWeights: compress === 'meshopt',
    neverSlower: target !== undefined,
  };
  return withNumerics(job, async (run) => {
    const reducing = stageOf(run, 0.05, 0.9);
    const [found, seconds] = await timed(async () => {
      if (budget !== undefined) {
        const problem = { source, choices, kilobytes: budget, transport: options.for, seconds: options.time };
        const result = await new BudgetSearch(problem, reducing, job.warn).run();
        if (!result.fits) {
          job.warn(
            `${budget} KB are not enough: the smallest file has ${kilobytes(result.file.bytes.length)}, most of it the mesh and its images`,
          );
        }
        return result;
      }
      const smaller = smallerRig(source, choices, reducing);
      return encodeWithin(source, smaller, limit?.share, { compress, transport: options.for }, job.warn);
    });
    const { smaller } = found;
    const textures = options.textures ? await smallerTextures(found.file.bytes, target?.texels) : undefined;
    const file = { ...found.file, bytes: textures?.bytes ?? found.file.bytes };
    for (const [c, period] of smaller.periods.entries()) {
      if (period > 0) job.warn(`clip '${source.clips[c].name}' repeats after ${period} frames and is stored once`);
    }
    const reached = limit?.report(file.error.eRms);
    if (reached && limit && file.error.eRms > limit.eRms) {
      job.warn(`${reached.reached} is above the ${reached.asked} asked for; allow more weights or bones`);
    }
    if (file.bytes.length > source.bytes) {
      const cure = smaller.layers
        ? `each of the ${virtualCount(smaller.layers)} virtual bones has curves of its own; --virtual sets their number`
        : '--max-error and --compress meshopt make it smaller';
      job.warn(`the file grew from ${kilobytes(source.bytes)} to ${kilobytes(file.bytes.length)}; ${cure}`);
    }
    if (compress === 'meshopt' && smaller.changed && !source.examples) await compareWithInput(source, file, job);
    const [{ bytes, lods }, write] = await timed(async () => {
      const made = isAvatar
        ? await vrmFile(file.bytes, { title: '', resolve: undefined, onWarning: job.warn })
        : file.bytes;
      job.outputs.write(output, made);
      const packing = { compress, transport: options.for };
      return { bytes: made.length, lods: await writeLods(source, file, lodFiles, packing, job) };
    });
    const { rig } = smaller;
    return {
      input: {
        name: source.name,
        bytes: source.bytes,
        vertices: vertexCount(source.rig.mesh),
        triangles: triangleCount(source.rig.mesh),
      },
      method,
      truth: source.examples ? 'examples' : 'clips',
      before: {
        error: ownError,
        weightsPerVertex: mostWeights(source.rig.weights),
        bones: source.rig.bones.length,
        keys: keysOf(source.asset),
        bytes: source.bytes,
        flopsPerVertex: blendFlops(meanWeights(source.rig.weights)),
      },
      after: {
        error: file.error,
        weightsPerVertex: mostWeights(rig.weights),
        bones: rig.bones.length,
        keys: keysOf(file.asset),
        bytes: file.bytes.length,
        flopsPerVertex: smaller.layers ? layeredFlops(smaller.layers) : blendFlops(meanWeights(rig.weights)),
      },
      ...(reached && { limit: reached }),
      limits: limitsOf(file, limit, reached, budget),
      ...(smaller.layers && { virtualBones: virtualCount(smaller.layers) }),
      ...(lods.length > 0 && { lods }),
      ...(textures && { textures: textures.figures }),
      loops: smaller.periods.flatMap((frames, c) => (frames > 0 ? [{ clip: source.clips[c].name, frames }] : [])),
      seconds: { read, reduce: seconds, write },
      output: { file: output, bytes },
      threads: run.numerics.threads,
    };
  });
}

/** More than any file has. */
const ALL_WEIGHTS = 64;

function requireNoReduction(
  { name, asset }: ReductionSource,
  { weights, bones, method }: Checked<typeof REDUCE>['options'],
): void {
  if (weights === undefined && bones === undefined && method !== 'two-layer') return;
  const [lacks, cure] = asset.skinned
    ? ['no animation to judge fewer weights or bones by', 'give it a clip']
    : ['no skin', 'make one with pelt fit'];
  throw new UsageError(
    `'${name}' has ${lacks}; ${cure}, or leave out --method, --weights and --bones to pack it alone`,
  );
}

function limitsOf(
  { bytes, error }: EncodedRig,
  limit: ErrorLimit | undefined,
  reached: LimitReport | undefined,
  budget: number | undefined,
): LimitCheck[] {
  const size = budget !== undefined && {
    of: 'bytes' as const,
    asked: `${budget} KB`,
    reached: kilobytes(bytes.length),
    exceeded: bytes.length > 1000 * budget,
  };
  const distance = limit &&
    reached && {
      of: 'error' as const,
      asked: reached.asked,
      reached: reached.reached,
      exceeded: error.eRms > limit.eRms,
    };
  return [...(distance ? [distance] : []), ...(size ? [size] : [])];
}

/** Says where the input with all of its bones and weights would be smaller than what was made of it. */
async function compareWithInput({ name, file: { bytes, resolve } }: ReductionSource, file: EncodedRig, job: Job) {
  const packed = await compressGlb(bytes, { resolve, rounds: 1 });
  const how = `pelt convert ${name} --compress meshopt`;
  const form = { what: 'the input as it is', how, bytes: packed.bytes.length, error: packed.error };
  sayIfSmaller(form, { bytes: file.bytes.length, error: file.error.rmsePercent / 100 }, job);
}

function keysOf({ animations }: GltfAsset): number {
  return animations.reduce(
    (sum, { channels, pointerKeys = 0 }) =>
      sum + pointerKeys + channels.reduce((keys, { times }) => keys + times.length, 0),
    0,
  );
}

function errorOf(source: ReductionSource): SequenceErrors {
  const { sequence, clip } = weldedProblem(source, true);
  return linearSequenceErrors({ sequence, rig: source.rig, clip });
}

const NO_ERROR: SequenceErrors = {
  eRms: 0,
  rmsePercent: 0,
  distortionPercent: 0,
  max: 0,
  p999: 0,
  normalAngleDegrees: 0,
};
