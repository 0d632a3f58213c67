/** Extract a joint hierarchy with weights and rotations from a mesh animation. */
export { extractSkeleton, type SkeletonFit } from './extract-skeleton.ts';
export type { GivenSkeleton } from './given-skeleton.ts';
export type { JointLimits } from './joint-limits.ts';
export {
  SKELETON_DEFAULTS,
  SKELETON_METHODS,
  SKELETON_TAKEN_BY,
  type SkeletonMethod,
  type SkeletonOptions,
  type SkeletonRequest,
} from './options.ts';
export { SKELETON_PLAN, type SkeletonPlan } from './plan.ts';
