import { type Pose, validatePose } from './clip.ts';
import { InputError } from './errors.ts';
import type { JointPose } from './joint-pose.ts';
import { requireFinite, requireLength } from './require.ts';

/** A pose of the performer and the pose that the character shall take with it. */
export interface PosePair {
  readonly name: string;
  /** J × 3, the performer's joints, in the axes and any unit of a Motion */
  readonly performer: Float32Array;
  readonly character: PairedPose;
}

/** A pose of the character's joints; of one without a skeleton with the numbers that it has in its pose space. */
export interface PairedPose extends Pose {
  /** As many in every pair; `createPoseSpace` of @pelt/skin/pose knows what they mean. */
  readonly shape?: Float64Array;
}

/** What a puppet is learnt from. */
export interface Registration {
  readonly name: string;
  /** J names of the performer's joints that every pair has */
  readonly joints: readonly string[];
  /** The pair from which the others depart: standing, doing nothing. */
  readonly neutral: number;
  readonly pairs: readonly PosePair[];
}

/** A moment of a recording, or joints as they are. */
export type PerformerSource =
  | {
      /** A key of the document's `motions`; absent: the motion that is being played. */
      readonly motion?: string;
      /** Seconds. */
      readonly time: number;
    }
  | { readonly joints: Readonly<Record<string, readonly [number, number, number]>> };

/** A pose in the space that a character's examples span; `rest` is an example as well. */
export type ShapeSource =
  | {
      /** Name of an example: a sculpt, a morph target. */
      readonly example: string;
    }
  | {
      /** Weights of examples by name; what is left to 1 is the rest pose. */
      readonly blend: Readonly<Record<string, number>>;
    }
  | {
      /** Where vertices, by number, are dragged to; the rest follows as the examples suggest. */
      readonly handles: Readonly<Record<string, readonly [number, number, number]>>;
    };

/**
 * A moment of one of the character's clips; bones posed by hand, where none is the rest pose; the pose in full; or a shape
 * that its examples make.
 */
export type CharacterSource =
  | {
      readonly clip: string;
      /** Seconds. */
      readonly time: number;
      /** Keep where the clip has travelled and turned to; else the pose is taken in place. */
      readonly keepTravel?: boolean;
    }
  | { readonly bones: JointPose }
  | {
      /** For every bone, by name, 12 numbers: row-major 3 × 4, rest → pose. */
      readonly transforms: Readonly<Record<string, readonly number[]>>;
    }
  | ShapeSource;

/** How a puppet plays its pairs, as it is saved with them; what is absent is as usual. `PuppetOptions` says more. */
export interface PuppetSettings {
  readonly base?: 'auto' | 'direct' | 'pairs';
  readonly projection?: 'linear' | 'positive' | 'l1';
  readonly lambda?: number;
  readonly noise?: number;
  readonly interpolation?: 'kinematic' | 'linear';
  readonly parts?: 'whole' | 'body' | 'limbs';
  readonly features?: 'directions' | 'positions';
  readonly delay?: number;
  readonly travel?: number;
  readonly turn?: boolean;
  readonly contacts?: 'auto' | 'none' | readonly string[];
  readonly loose?: readonly string[];
}

/** A puppet in one piece: what it was learnt from, and how it plays. */
export interface SavedPuppet {
  readonly pairs: Registration;
  readonly settings: PuppetSettings;
}

/** A registration as it is saved: pairs by reference or in full. */
export interface PairsDocument {
  readonly name: string;
  /** Name of the neutral pair. */
  readonly neutral: string;
  /** Files of recordings, relative to the document. */
  readonly motions: Readonly<Record<string, string>>;
  readonly pairs: readonly {
    readonly name: string;
    readonly performer: PerformerSource;
    readonly character: CharacterSource;
  }[];
}

/**
 * Throws `InputError` unless there are pairs with unique names, finite joint positions and poses of `bones` bones.
 * @example
 * {@includeCode ../examples/registration.ts}
 */
export function validateRegistration(registration: Registration, bones: number): void {
  const what = registration.name ? `registration '${registration.name}'` : 'registration';
  const { joints, pairs, neutral } = registration;
  if (pairs.length === 0) throw new InputError(`${what}: no pairs`);
  if (joints.length === 0) throw new InputError(`${what}: no joints that all pairs have`);
  if (!(Number.isInteger(neutral) && neutral >= 0 && neutral < pairs.length)) {
    throw new InputError(`${what}: the neutral pair is ${neutral}, there are ${pairs.length}`);
  }
  const names = new Set<string>();
  for (const pair of pairs) {
    if (names.has(pair.name)) throw new InputError(`${what}: two pairs are called '${pair.name}'`);
    names.add(pair.name);
    requireLength(`${what}: performer of '${pair.name}'`, pair.performer, joints.length * 3);
    requireFinite(`${what}: performer of '${pair.name}'`, pair.performer, 3);
    validatePose(pair.character, bones);
    const { shape } = pair.character;
    const length = pairs[0].character.shape?.length;
    if (shape?.length !== length) {
      throw new InputError(
        `${what}: '${pair.name}' has ${shape?.length ?? 0} numbers of a shape, '${pairs[0].name}' has ${length ?? 0}`,
      );
    }
    if (shape) requireFinite(`${what}: shape of '${pair.name}'`, shape);
  }
}
