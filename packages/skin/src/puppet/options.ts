/** Options of puppetry, with their defaults. */

/** Options of the 1€ filter that smooths a performer's joints. */
export interface SmoothingOptions {
  /** Largest lag of a smoothed joint, in seconds; 0 for no smoothing. */
  readonly delay: number;
  /** β of the 1€ filter: increase of the cutoff frequency with speed, in hertz per metre per second. */
  readonly speedCoefficient: number;
}

export const SMOOTHING_DEFAULTS: SmoothingOptions = { delay: 0.08, speedCoefficient: 8 };

/** Options of the springs of loose bones. */
export interface SpringOptions {
  /** Natural frequency in hertz. */
  readonly frequency: number;
  /** Damping ratio, above 0 and below 1. */
  readonly damping: number;
}

export const SPRING_DEFAULTS: SpringOptions = { frequency: 2.5, damping: 0.25 };

/** `body`: those of `BODY_JOINTS` and the tips of their bones; `all`: fingers and faces too; or a list of names. */
export type FeatureJoints = 'body' | 'all' | readonly string[];

/** What is compared of each joint. */
export type FeatureKind = 'directions' | 'positions';

/** `whole`: one projection; `body`: trunk, arms, legs; `limbs`: trunk, each arm and each leg; or joints by part. */
export type PartsOption = 'whole' | 'body' | 'limbs' | Readonly<Record<string, readonly string[]>>;

/** Options of `createPuppet`. */
export interface PuppetOptions extends SmoothingOptions {
  /**
   * What the pairs are applied to. `direct`: a direct retarget, which needs a humanoid, with the pairs as style on top;
   * `pairs`: nothing, the pairs alone; `auto`: `direct` for a humanoid whose pairs agree with it, else `pairs`.
   */
  readonly base: 'auto' | 'direct' | 'pairs';
  /**
   * How a pose is expressed by the examples. `linear`: least squares, extrapolates without limit and overfits with many
   * examples; `positive`: convex, never extrapolates; `l1`: between the two, controlled by `lambda`.
   */
  readonly projection: 'linear' | 'positive' | 'l1';
  /**
   * Penalty of extrapolation under `l1`, relative to the mean squared distance of an example from its nearest neighbour;
   * 0 is `linear`. With two examples, a negative weight is reduced by this amount.
   */
  readonly lambda: number;
  /** Ridge that separates similar examples, as a small fraction of their mean square. */
  readonly ridge: number;
  /**
   * Difference between poses of the performer that does not distinguish them, in metres for limbs of a metre: examples that
   * differ by less share their weight, instead of getting large weights of opposite signs.
   */
  readonly noise: number;
  /** `kinematic` keeps limbs rigid; `linear` blends the transforms themselves. */
  readonly interpolation: 'kinematic' | 'linear';
  /** Parts of the body that are projected independently. */
  readonly parts: PartsOption;
  /** Joints that are compared. */
  readonly joints: FeatureJoints;
  /** What is compared: directions of limbs, or positions of joints. */
  readonly features: FeatureKind;
  /** Travel of the character per travel of the performer: 1 in proportion to its height, 0 for none. */
  readonly travel: number;
  /** Whether the character turns with the performer. */
  readonly turn: boolean;
  /**
   * Bones that keep their position while they touch the ground: `auto` detects them; undefined is `auto` for a humanoid
   * that is retargeted to directly and travels, and else `none`.
   */
  readonly contacts: 'auto' | 'none' | readonly string[] | undefined;
  /** Names of bones with secondary motion; it includes their descendants. */
  readonly loose: readonly string[];
  /** Natural frequency of a loose bone in hertz. */
  readonly looseFrequency: number;
  /** Damping ratio of a loose bone, above 0 and below 1. */
  readonly looseDamping: number;
  /**
   * Whether what is known of any body (segments keep their lengths, knees bend one way, hidden limbs hang) corrects the
   * joints; undefined: where a camera saw them.
   */
  readonly prior: boolean | undefined;
  /**
   * Seconds without hips or shoulders after which the character eases to its neutral pose; undefined: it keeps its pose.
   * For live performers, who leave the picture; gaps in recordings are filled instead.
   */
  readonly restAfter: number | undefined;
}

export const PUPPET_DEFAULTS: PuppetOptions = {
  ...SMOOTHING_DEFAULTS,
  base: 'auto',
  projection: 'l1',
  lambda: 0.05,
  ridge: 1e-8,
  noise: 0.03,
  interpolation: 'kinematic',
  parts: 'whole',
  joints: 'body',
  features: 'directions',
  travel: 1,
  turn: true,
  contacts: undefined,
  loose: [],
  looseFrequency: SPRING_DEFAULTS.frequency,
  looseDamping: SPRING_DEFAULTS.damping,
  prior: undefined,
  restAfter: undefined,
};

/** Options of `retargetMotion`. */
export interface RetargetOptions {
  /** Name of the clip. */
  readonly name: string;
  /** Largest frame rate of the clip; a motion with fewer frames per second keeps its own frames. */
  readonly fps: number;
}

export const RETARGET_DEFAULTS: RetargetOptions = { name: 'performance', fps: 30 };

/** Options of `fillGaps`. */
export interface FillGapsOptions {
  /** Longest gap that is interpolated, in seconds; in a longer one the joint is held. */
  readonly longestGap: number;
}

export const FILL_GAPS_DEFAULTS: FillGapsOptions = { longestGap: 0.5 };

/** Options of `suggestNeutral`. */
export interface NeutralOptions {
  /** Largest RMS angle of trunk and legs from standing upright, in degrees, of a frame that is suggested. */
  readonly limit: number;
}

export const NEUTRAL_DEFAULTS: NeutralOptions = { limit: 20 };

/** Options of `calibratePerformer`. */
export interface CalibrationOptions {
  /** A frame in which the performer stands; undefined: the second in which the performer stands best is found. */
  readonly frame: number | undefined;
  /**
   * What the character's front corresponds to: the performer's front while `standing`; the direction of the `camera`, +Z of
   * the recording; or an angle from there to the left, in degrees.
   */
  readonly forward: 'standing' | 'camera' | number;
  /** Whether the performer was told to stand straight, so that legs which look bent are corrected. */
  readonly straight: boolean;
}

export const CALIBRATION_DEFAULTS: CalibrationOptions = { frame: undefined, forward: 'standing', straight: false };

/** Options of `cleanClip`. */
export interface CleanOptions {
  /** Width in seconds of the bell over which jitter is smoothed; 0 for none. */
  readonly jitter: number;
  /** Whether feet that stand are planted. */
  readonly feet: boolean;
  /** Whether the part that repeats best becomes a loop. */
  readonly loop: boolean;
}

export const CLEAN_DEFAULTS: CleanOptions = { jitter: 0.05, feet: true, loop: false };

/** Options of `suggestKeyPoses`. */
export interface KeyPosesOptions {
  /** Most frames to suggest; fewer where the motion has no more that differ. */
  readonly count: number;
}

export const KEY_POSES_DEFAULTS: KeyPosesOptions = { count: 8 };

/** Options of `studyProjections`. */
export interface StudyProjectionsOptions {
  /** Key poses of the motion that are taken for base poses where none are given; fewer where the motion has no more. */
  readonly count: number;
}

export const STUDY_PROJECTIONS_DEFAULTS: StudyProjectionsOptions = { count: 8 };

/** Options of `resolvePairs`. */
export interface ResolvePairsOptions {
  /** Called with joints that are dropped because a pair lacks them. */
  readonly onWarning: ((message: string) => void) | undefined;
}

export const RESOLVE_PAIRS_DEFAULTS: ResolvePairsOptions = { onWarning: undefined };
