/** Options of the decomposition, and their defaults. */
import type { LockedRig } from './locked-fit.ts';

export interface RoundOptions {
  /** Most rounds of weights and bones. */
  readonly rounds: number;
  /** Stop when two periods of eight rounds have each lowered the least error so far by less than this share. */
  readonly tolerance: number;
  /** How much the input's rest pose counts, in frames; 0 lets it float, Infinity keeps it. */
  readonly restStiffness: number;
  /**
   * How much smooth weights are worth; 0 for none. At 1 a weight that differs by one from its neighbours' mean costs as
   * much as an error of a tenth of the model's radius in every frame.
   */
  readonly smooth: number;
}

export const ROUND_DEFAULTS: RoundOptions = { rounds: 120, tolerance: 0.004, restStiffness: 1, smooth: 0 };

/** What the bones may be. */
export type BoneKind = 'rigid' | 'affine';

/**
 * `ssdr`: rigid bones in rounds. `affine`: the same with affine ones (FSD). For comparison: `sma`, bones of parts that
 * turn alike, found by mean shift, and weights solved once; `lssp`, spectral clusters and ten rounds with an ℓ₁ penalty.
 */
export type DecomposeMethod = 'ssdr' | 'affine' | 'sma' | 'lssp';

export interface DecomposeOptions extends RoundOptions {
  readonly method: DecomposeMethod;
  /**
   * Number of bones (fewer where the mesh has fewer vertices, one where it moves as a whole), or the knee of the error's
   * curve.
   */
  readonly bones: number | 'auto';
  /** E_RMS to reach with as few bones as possible, `bones` being the maximum; undefined for none. */
  readonly maxError: number | undefined;
  /** K, most weights a vertex. */
  readonly weights: number;
  /** Parts of a rig that stay as they are; undefined for none. */
  readonly locked: LockedRig | undefined;
}

export const DECOMPOSE_DEFAULTS: DecomposeOptions = {
  method: 'ssdr',
  bones: 20,
  maxError: undefined,
  weights: 4,
  locked: undefined,
  ...ROUND_DEFAULTS,
};

/** Bones that a search for an error may use where the caller gives no number. */
export const MOST_BONES = 256;

export interface EigenSkinOptions {
  /** R, how many displacements; no more than there are frames are made. */
  readonly rank: number;
}

export const EIGENSKIN_DEFAULTS: EigenSkinOptions = { rank: 5 };

/** `full`: all of the rigid motion. `ground`: translation along the ground plane (y is up) and heading. */
export type RootMotion = 'full' | 'ground';

export interface RootMotionOptions {
  readonly motion: RootMotion;
}

export const ROOT_MOTION_DEFAULTS: RootMotionOptions = { motion: 'full' };
