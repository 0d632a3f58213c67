/** `pelt fit`: bones, weights and baked animation from a mesh animation. */
import { writeSkinnedGlb } from '@pelt/io';
import { enclosingBall, openNumerics } from '@pelt/math';
import {
  type Clip,
  frameCount,
  type SequenceErrors,
  stageOf,
  triangleCount,
  UsageError,
  vertexCount,
  weldSequence,
} from '@pelt/model';
import { decompose, eigenSkin, type RootMotion, splitRootMotion } from '@pelt/skin';
import type { InputOptions } from '../input/load-sequence.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { type Job, timed } from '../thread/job.ts';
import { loadClips } from './fit-clips.ts';
import type { ErrorLimit, FitMethod, Lockable, NamedClip } from './fit-methods.ts';
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
  /** Displacements to add as morph targets. */
  readonly eigenskin: number | undefined;
  readonly rootMotion: RootMotion | undefined;
  /** Several clips, of the mesh that `files` is. */
  readonly clips: readonly NamedClip[] | undefined;
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
  readonly error: SequenceErrors & { readonly eigenskin?: SequenceErrors };
  readonly clips: readonly string[];
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly iterations: number;
  readonly output: { readonly file: string; readonly bytes: number };
  readonly seed: number;
  readonly threads: number;
}

/** Four sets of four is what the writer holds; two sets of four is what engines read. */
const MOST_WEIGHTS = 16;
const MOST_PLAYED = 8;

export async function fit(request: FitRequest, job: Job): Promise<FitReport> {
  const { output, method, seed, threads } = request;
  if (!/\.glb$/i.test(output)) throw new UsageError(`'${output}' is not a .glb; a skinned animation is written as GLB`);
  if (request.weights !== undefined && request.weights > MOST_WEIGHTS) {
    throw new UsageError(`${request.weights} weights a vertex; a file holds up to ${MOST_WEIGHTS}`);
  }
  if (request.weights !== undefined && request.weights > MOST_PLAYED) {
    job.warn(`engines read up to ${MOST_PLAYED} weights a vertex; ${request.weights} are for comparison`);
  }
  job.outputs.reserve(output);
  const [loaded, read] = await timed(() => loadClips(request, job));
  const { sequence } = loaded;
  refuseToReplace([output], loaded.paths);
  if (frameCount(sequence) < 2) {
    throw new UsageError(`'${loaded.label}' is a single pose; give at least two frames, or a rest pose and a frame`);
  }
  const numerics = await openNumerics({ threads });
  try {
    const { bones, weights, smooth, lock } = request;
    const locked = lock && (await loadLockedRig(lock.part, lock.rig, sequence, job.warn));
    const maxError = request.maxError && eRmsOf(request.maxError, sequence.rest.positions);
    const restStiffness = request.keepRest ? Number.POSITIVE_INFINITY : undefined;
    const options = { method, bones, maxError, weights, smooth, locked, restStiffness };
    const [fitted, fitting] = await timed(() =>
      decompose(sequence, options, { numerics, ...stageOf(job.context, 0.05, 0.97) }),
    );
    if (typeof bones === 'number' && maxError === undefined && fitted.rig.bones.length < bones) {
      job.warn(fewerBones(bones, fitted.rig.bones.length, vertexCount(weldSequence(sequence).sequence.rest)));
    }
    const played = { sequence, rig: fitted.rig, clip: fitted.clip };
    const skin = request.eigenskin
      ? eigenSkin(played, { rank: request.eigenskin }, { numerics, ...stageOf(job.context, 0.97, 0.99) })
      : undefined;
    const error = { ...fitted.error, ...(skin ? { eigenskin: skin.error } : {}) };
    const { rig, clip } = request.rootMotion ? splitRootMotion(played, { motion: request.rootMotion }) : played;
    const clips = loaded.split(clip);
    const morphs = skin && { deltas: skin.deltas, weights: cutAmounts(skin.amounts, clips, skin.deltas.length) };
    const [bytes, writing] = await timed(async () => {
      // An affine bone is exact as a pair of joints; one joint with TRS would lose its shear.
      const affine = method === 'affine' ? 'pair' : 'trs';
      const glb = await writeSkinnedGlb({ rig, clips, morphs }, { affine, onWarning: job.warn });
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
      bones: fitted.rig.bones.length,
      clips: clips.map(({ name }) => name),
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

function fewerBones(wanted: number, made: number, vertices: number): string {
  const reason =
    made === vertices ? `the mesh has ${vertices} vertices` : 'no more parts of the mesh move on their own';
  return `${made} of the ${wanted} bones asked for: ${reason}`;
}

/** E_RMS is the root mean square of coordinates, in thousandths of the rest pose's radius; a length that of distances. */
function eRmsOf({ value, unit }: ErrorLimit, rest: Float32Array): number {
  if (unit === undefined) return value;
  return (1000 * value * unit) / (Math.sqrt(3) * enclosingBall(rest).radius);
}

/** S × R amounts of all frames, cut into those of each clip. */
function cutAmounts(amounts: Float32Array, clips: readonly Clip[], R: number): Float32Array[] {
  let from = 0;
  return clips.map(({ times }) => {
    const own = amounts.slice(from * R, (from + times.length) * R);
    from += times.length;
    return own;
  });
}
