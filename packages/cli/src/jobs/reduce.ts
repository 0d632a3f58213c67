/** `pelt reduce`: fewer weights, virtual bones, fewer keys, fewer bytes, judged on the surface. */
import { openNumerics } from '@pelt/math';
import { type SequenceErrors, stageOf, TRANSFORM_SIZE, triangleCount, UsageError, vertexCount } from '@pelt/model';
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
  const before = figures(source);
  const limit =
    request.maxError === undefined ? undefined : errorLimit(request.maxError, before.error.eRms, source.rig.mesh);
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
    const [, write] = await timed(() => job.outputs.write(output, file.bytes));
    return {
      input: {
        name: source.name,
        bytes: source.bytes,
        vertices: vertexCount(source.rig.mesh),
        triangles: triangleCount(source.rig.mesh),
      },
      method: request.method,
      truth: source.fromExamples ? 'examples' : 'clips',
      before,
      after: figures(source, smaller, file),
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

function figures(source: ReductionSource, smaller?: SmallerRig, file?: EncodedRig): RigFigures {
  const { rig, clips, keys } = smaller?.model ?? { rig: source.rig, clips: source.clips, keys: undefined };
  const counted = keys
    ? keys.reduce((sum, of) => sum + keyCount(of), 0)
    : clips.reduce((sum, clip) => sum + clip.times.length, 0) * rig.bones.length;
  return {
    error: file?.error ?? inputError(source),
    weightsPerVertex: smaller ? rig.weights.slots : mostUsed(rig.weights.weights, rig.weights.slots),
    bones: rig.bones.length,
    keys: counted,
    bytes: file?.bytes.length ?? source.bytes,
    skinMilliseconds: skinTime(source, smaller),
  };
}

/** How far the rig itself is from the examples: nothing where there are none. */
function inputError({ rig, clips, truths }: ReductionSource): SequenceErrors {
  const m = rig.bones.length;
  const S = clips.reduce((sum, { times }) => sum + times.length, 0);
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
  return linearSequenceErrors({ name: rig.name, rest, frames, times }, rig, { name: '', times, transforms });
}

function mostUsed(weights: Float32Array, slots: number): number {
  let most = 1;
  for (let row = 0; row < weights.length; row += slots) {
    let used = 0;
    for (let k = row; k < row + slots; k++) if (weights[k] > 0) used++;
    most = Math.max(most, used);
  }
  return most;
}

/** Median over some runs of posing the mesh once. */
function skinTime(source: ReductionSource, smaller: SmallerRig | undefined): number {
  const rig = smaller?.model.rig ?? source.rig;
  const pose = (smaller?.model.clips ?? source.clips)[0].transforms.subarray(0, rig.bones.length * TRANSFORM_SIZE);
  const out = new Float32Array(rig.mesh.positions.length);
  const layers: TwoLayerSkin | undefined = smaller?.layers;
  const masters = source.clips[0].transforms;
  const virtual = new Float64Array(layers ? virtualCount(layers) * TRANSFORM_SIZE : 0);
  const live =
    layers &&
    Math.max(...layers.masters.bones) * TRANSFORM_SIZE < masters.length &&
    layers.vertices.bones.length === 2 * (out.length / 3);
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    if (layers && live) deformTwoLayer(rig.mesh.positions, layers, masters, virtual, out);
    else deformLinear(rig.mesh.positions, rig.weights, pose, out);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[4];
}
