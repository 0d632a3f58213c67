/** `pelt skeleton`: joints, a hierarchy, weights and rotations from a mesh animation. */
import { skeletonFromClip, writeBvh } from '@pelt/io';
import { type Clip, type Rig, takenOf, UsageError } from '@pelt/model';
import {
  extractSkeleton,
  type JointLimits,
  SKELETON_TAKEN_BY,
  type SkeletonMethod,
  type SkeletonRequest,
} from '@pelt/skin/skeleton';
import { encodeFit } from '../fit/encode-fit.ts';
import { type FitFigures, fitToFile } from '../fit/fit-to-file.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { type EmbeddingReport, embedLike } from './embed-like.ts';
import { loadGivenSkeleton } from './given-skeleton.ts';
import type { SKELETON } from './table.ts';

export interface SkeletonReport extends FitFigures {
  readonly method: SkeletonMethod | 'given';
  readonly joints: readonly JointReport[];
}

export interface JointReport {
  readonly name: string;
  /** The parent's name; absent for the root. */
  readonly parent?: string;
  /** The bone on the other side; its own name where it is its own mirror image; only with a mirror plane. */
  readonly mirror?: string;
  /** With locked joints: how far it is from where the given skeleton has it, in model units. */
  readonly moved?: number;
  readonly limits?: JointLimits;
}

export async function skeleton(request: Checked<typeof SKELETON>, job: Job): Promise<SkeletonReport | EmbeddingReport> {
  if (request.options.like !== undefined) return embedLike(request, request.options.like, job);
  requireSense(request);
  const { output, options } = request;
  const { method, bones, clusters, weights, root, names, patches } = options;
  const symmetry = options.symmetry || undefined;
  let moved: readonly number[] | undefined;
  const { figures, fitted } = await fitToFile(request, job, {
    fit: async (sequence, run) => {
      const path = options.skeleton;
      const given = path === undefined ? undefined : await loadGivenSkeleton(path, sequence, job);
      const restStiffness = options.keepRest ? Number.POSITIVE_INFINITY : undefined;
      const common = { weights, symmetry, names, restStiffness };
      if (given) {
        const locked = options.lock && { locked: options.lock };
        const found = extractSkeleton(sequence, { ...common, given: { ...given, ...locked } }, run);
        moved = distances(given.bones, found.rig.bones);
        return found;
      }
      const wanted = { ...common, bones, clusters, root, patches };
      const taken = { method, ...takenOf(method, SKELETON_TAKEN_BY, wanted) };
      return extractSkeleton(sequence, taken as SkeletonRequest, run);
    },
    encode: async ({ rig, clip, limits, error }, loaded) => {
      if (loaded.sampledFrom.length > 0) {
        job.warn(`the animation has the ${clip.times.length} frames of the sample alone`);
      }
      const clips = loaded.split(clip);
      if (/\.bvh$/i.test(output)) {
        sayWhichClip(clips, job);
        return { bytes: writeBvh(skeletonFromClip(rig.bones, clips[0])), clips: clips.slice(0, 1) };
      }
      const boneExtras = limits.map((own) => own && { limits: own });
      const compress = options.compress === 'none' ? undefined : options.compress;
      const file = await encodeFit({ rig, clips, boneExtras }, error, loaded, { compress }, job);
      return { ...file, clips };
    },
  });
  return {
    ...figures,
    method: options.skeleton === undefined ? method : 'given',
    joints: jointReports(fitted.rig, fitted.limits, fitted.partners, options.lock && moved),
  };
}

/** How far the joints of one skeleton are from those of another. */
function distances(bones: Rig['bones'], others: Rig['bones']): number[] {
  return bones.map(({ rest }, k) => Math.hypot(...[3, 7, 11].map((at) => others[k].rest[at] - rest[at])));
}

function sayWhichClip([first, ...others]: readonly Clip[], { warn }: Job): void {
  if (others.length === 0) return;
  warn(`a BVH holds one motion: '${first.name}' of ${others.length + 1} clips; --clip chooses another`);
}

function requireSense({ output, options }: Checked<typeof SKELETON>): void {
  if (options.landmarks !== undefined) throw new UsageError('--landmarks say where joints of --like are; give both');
  if (options.lock && options.skeleton === undefined) {
    throw new UsageError('--lock says which joints of --skeleton stay; give the skeleton as well');
  }
  const clips = typeof options.clip === 'object' ? options.clip.filter((clip) => typeof clip === 'object').length : 0;
  if (/\.bvh$/i.test(output) && clips > 1) {
    throw new UsageError(`a BVH holds one motion, not ${clips} clips; write a GLB, or one clip at a time`);
  }
}

function jointReports(
  { bones }: Rig,
  limits: readonly (JointLimits | undefined)[],
  partners: readonly number[] | undefined,
  moved: readonly number[] | undefined,
): JointReport[] {
  return bones.map(({ name, parent }, k) => {
    const mirror = partners?.[k] ?? -1;
    const own = limits[k];
    return {
      name,
      ...(parent >= 0 && { parent: bones[parent].name }),
      ...(mirror >= 0 && { mirror: bones[mirror].name }),
      ...(moved && { moved: moved[k] }),
      ...(own && { limits: own }),
    };
  });
}
