/**
 * A person as a tracker sees one: twenty-one joints, 1.75 m tall, standing upright with hanging arms, facing +Z. Poses
 * are turns of the joints, so that limbs keep their length.
 */
import { BODY_JOINTS, type BodyJoint, type Bone, type JointPose, poseFromJoints } from '@pelt/model';
import { boneAt } from '../scene.ts';
import { apply, compose, translation, turnAbout, type Vector } from '../transform.ts';

/** Where the joints are at rest, with the joint they hang on. The right side mirrors the left. */
const CENTRE: readonly (readonly [BodyJoint, BodyJoint | '', Vector])[] = [
  ['hips', '', [0, 0.95, 0]],
  ['spine', 'hips', [0, 1.1, 0]],
  ['chest', 'spine', [0, 1.3, 0]],
  ['neck', 'chest', [0, 1.47, 0]],
  ['head', 'neck', [0, 1.63, 0.02]],
];
const SIDE: readonly (readonly [string, string, Vector])[] = [
  ['Shoulder', 'chest', [0.18, 1.42, 0]],
  ['Elbow', 'Shoulder', [0.2, 1.13, -0.01]],
  ['Wrist', 'Elbow', [0.21, 0.87, 0.02]],
  ['Hand', 'Wrist', [0.21, 0.79, 0.03]],
  ['Hip', 'hips', [0.1, 0.92, 0]],
  ['Knee', 'Hip', [0.1, 0.5, 0.01]],
  ['Ankle', 'Knee', [0.1, 0.08, -0.01]],
  ['Toes', 'Ankle', [0.1, 0.02, 0.15]],
];

/** The performer's joints as bones, parents first. */
export const PERFORMER_BONES: readonly Bone[] = makeBones();

/** The joints of a performer, in order. */
export const PERFORMER_JOINTS: readonly string[] = PERFORMER_BONES.map((bone) => bone.name);

/** Where a performer stands. */
export interface PerformerPlace {
  readonly at?: Vector;
  /** About +Y, from facing +Z. */
  readonly headingDegrees?: number;
  /** 1 for 1.75 m. */
  readonly size?: number;
}

/**
 * The joints of a performer in a pose: J × 3.
 *
 * @param pose  turns by the joints' names; a turn moves what hangs on the joint
 */
export function performerPose(pose: JointPose = {}, place: PerformerPlace = {}): Float32Array {
  const { at = [0, 0, 0], headingDegrees = 0, size = 1 } = place;
  const { transforms } = poseFromJoints(PERFORMER_BONES, pose);
  const turned = turnAbout([0, 0, 0], [0, 1, 0], (headingDegrees * Math.PI) / 180);
  const placed = compose(translation(at), turned);
  return Float32Array.from(
    PERFORMER_BONES.flatMap(({ rest }, j) => {
      const moved = apply([...transforms.subarray(12 * j, 12 * j + 12)], [rest[3], rest[7], rest[11]]);
      return [...apply(placed, [size * moved[0], size * moved[1], size * moved[2]])];
    }),
  );
}

/** Poses that the characters' pairs are made with. */
export const PERFORMER_POSES = {
  stand: {},
  armsStraight: { leftShoulder: { degrees: [0, 0, 85] }, rightShoulder: { degrees: [0, 0, -85] } },
  armsFront: { leftShoulder: { degrees: [-85, 0, 0] }, rightShoulder: { degrees: [-85, 0, 0] } },
  armsUp: { leftShoulder: { degrees: [0, 0, 170] }, rightShoulder: { degrees: [0, 0, -170] } },
  leftArmUp: { leftShoulder: { degrees: [0, 0, 165] } },
  rightArmUp: { rightShoulder: { degrees: [0, 0, -165] } },
  leftStep: {
    leftHip: { degrees: [-40, 0, 0] },
    leftKnee: { degrees: [15, 0, 0] },
    rightHip: { degrees: [25, 0, 0] },
    rightKnee: { degrees: [20, 0, 0] },
    leftShoulder: { degrees: [22, 0, 0] },
    rightShoulder: { degrees: [-22, 0, 0] },
  },
  rightStep: {
    rightHip: { degrees: [-40, 0, 0] },
    rightKnee: { degrees: [15, 0, 0] },
    leftHip: { degrees: [25, 0, 0] },
    leftKnee: { degrees: [20, 0, 0] },
    rightShoulder: { degrees: [22, 0, 0] },
    leftShoulder: { degrees: [-22, 0, 0] },
  },
  crouch: {
    leftHip: { degrees: [-75, 0, 0] },
    leftKnee: { degrees: [110, 0, 0] },
    leftAnkle: { degrees: [-35, 0, 0] },
    rightHip: { degrees: [-75, 0, 0] },
    rightKnee: { degrees: [110, 0, 0] },
    rightAnkle: { degrees: [-35, 0, 0] },
    spine: { degrees: [15, 0, 0] },
  },
  bow: { spine: { degrees: [40, 0, 0] }, chest: { degrees: [25, 0, 0] } },
  leanLeft: { spine: { degrees: [0, 0, -25] }, chest: { degrees: [0, 0, -15] } },
  leanRight: { spine: { degrees: [0, 0, 25] }, chest: { degrees: [0, 0, 15] } },
} as const satisfies Readonly<Record<string, JointPose>>;

function makeBones(): Bone[] {
  const joints: (readonly [string, string, Vector])[] = [...CENTRE];
  for (const [prefix, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    for (const [name, parent, [x, y, z]] of SIDE) {
      const onSide = SIDE.some(([other]) => other === parent);
      joints.push([prefix + name, onSide ? prefix + parent : parent, [sign * x, y, z]]);
    }
  }
  const order = (name: string) => (BODY_JOINTS as readonly string[]).indexOf(name);
  joints.sort(([a], [b]) => order(a) - order(b));
  const names = joints.map(([name]) => name);
  return joints.map(([name, parent, origin]) => boneAt(name, names.indexOf(parent), origin));
}
