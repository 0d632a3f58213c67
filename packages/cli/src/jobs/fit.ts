/** `pelt fit`: bones, weights and baked animation from a mesh animation. */
import { writeSkinnedGlb } from '@pelt/io';
import { enclosingBall, openNumerics } from '@pelt/math';
import {
  frameCount,
  type SequenceErrors,
  stageOf,
  triangleCount,
  UsageError,
  unweldRig,
  vertexCount,
  weldSequence,
} from '@pelt/model';
import { decompose, linearSequenceErrors } from '@pelt/skin';
import { type InputOptions, loadSequence } from '../input/load-sequence.ts';
import { sourceOf } from '../input/source-files.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { type Job, timed } from '../thread/job.ts';
import type { ErrorLimit, FitMethod, Lockable } from './fit-methods.ts';
import { loadLockedRig } from './locked-rig.ts';

export interface FitRequest {
  readonly files: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  readonly method: FitMethod;
  /** How many bones; where `maxError` is given, at most so many. */
  readonly bones: number | 'auto' | undefined;
  /** What to reach with as few bones as it takes. */
  readonly maxError: ErrorLimit | undefined;
  readonly weights: number | undefined;
  readonly smooth: number | undefined;
  /** Keep the input's rest pose to the last bit. */
  readonly keepRest: boolean;
  readonly lock: { readonly part: Lockable; readonly rig: string } | undefined;
  readonly seed: number;
  readonly threads: number;
}

export interface FitReport {
  readonly input: {
    readonly name: string;
    readonly bytes: number;
    readonly vertices: number;
    readonly triangles: number;
    readonly frames: number;
  };
  readonly method: FitMethod;
  readonly bones: number;
  readonly weightsPerVertex: number;
  readonly error: SequenceErrors;
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly iterations: number;
  readonly output: { readonly file: string; readonly bytes: number };
  readonly seed: number;
  readonly threads: number;
}

/** Two sets of four: what a glTF skin holds in practice. */
const MOST_WEIGHTS = 8;

export async function fit(request: FitRequest, job: Job): Promise<FitReport> {
  const { input, output, method, seed, threads } = request;
  if (!/\.glb$/i.test(output)) throw new UsageError(`'${output}' is not a .glb; a skinned animation is written as GLB`);
  if (request.weights !== undefined && request.weights > MOST_WEIGHTS) {
    throw new UsageError(`${request.weights} weights a vertex; engines take up to ${MOST_WEIGHTS}`);
  }
  job.outputs.reserve(output);
  const source = sourceOf(request.files, input.rest);
  const [loaded, read] = await timed(() => loadSequence(source, input, job.warn, stageOf(job.context, 0, 0.05)));
  const { sequence } = loaded;
  refuseToReplace([output], loaded.paths);
  if (frameCount(sequence) < 2) {
    throw new UsageError(`'${loaded.label}' is a single pose; give at least two frames, or a rest pose and a frame`);
  }
  const weld = weldSequence(sequence);
  const numerics = await openNumerics({ threads });
  try {
    const { bones, weights, smooth, lock } = request;
    const locked = lock && (await loadLockedRig(lock.part, lock.rig, sequence, weld, job.warn));
    const maxError = request.maxError && eRmsOf(request.maxError, sequence.rest.positions);
    const restStiffness = request.keepRest ? Number.POSITIVE_INFINITY : undefined;
    const options = { method, bones, maxError, weights, smooth, locked, restStiffness };
    const [fitted, fitting] = await timed(() =>
      decompose(weld.sequence, options, numerics, stageOf(job.context, 0.05, 0.97)),
    );
    const rig = unweldRig(fitted.rig, weld.map, sequence.rest);
    // As a viewer of the file will see it: every vertex of the file counts, also the copies on seams.
    const error = linearSequenceErrors(sequence, rig, fitted.clip);
    const [bytes, writing] = await timed(async () => {
      // An affine bone is exact as a pair of joints; one joint with TRS would lose its shear.
      const affine = method === 'affine' ? 'pair' : 'trs';
      const glb = await writeSkinnedGlb({ rig, clips: [fitted.clip] }, { affine, onWarning: job.warn });
      job.outputs.write(output, glb.bytes);
      return glb.bytes.length;
    });
    return {
      input: {
        name: loaded.label,
        bytes: loaded.bytes,
        vertices: vertexCount(sequence.rest),
        triangles: triangleCount(sequence.rest),
        frames: frameCount(sequence),
      },
      method,
      bones: rig.bones.length,
      weightsPerVertex: rig.weights.slots,
      error,
      seconds: { read, fit: fitting, write: writing },
      iterations: fitted.iterations,
      output: { file: output, bytes },
      seed,
      threads: numerics.threads,
    };
  } finally {
    numerics.close();
  }
}

/** E_RMS is the root mean square of coordinates, in thousandths of the rest pose's radius; a length that of distances. */
function eRmsOf({ value, unit }: ErrorLimit, rest: Float32Array): number {
  if (unit === undefined) return value;
  return (1000 * value * unit) / (Math.sqrt(3) * enclosingBall(rest).radius);
}
