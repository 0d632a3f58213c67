/** Options of the skeleton methods, with their defaults. */
import type { OptionsByMethod, TakenBy } from '@pelt/model';
import type { NameStyle } from './body-names.ts';
import type { GivenSkeleton } from './given-skeleton.ts';
import type { SkeletonPlan } from './plan.ts';
import type { RootChoice } from './root-bone.ts';

export { NAME_STYLES, type NameStyle } from './body-names.ts';

/** Names of the methods, as on the command line; the first is the default. */
export const SKELETON_METHODS = ['strict', 'le-deng', 'schaefer-yuksel', 'de-aguiar', 'hasler'] as const;

export type SkeletonMethod = (typeof SKELETON_METHODS)[number];

/** Patches of the seeds of `de-aguiar`; the first is the default. */
export const SEED_PATCHES = ['curvature', 'geodesic'] as const;

export type SeedPatches = (typeof SEED_PATCHES)[number];

/** Options of `extractSkeleton`. */
export interface SkeletonOptions {
  readonly method: SkeletonMethod;
  /** Maximum number of bones; `auto` for as many as lower the error by `worth`. */
  readonly bones: number | 'auto';
  /** Clusters to start from; `auto` derives them from `bones`. */
  readonly clusters: number | 'auto';
  /** With `de-aguiar`: whether the patch of a seed ends where the surface is curved, or half-way to the next. */
  readonly patches: SeedPatches;
  /** Fraction by which a bone must lower the error; if `bones` is `auto` it determines their number. */
  readonly worth: number;
  /** K, maximum weights per vertex. */
  readonly weights: number;
  /** Maximum number of rounds of weights, rotations and joints. */
  readonly rounds: number;
  /** Stop when a period of twelve rounds lowers the error by less than this fraction. */
  readonly tolerance: number;
  /** Weight of the input's rest pose, counted in frames; 0 lets it float, Infinity fixes it. */
  readonly restStiffness: number;
  /** Strength of the pull of a joint towards where its bones meet: cost per squared radius, relative to the error. */
  readonly jointPull: number;
  /** The root is the bone that moves this vertex most, or the one nearest to this point; undefined for the median. */
  readonly root: RootChoice;
  /**
   * Whether mirrored bones get paired names and, where the motion allows, mirrored joints; `auto` where the rest pose is
   * symmetric and the number of bones is not given. With true, a rest pose that is not symmetric is an error.
   */
  readonly symmetry: boolean | 'auto';
  /** Convention of the names of a person's bones; creatures have names of their body plan, others by place. */
  readonly names: NameStyle;
  /** An existing skeleton to fit instead; `method`, `bones`, `clusters`, `patches`, `worth` and `root` are then refused. */
  readonly given: GivenSkeleton | undefined;
  /** Numbers of the search that differ from `SKELETON_PLAN`, for tests and measurements. */
  readonly search: Partial<SkeletonPlan>;
}

/** Options whose plan is whole. */
export type PlannedOptions = Omit<SkeletonOptions, 'search'> & { readonly search: SkeletonPlan };

const REFINING = ['strict', 'le-deng'] as const;

/** Which methods take an option; those that are not listed are for all. */
export const SKELETON_TAKEN_BY = {
  clusters: REFINING,
  rounds: REFINING,
  restStiffness: REFINING,
  search: REFINING,
  worth: ['strict'],
  tolerance: ['strict'],
  jointPull: ['strict'],
  patches: ['de-aguiar'],
} as const satisfies TakenBy<SkeletonOptions, SkeletonMethod>;

/** What `extractSkeleton` is given: the options of its method, and no others. */
export type SkeletonRequest = OptionsByMethod<SkeletonOptions, typeof SKELETON_TAKEN_BY, 'strict'>;

/** Options that an existing skeleton leaves nothing to decide of. */
export const GIVEN_DECIDES = ['method', 'bones', 'clusters', 'patches', 'worth', 'root'] as const;

export const SKELETON_DEFAULTS: SkeletonOptions = {
  method: 'strict',
  bones: 'auto',
  clusters: 'auto',
  patches: 'curvature',
  worth: 0.02,
  weights: 4,
  rounds: 100,
  tolerance: 0.002,
  restStiffness: 1,
  jointPull: 3,
  root: undefined,
  symmetry: 'auto',
  names: 'plain',
  given: undefined,
  search: {},
};
