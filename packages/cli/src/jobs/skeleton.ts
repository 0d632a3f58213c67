/** `pelt skeleton`: joints, a hierarchy, weights and rotations from a mesh animation. */
import { skeletonFromClip, writeBvh, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import {
  type Clip,
  frameCount,
  type Rig,
  type SequenceErrors,
  stageOf,
  triangleCount,
  UsageError,
  vertexCount,
} from '@pelt/model';
import { extractSkeleton, type JointLimits, type SkeletonMethod, type SkeletonOptions } from '@pelt/skin';
import type { InputOptions } from '../input/load-sequence.ts';
import { refuseToReplace } from '../output/refuse-to-replace.ts';
import { type Job, timed } from '../thread/job.ts';
import { loadClips } from './fit-clips.ts';
import type { NamedClip } from './fit-methods.ts';
import { loadGivenSkeleton } from './given-skeleton.ts';

export interface SkeletonRequest {
  readonly files: readonly string[];
  readonly input: InputOptions;
  readonly output: string;
  readonly method: SkeletonMethod;
  /** Most bones; absent: as many as are worth it. */
  readonly bones: number | undefined;
  readonly clusters: number | undefined;
  readonly weights: number | undefined;
  /** Keep the input's rest pose to the last bit. */
  readonly keepRest: boolean;
  readonly root: SkeletonOptions['root'];
  readonly symmetry: boolean;
  /** A rig whose joints and names stay. */
  readonly skeleton: string | undefined;
  /** Several clips, of the mesh that `files` is. */
  readonly clips: readonly NamedClip[] | undefined;
  readonly seed: number;
  readonly threads: number;
}

export interface SkeletonReport {
  readonly input: {
    readonly name: string;
    readonly bytes: number;
    readonly vertices: number;
    readonly triangles: number;
    readonly frames: number;
  };
  readonly method: SkeletonMethod | 'given';
  readonly bones: number;
  readonly weightsPerVertex: number;
  readonly error: SequenceErrors;
  readonly joints: readonly JointReport[];
  readonly clips: readonly string[];
  readonly seconds: { readonly read: number; readonly fit: number; readonly write: number };
  readonly iterations: number;
  readonly output: { readonly file: string; readonly bytes: number };
  readonly seed: number;
  readonly threads: number;
}

export interface JointReport {
  readonly name: string;
  /** The parent's name; absent for the root. */
  readonly parent?: string;
  /** The bone on the other side; its own name where it is its own mirror image; only with symmetry. */
  readonly mirror?: string;
  readonly limits?: JointLimits;
}

/** Two sets of four is what engines read. */
const MOST_WEIGHTS = 8;

export async function skeleton(request: SkeletonRequest, job: Job): Promise<SkeletonReport> {
  const { output, method, seed, threads } = request;
  requireRequest(request);
  job.outputs.reserve(output);
  const [loaded, read] = await timed(() => loadClips(request, job));
  const { sequence } = loaded;
  refuseToReplace([output], loaded.paths);
  if (frameCount(sequence) < 2) {
    throw new UsageError(`'${loaded.label}' is a single pose; give at least two frames, or a rest pose and a frame`);
  }
  const given = request.skeleton ? await loadGivenSkeleton(request.skeleton, sequence, job.warn) : undefined;
  const numerics = await openNumerics({ threads });
  try {
    const { bones, clusters, weights, root, symmetry } = request;
    const restStiffness = request.keepRest ? Number.POSITIVE_INFINITY : undefined;
    const options = { method, bones, clusters, weights, root, symmetry, given, restStiffness };
    const [found, fitting] = await timed(() =>
      extractSkeleton(sequence, options, { numerics, ...stageOf(job.context, 0.05, 0.97) }),
    );
    const { rig, error } = found;
    const clips = loaded.split(found.clip);
    const [bytes, writing] = await timed(async () => {
      const file = /\.bvh$/i.test(output)
        ? writeBvh(skeletonFromClip(rig.bones, clips[0]))
        : await glbOf(rig, clips, found.limits, job.warn);
      job.outputs.write(output, file);
      return file.length;
    });
    return {
      input: {
        name: loaded.label,
        bytes: loaded.bytes,
        vertices: vertexCount(sequence.rest),
        triangles: triangleCount(sequence.rest),
        frames: frameCount(sequence),
      },
      method: given ? 'given' : method,
      bones: rig.bones.length,
      weightsPerVertex: rig.weights.slots,
      error,
      joints: jointReports(rig, found.limits, found.partners),
      clips: clips.map(({ name }) => name),
      seconds: { read, fit: fitting, write: writing },
      iterations: found.iterations,
      output: { file: output, bytes },
      seed,
      threads: numerics.threads,
    };
  } finally {
    numerics.close();
  }
}

function requireRequest({ output, weights, skeleton: given, clips, ...rest }: SkeletonRequest): void {
  if (!/\.(glb|bvh)$/i.test(output)) {
    throw new UsageError(`'${output}' is neither .glb nor .bvh; a skeleton is written as one of them`);
  }
  if (/\.bvh$/i.test(output) && clips && clips.length > 1) {
    throw new UsageError(`a BVH holds one motion, not ${clips.length} clips; write a GLB, or one clip at a time`);
  }
  if (weights !== undefined && weights > MOST_WEIGHTS) {
    throw new UsageError(`${weights} weights a vertex; engines read up to ${MOST_WEIGHTS}`);
  }
  if (given !== undefined && (rest.bones !== undefined || rest.root !== undefined || rest.clusters !== undefined)) {
    throw new UsageError('--skeleton says which bones there are; leave out --bones, --clusters and --root');
  }
}

async function glbOf(
  rig: Rig,
  clips: readonly Clip[],
  limits: readonly (JointLimits | undefined)[],
  warn: (message: string) => void,
): Promise<Uint8Array> {
  const boneExtras = limits.map((own) => own && { limits: own });
  return (await writeSkinnedGlb({ rig, clips, boneExtras }, { onWarning: warn })).bytes;
}

function jointReports(
  { bones }: Rig,
  limits: readonly (JointLimits | undefined)[],
  partners: readonly number[] | undefined,
): JointReport[] {
  return bones.map(({ name, parent }, k) => {
    const mirror = partners?.[k] ?? -1;
    const own = limits[k];
    return {
      name,
      ...(parent >= 0 && { parent: bones[parent].name }),
      ...(mirror >= 0 && { mirror: bones[mirror].name }),
      ...(own && { limits: own }),
    };
  });
}
