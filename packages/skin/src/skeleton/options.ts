/** Options of the skeleton methods, and their defaults. */
import type { GivenSkeleton } from './given-skeleton.ts';
import type { RootChoice } from './root-bone.ts';

/** By the names that a command line knows them by; the first is the default. */
export const SKELETON_METHODS = ['le-deng', 'schaefer-yuksel', 'de-aguiar', 'hasler'] as const;

export type SkeletonMethod = (typeof SKELETON_METHODS)[number];

export interface SkeletonOptions {
  readonly method: SkeletonMethod;
  /** Maximum number of bones; `auto` for as many as lower the error by `worth`. */
  readonly bones: number | 'auto';
  /** Clusters to start from; `auto` derives them from `bones`. */
  readonly clusters: number | 'auto';
  /** The share by which a bone must lower the error; without a limit in `bones` it decides how many there are. */
  readonly worth: number;
  /** K, most weights a vertex. */
  readonly weights: number;
  /** Most rounds of weights, rotations and joints. */
  readonly rounds: number;
  /** Stop when a period of twelve rounds lowers the error by less than this share. */
  readonly tolerance: number;
  /** How much the input's rest pose counts, in frames; 0 lets it float, Infinity keeps it. */
  readonly restStiffness: number;
  /** The share of the error that a joint may cost for each squared radius from where its bones meet. */
  readonly jointPull: number;
  /** The root is the bone that moves this vertex most, or the one nearest to this point; else nearest to the middle. */
  readonly root: RootChoice;
  /** Bones that are mirror images get names in pairs and, where the motion allows, joints at mirrored places. */
  readonly symmetry: boolean;
  /** The skeleton to fit, instead of one to be found: `method`, `bones`, `clusters`, `worth` and `root` play no part. */
  readonly given: GivenSkeleton | undefined;
}

export const SKELETON_DEFAULTS: SkeletonOptions = {
  method: 'le-deng',
  bones: 'auto',
  clusters: 'auto',
  worth: 0.05,
  weights: 4,
  rounds: 100,
  tolerance: 0.002,
  restStiffness: 1,
  jointPull: 3,
  root: undefined,
  symmetry: false,
  given: undefined,
};
