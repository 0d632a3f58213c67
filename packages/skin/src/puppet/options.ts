/** Options of puppetry, and their defaults. */

export interface SmoothingOptions {
  /** Seconds that the smoothed joint may lag behind, at most; 0 smooths nothing. */
  readonly delay: number;
  /** How much the cutoff rises with the speed: hertz for a metre a second (of a performer of usual size). */
  readonly quickening: number;
}

export const SMOOTHING_DEFAULTS: SmoothingOptions = { delay: 0.08, quickening: 8 };

export interface SpringOptions {
  /** Swings a second. */
  readonly frequency: number;
  /** Share of critical damping, above 0 and below 1. */
  readonly damping: number;
}

export const SPRING_DEFAULTS: SpringOptions = { frequency: 2.5, damping: 0.25 };

/** `body`: those of `BODY_JOINTS` and the tips of their bones; `all`: fingers and faces too; or names. */
export type FeatureJoints = 'body' | 'all' | readonly string[];

/** What is compared of each joint. */
export type FeatureKind = 'directions' | 'positions';

/** `whole`: one projection; `body`: trunk, arms, legs; `limbs`: trunk and each arm and leg; or joints by part's name. */
export type PartsOption = 'whole' | 'body' | 'limbs' | Readonly<Record<string, readonly string[]>>;

export interface PuppetOptions extends SmoothingOptions {
  /**
   * How a pose is expressed by the registered ones. `linear`: best fit, goes beyond the examples without limit, wild
   * with many; `positive`: never beyond them; `l1`: between the two, by `lambda`.
   */
  readonly projection: 'linear' | 'positive' | 'l1';
  /**
   * What it costs to go beyond the examples under `l1`, relative to the mean squared distance of an example from the
   * nearest other; 0 is `linear`. With two examples, as much of a weight below zero is taken away.
   */
  readonly lambda: number;
  /** Share of the examples' mean square that keeps alike examples apart; small. */
  readonly ridge: number;
  /** `kinematic` keeps limbs rigid; `linear` blends the transforms themselves. */
  readonly interpolation: 'kinematic' | 'linear';
  /** Whether parts of the body are projected apart, and which. */
  readonly parts: PartsOption;
  /** Which joints are compared. */
  readonly joints: FeatureJoints;
  /** What of them: the directions of limbs, or positions. */
  readonly features: FeatureKind;
  /** How far the character goes when the performer does: 1 in proportion to its height, 0 not at all. */
  readonly travel: number;
  /** Whether the character turns with the performer. */
  readonly turn: boolean;
  /** Bones that keep their place on the ground while they touch it; `auto` finds them. */
  readonly contacts: 'none' | 'auto' | readonly string[];
  /** Bones that swing after the motion, with all below them. */
  readonly loose: readonly string[];
  /** Swings of a loose bone, a second. */
  readonly looseFrequency: number;
  /** Share of critical damping of a loose bone, above 0 and below 1. */
  readonly looseDamping: number;
}

export const PUPPET_DEFAULTS: PuppetOptions = {
  ...SMOOTHING_DEFAULTS,
  projection: 'l1',
  lambda: 0.05,
  ridge: 1e-8,
  interpolation: 'kinematic',
  parts: 'whole',
  joints: 'body',
  features: 'directions',
  travel: 1,
  turn: true,
  contacts: 'none',
  loose: [],
  looseFrequency: SPRING_DEFAULTS.frequency,
  looseDamping: SPRING_DEFAULTS.damping,
};

export interface PerformOptions {
  /** Of the clip. */
  readonly name: string;
  /** Frames a second to keep, at most; the motion's own frames are kept where it has fewer. */
  readonly framesPerSecond: number;
}

export const PERFORM_DEFAULTS: PerformOptions = { name: 'performance', framesPerSecond: 30 };

export interface FillGapsOptions {
  /** Seconds; a joint that is away for longer is held. */
  readonly longestGap: number;
}

export const FILL_GAPS_DEFAULTS: FillGapsOptions = { longestGap: 0.5 };
