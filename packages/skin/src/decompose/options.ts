/** Options of the decomposition methods, with their defaults. */
import type { OptionsByMethod, TakenBy } from '@pelt/model';
import type { RestPose } from '../shared/rest-pose.ts';
import type { BoneKind } from '../shared/search/loose-bones.ts';
import type { LockedRig } from './locked-fit.ts';
import type { PaintedRig } from './painted-fit.ts';
import type { FitPlan } from './plan.ts';

export type { BoneKind, RestPose };

/** Options of block coordinate descent over weights, bones and rest pose. */
export interface RoundOptions {
  /** Maximum number of rounds, each of which solves the weights and the bones once. */
  readonly rounds: number;
  /** Stop when two consecutive periods of eight rounds each lower the best error by less than this fraction. */
  readonly tolerance: number;
  /**
   * `keep`: the input's rest pose exactly. `near`: moved to lower the error, by no more than the RMS error of the frames.
   * `free`: as far as it lowers the error, the input counting as one more frame.
   */
  readonly restPose: RestPose;
  /**
   * Strength of the regulariser for smooth weights; 0 for none. At 1, a weight that differs by one from the mean of its
   * neighbours costs as much as an error of a tenth of the model's radius in every frame.
   */
  readonly smooth: number;
  /**
   * Price of a weight of 0.01 or more that is not connected to the main region of its bone, in mean squared errors of a
   * vertex; 0 for none. The default removes most of such islands for 1 to 2 % of error.
   */
  readonly islandPrice: number;
}

export const ROUND_DEFAULTS: RoundOptions = {
  rounds: 120,
  tolerance: 0.004,
  restPose: 'near',
  smooth: 0,
  islandPrice: 0.2,
};

/**
 * `ssdr`: rigid bones by block coordinate descent (smooth skinning decomposition with rigid bones). `affine`: the same
 * with affine bones (FSD). For comparison: `sma`, mean shift on triangle rotations, with weights solved once (skinning
 * mesh animations); `lssp`, spectral clustering and fifteen rounds with an ℓ₁ penalty (learning skeletons for shape and
 * pose).
 */
export type DecomposeMethod = 'ssdr' | 'affine' | 'sma' | 'lssp';

/**
 * How the bones of `ssdr` and `affine` begin. `clusters`: vertices that move alike, on a sample of the mesh, from which
 * bones then move to where they are of more use. `regions`: connected regions grown from even seeds, as published for FSD,
 * and one descent on the whole mesh, for comparison.
 */
export type FitStart = 'clusters' | 'regions';

/** Options of `decompose`. */
export interface DecomposeOptions extends RoundOptions {
  readonly method: DecomposeMethod;
  /**
   * Number of bones; `auto` picks the knee of the error curve. Fewer are returned where the mesh has fewer vertices or
   * moves rigidly as a whole.
   */
  readonly bones: number | 'auto';
  /** E_RMS to reach with as few bones as possible, `bones` being the maximum; undefined for none. */
  readonly maxError: number | undefined;
  /** K, maximum weights per vertex. */
  readonly weights: number;
  /** How bones begin; `regions` needs a number of them. */
  readonly start: FitStart;
  /** Of `sma`: whether its bones may stretch and shear. */
  readonly smaBones: BoneKind;
  /**
   * Of `sma`: root mean square angle, in degrees, between triangles of one part, which determines the number of parts;
   * `bones` is then the maximum. `auto` derives it from `bones`.
   */
  readonly bandwidth: number | 'auto';
  /** Bones or weights of a rig to keep; undefined for none. */
  readonly locked: LockedRig | undefined;
  /** A rig to begin with, and which of its weights stay or are not allowed; it decides `bones`. Undefined for none. */
  readonly painted: PaintedRig | undefined;
  /** Numbers of the search that differ from `FIT_PLAN`, for tests and measurements. */
  readonly search: Partial<FitPlan>;
}

export const DECOMPOSE_DEFAULTS: DecomposeOptions = {
  method: 'ssdr',
  bones: 20,
  maxError: undefined,
  weights: 4,
  start: 'clusters',
  smaBones: 'rigid',
  bandwidth: 'auto',
  locked: undefined,
  painted: undefined,
  search: {},
  ...ROUND_DEFAULTS,
};

const DESCENDING = ['ssdr', 'affine'] as const;

/** Which methods take an option; `bones`, `weights` and `method` are for all. */
export const DECOMPOSE_TAKEN_BY = {
  maxError: DESCENDING,
  start: DESCENDING,
  locked: DESCENDING,
  painted: DESCENDING,
  rounds: DESCENDING,
  tolerance: DESCENDING,
  restPose: DESCENDING,
  smooth: DESCENDING,
  islandPrice: DESCENDING,
  search: DESCENDING,
  smaBones: ['sma'],
  bandwidth: ['sma'],
} as const satisfies TakenBy<DecomposeOptions, DecomposeMethod>;

/** What `decompose` is given: the options of its method, and no others. */
export type DecomposeRequest = OptionsByMethod<DecomposeOptions, typeof DECOMPOSE_TAKEN_BY, 'ssdr'>;

/** How a mesh that is larger than memory is sampled (`findBones`) and cut (`solveChunks`). */
export interface ChunkOptions {
  /** Vertices of the sample that gives the bones. */
  readonly sampleVertices: number;
  /** Vertices of a chunk, without its halo; the result does not depend on it. `auto` takes some 400 MB. */
  readonly chunk: number | 'auto';
}

export const CHUNK_DEFAULTS: ChunkOptions = { sampleVertices: 30_000, chunk: 'auto' };

/** Maximum number of bones for a search by `maxError` when the caller gives none. */
export const MOST_BONES = 256;

/** Options of `eigenSkin`. */
export interface EigenSkinOptions {
  /** R, number of displacement fields; at most the number of frames. */
  readonly rank: number;
}

export const EIGENSKIN_DEFAULTS: EigenSkinOptions = { rank: 5 };

/** `full`: all of the rigid motion. `ground`: translation along the ground plane (y is up) and heading. */
export type RootMotion = 'full' | 'ground';

/** Options of `splitRootMotion`. */
export interface RootMotionOptions {
  readonly motion: RootMotion;
}

export const ROOT_MOTION_DEFAULTS: RootMotionOptions = { motion: 'full' };
