/** `pelt reduce`: fewer weights, virtual bones, fewer keys, fewer bytes, judged on the surface. */
import { openNumerics } from '@pelt/math';
import {
  type Clip,
  mostWeights,
  type SequenceErrors,
  stageOf,
  TRANSFORM_SIZE,
  triangleCount,
  UsageError,
  vertexCount,
} from '@pelt/model';
import {
  deformLinear,
  deformTwoLayer,
  keyCount,
  linearSequenceErrors,
  type TwoLayerSkin,
  virtualCount,
} from '@pelt/skin';
import type { InputOptions } from '../input/load-sequence.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { type Job, timed } from '../thread/job.ts';
import type { EncodedRig } from './reduce/encode-rig.ts';
import { encodeWithin } from './reduce/encode-within.ts';
import { errorLimit } from './reduce/error-limit.ts';
import type { ReduceMethod } from './reduce/methods.ts';
import { type RigChoices, type SmallerRig, smallerRig } from './reduce/reduce-rig.ts';
import { loadReduction, type ReductionSource } from './reduce/reduction-source.ts';
import { BudgetSearch } from './reduce/search-budget.ts';
import { TARGETS, type TargetName } from './reduce/targets.ts';

/** Runs of each evaluator that is timed. */
const TIMED_RUNS = 25;

export interface ReduceRequest {
  readonly rig: string;
  readonly examples: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  readonly method: ReduceMethod;
  readonly weights: number | undefined;
  readonly bones: number | undefined;
  readonly virtual: number | undefined;
  readonly keepBones: boolean;
  readonly masters: boolean;
  readonly loops: boolean;
  /** `5%`, an E_RMS or a length. */
  readonly maxError: string | undefined;
  /** Kilobytes. */
  readonly budget: number | undefined;
  readonly compress: 'none' | 'meshopt' | undefined;
  readonly target: TargetName | undefined;
  readonly threads: number;
}

/** A rig as a file: what it costs and what it shows. */
export interface RigFigures {
  readonly error: SequenceErrors;
  readonly weightsPerVertex: number;
  readonly bones: number;
  readonly keys: number;
  readonly bytes: number;
  /** To pose the mesh once by the evaluator on the CPU. */
  readonly skinMilliseconds: number;
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
  readonly virtualBones?: number;
  readonly loops: readonly { readonly clip: string; readonly frames: number }[];
  readonly bits?: EncodedRig['compression'];
  readonly seconds: { readonly read: number; readonly reduce: number; readonly write: number };
  readonly output: { readonly file: string; readonly bytes: number };
  readonly threads: number;
}

export async function reduce(request: ReduceRequest, job: Job): Promise<ReduceReport> {
  const { output, threads } = request;
  if (!/\.glb$/i.test(output)) throw new UsageError(`'${output}' is not a .glb; a rig is written as GLB`);
  job.outputs.reserve(output);
  const target = request.target && TARGETS[request.target];
  const compress = request.compress ?? (request.budget === undefined ? target?.compress : 'meshopt') ?? 'none';
  const [source, read] = await timed(() =>
    loadReduction(request.rig, request.examples, request.input, job.warn, stageOf(job.context, 0, 0.05)),
  );
  refuseToReplace([output], source.paths);
  if (source.morphs) job.warn('the morph targets stay as they are, and are not part of the error; the bones are kept');
  const ownError = inputError(source);
  const limit =
    request.maxError === undefined ? undefined : errorLimit(request.maxError, ownError.eRms, source.rig.mesh);
  const choices: RigChoices = {
    method: request.method,
    weights: request.weights ?? target?.weights ?? 4,
    bones: request.bones ?? target?.bones,
    virtual: request.virtual,
    keepBones: request.keepBones,
    masters: request.masters,
    loops: request.loops,
    byteWeights: compress === 'meshopt',
    judge: source.fromExamples ? 'shapes' : 'weights',
  };
  const numerics = await openNumerics({ threads });
  try {
    const reducing = stageOf(job.context, 0.05, 0.9);
    const [found, seconds] = await timed(async () => {
      if (request.budget !== undefined) {
        return new BudgetSearch(source, choices, request.budget, limit, numerics, job.warn, reducing).run();
      }
      const smaller = smallerRig(source, choices, numerics, reducing);
      return encodeWithin(source, request.method, smaller, limit, compress, job.warn, job.context);
    });
    const { smaller, file } = found;
    for (const [c, period] of smaller.periods.entries()) {
      if (period > 0) job.warn(`clip '${source.clips[c].name}' repeats after ${period} frames and is stored once`);
    }
    if (limit !== undefined && file.error.eRms > limit) {
      job.warn(
        `E_RMS ${file.error.eRms.toFixed(3)} is above the ${limit.toFixed(3)} asked for; allow more weights or bones`,
      );
    }
    if (file.bytes.length > source.bytes) {
      const cure = smaller.layers
        ? `each of the ${virtualCount(smaller.layers)} virtual bones has curves of its own; --virtual sets their number`
        : '--max-error and --compress meshopt make it smaller';
      job.warn(`the file is larger than before: ${cure}`);
    }
    const [, write] = await timed(() => job.outputs.write(output, file.bytes));
    const [timeBefore, timeAfter] = fastest([posing(source), posing(source, smaller)]);
    const { rig, clips, keys } = smaller.model;
    return {
      input: {
        name: source.name,
        bytes: source.bytes,
        vertices: vertexCount(source.rig.mesh),
        triangles: triangleCount(source.rig.mesh),
      },
      method: request.method,
      truth: source.fromExamples ? 'examples' : 'clips',
      before: {
        error: ownError,
        weightsPerVertex: mostWeights(source.rig.weights),
        bones: source.rig.bones.length,
        keys: frameCountOf(source.clips) * source.rig.bones.length,
        bytes: source.bytes,
        skinMilliseconds: timeBefore,
      },
      after: {
        error: file.error,
        weightsPerVertex: rig.weights.slots,
        bones: rig.bones.length,
        keys: keys ? keys.reduce((sum, of) => sum + keyCount(of), 0) : frameCountOf(clips) * rig.bones.length,
        bytes: file.bytes.length,
        skinMilliseconds: timeAfter,
      },
      ...(smaller.layers && { virtualBones: virtualCount(smaller.layers) }),
      loops: smaller.periods.flatMap((frames, c) => (frames > 0 ? [{ clip: source.clips[c].name, frames }] : [])),
      ...(compress === 'meshopt' && { bits: file.compression }),
      seconds: { read, reduce: seconds, write },
      output: { file: output, bytes: file.bytes.length },
      threads: numerics.threads,
    };
  } finally {
    numerics.close();
  }
}

function frameCountOf(clips: readonly Clip[]): number {
  return clips.reduce((sum, { times }) => sum + times.length, 0);
}

/** How far the rig itself is from the examples: nothing where there are none. */
function inputError({ rig, clips, truths }: ReductionSource): SequenceErrors {
  const m = rig.bones.length;
  const S = frameCountOf(clips);
  const transforms = new Float64Array(S * m * TRANSFORM_SIZE);
  const frames = new Float32Array(S * rig.mesh.positions.length);
  let t = 0;
  clips.forEach((clip, c) => {
    transforms.set(clip.transforms, t * m * TRANSFORM_SIZE);
    frames.set(truths[c].frames, t * rig.mesh.positions.length);
    t += clip.times.length;
  });
  const times = Float64Array.from({ length: S }, (_, k) => k);
  const rest = truths.find((truth) => truth.rest !== rig.mesh)?.rest ?? rig.mesh;
  return linearSequenceErrors({
    sequence: { name: rig.name, rest, frames, times },
    rig,
    clip: { name: '', times, transforms },
  });
}

/** Poses the mesh once, as the rig was or as it is now. */
function posing(source: ReductionSource, smaller?: SmallerRig): () => void {
  const rig = smaller?.model.rig ?? source.rig;
  const pose = (smaller?.model.clips ?? source.clips)[0].transforms.subarray(0, rig.bones.length * TRANSFORM_SIZE);
  const out = new Float32Array(rig.mesh.positions.length);
  const layers: TwoLayerSkin | undefined = smaller?.layers;
  const masters = source.clips[0].transforms;
  const live =
    layers &&
    Math.max(...layers.masters.bones) * TRANSFORM_SIZE < masters.length &&
    layers.vertices.bones.length === 2 * (out.length / 3);
  if (!live) return () => deformLinear(rig.mesh.positions, rig.weights, pose, out);
  const virtual = new Float64Array(virtualCount(layers) * TRANSFORM_SIZE);
  return () => deformTwoLayer(rig.mesh.positions, layers, masters, virtual, out);
}

/** Milliseconds that each takes, measured in turn; the least of some runs, which other work disturbs least. */
function fastest(runs: readonly (() => void)[]): number[] {
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < TIMED_RUNS; turn++) {
    runs.forEach((run, k) => {
      const start = performance.now();
      run();
      least[k] = Math.min(least[k], performance.now() - start);
    });
  }
  return least;
}
