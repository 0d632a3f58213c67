/** Chooses how a puppet's character is posed: by pairs, directly, or directly with the style of pairs. */
import { type Capsules, InputError, type Motion, type Registration, type Rig, UsageError } from '@pelt/model';
import type { PuppetOptions } from '../options.ts';
import { BodyFrame, USUAL_STATURE } from './body-frame.ts';
import type { CharacterShape } from './character-shape.ts';
import { ExamplePose } from './example-pose.ts';
import { Corrections } from './humanoid/corrections.ts';
import { type Humanoid, recogniseHumanoid } from './humanoid/humanoid.ts';
import { HumanoidPose } from './humanoid/humanoid-pose.ts';
import { StyledPose, styleOf } from './humanoid/styled-pose.ts';
import { JointFilter } from './one-euro.ts';
import type { PerformerCalibration } from './performer/calibrate-performer.ts';
import type { PoseSource } from './pose-source.ts';
import { ShapePose } from './shape-pose.ts';
import type { ShapeSpace } from './shape-space.ts';
import { Travel } from './travel.ts';
import type { GroundHeight } from './uneven-ground.ts';

/** What a puppet is made of. */
export interface PuppetData {
  /** The character, m bones. */
  readonly character: Rig;
  /** Bones by the human bones of VRM (`leftUpperLeg`), where a file says which they are. */
  readonly humanBones?: Readonly<Record<string, number>> | undefined;
  /** N pairs of a pose of the performer and a pose of the character; absent: the character must be a humanoid. */
  readonly pairs?: Registration | undefined;
  /**
   * Of a character without a skeleton: the pose space in which the pairs have their shapes. Poses are then blends of
   * examples, inside of their hull unless another projection is given.
   */
  readonly space?: ShapeSpace | undefined;
  /** Names of the J joints that `update` gets, in order. */
  readonly performer: readonly string[];
  /**
   * J × 3: the performer standing upright, feet flat on the ground, for a humanoid; absent: usual proportions. See
   * `suggestNeutral`.
   */
  readonly neutral?: Float32Array | Float64Array | undefined;
  /** How the performer stands, which replaces `neutral` and says what is up and forward; see `calibratePerformer`. */
  readonly calibration?: PerformerCalibration | undefined;
  /** Capsules of the character's body, which then does not pass through itself; for a humanoid. See `fitCapsules`. */
  readonly capsules?: Capsules | undefined;
  /** Height of the ground above the level one, on which feet that can be planted stand; absent: level. */
  readonly ground?: GroundHeight | undefined;
  /** The camera that sees the performer, from +Z; see `Motion`. */
  readonly camera?: Motion['camera'] | undefined;
  /**
   * The performer's heading in radians, from +Z to the left, that corresponds to the character's front; absent: 0 with a
   * calibration, else that of the first frame.
   */
  readonly facing?: number | undefined;
}

export interface MadePoseSource {
  readonly source: PoseSource;
  /** Undefined where the character is posed by pairs alone. */
  readonly humanoid: Humanoid | undefined;
}

/**
 * @param joints  names of the joints that are used: those of the performer, or that pairs and performer share
 * @param frame   frame of these joints
 */
export function makePoseSource(
  data: PuppetData,
  joints: readonly string[],
  shape: CharacterShape,
  frame: BodyFrame,
  options: PuppetOptions,
): MadePoseSource {
  const { character, pairs, performer, calibration } = data;
  const neutral = calibration?.neutral ?? data.neutral;
  const facing = data.facing ?? (calibration ? 0 : undefined);
  const { base, travel, turn } = options;
  if (base !== 'auto' && base !== 'direct' && base !== 'pairs') {
    throw new UsageError(`createPuppet: unknown base '${base}'; give 'auto', 'direct' or 'pairs'`);
  }
  if (!pairs && base === 'pairs') throw new UsageError("createPuppet: base is 'pairs', and there are none; give pairs");
  if (neutral && neutral.length !== 3 * performer.length) {
    throw new InputError(
      `createPuppet: the neutral pose has ${neutral.length} numbers; give 3 for each of the ${performer.length} joints`,
    );
  }
  if (data.space)
    return { source: new ShapePose(data.space, data, joints, shape, frame, options), humanoid: undefined };
  const byPairs = (registration: Registration): MadePoseSource => {
    const scale = (travel * shape.height) / USUAL_STATURE;
    const motion = new Travel(character.bones, shape.pivot(), { scale, turn, facing });
    return {
      source: new ExamplePose(character.bones, registration, joints, frame, motion, options),
      humanoid: undefined,
    };
  };
  if (pairs && base === 'pairs') return byPairs(pairs);
  let humanoid: Humanoid;
  try {
    humanoid = recogniseHumanoid(character.bones, character.name, data.humanBones);
    requireBody(joints);
  } catch (error) {
    if (pairs && base === 'auto' && error instanceof InputError) return byPairs(pairs);
    throw error;
  }
  const standing = neutralOf(data, joints);
  const direct = { character, humanBones: data.humanBones, humanoid, shape, joints, neutral: standing, facing };
  const source = new HumanoidPose({ ...direct, travel, turn });
  if (!pairs) return { source, humanoid };
  const inPlace = new HumanoidPose({ ...direct, travel: 0, turn: false });
  const corrections = new Corrections(character.bones, source.driven);
  const style = styleOf(character.bones, humanoid, corrections, pairs, directPoses(pairs, joints, inPlace, character));
  if (!style) {
    if (base === 'auto') return byPairs(pairs);
    throw new InputError(
      `createPuppet: the pairs '${pairs.name}' do not show what a direct retarget does; give base 'pairs' for them`,
    );
  }
  const apart = character.bones.map((bone) => ({ ...bone, parent: -1 }));
  const examples = new ExamplePose(apart, style, joints, frame, undefined, options);
  const rest = pairs.pairs[pairs.neutral].character.transforms;
  return { source: new StyledPose(corrections, source, examples, rest), humanoid };
}

function requireBody(joints: readonly string[]): void {
  const missing = ['leftHip', 'rightHip', 'leftShoulder', 'rightShoulder'].filter((name) => !joints.includes(name));
  if (missing.length === 0) return;
  throw new InputError(
    `createPuppet: the performer has no ${missing.join(', ')}, without which there is no body; it has ${joints.join(', ')}`,
  );
}

/** The performer standing upright, in the order of `joints`; that of the neutral pair where none is given. */
function neutralOf(data: PuppetData, joints: readonly string[]): Float64Array | undefined {
  const { pairs, performer, calibration } = data;
  const neutral = calibration?.neutral ?? data.neutral;
  const [names, positions] = neutral ? [performer, neutral] : [pairs?.joints, pairs?.pairs[pairs.neutral].performer];
  if (!names || !positions) return undefined;
  return Float64Array.from(joints.flatMap((name) => [0, 1, 2].map((k) => positions[3 * names.indexOf(name) + k])));
}

/** The direct poses of the pairs' performers, each on its own. */
function directPoses(
  { joints: own, pairs }: Registration,
  joints: readonly string[],
  pose: HumanoidPose,
  { bones }: Rig,
): Float64Array[] {
  const source = Int32Array.from(joints, (name) => own.indexOf(name));
  const filter = new JointFilter(source, { delay: 0, speedCoefficient: 0 });
  const frame = new BodyFrame(joints);
  return pairs.map(({ performer }) => {
    filter.reset();
    frame.reset();
    pose.reset();
    filter.update(performer, undefined, 0, 1);
    frame.measure(filter.positions);
    const out = new Float64Array(12 * bones.length);
    pose.update({ filter, frame, placed: true }, 0, out);
    return out;
  });
}
