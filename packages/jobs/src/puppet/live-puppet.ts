/** A character that follows a performer live: frames of joints in, poses out. The host brings the frames and takes the poses. */
import { type Character, linearRigOf, type Rig } from '@pelt/model';
import { fitCapsules } from '@pelt/skin/capsules';
import {
  createPuppet,
  findFingers,
  type Humanoid,
  LiveCalibration,
  type PerformerCalibration,
  type Puppet,
  recogniseHumanoid,
} from '@pelt/skin/puppet';
import { openCharacter } from '../input/open-character.ts';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { withNumerics } from '../with-numerics.ts';
import type { LiveCharacter, LiveFrame } from './live-streams.ts';
import { priorOf, settingsOf } from './settings.ts';
import type { PUPPET } from './table.ts';

/** Seconds after which a performer who is away lets the character rest. */
const RESTS_AFTER = 1;

export class LivePuppet implements LiveCharacter {
  readonly rig: Rig;
  /** Bones by the human bones of VRM. */
  readonly humanBones: Readonly<Record<string, number>>;
  readonly #character: Character;
  readonly #capsules: ReturnType<typeof fitCapsules> | undefined;
  readonly #options: Checked<typeof PUPPET>['options'];
  #standing: LiveCalibration | undefined;
  #puppet: Puppet | undefined;
  #joints: readonly string[] = [];
  #calibration: PerformerCalibration | undefined;

  static async open(path: string, options: Checked<typeof PUPPET>['options'], job: Job): Promise<LivePuppet> {
    const { character } = await openCharacter(path, job);
    const rig = linearRigOf(character);
    const capsules = options.selfContact
      ? await withNumerics(job, async (run) => fitCapsules(rig, undefined, run))
      : undefined;
    return new LivePuppet(character, rig, capsules, options);
  }

  constructor(
    character: Character,
    rig: Rig,
    capsules: ReturnType<typeof fitCapsules> | undefined,
    options: Checked<typeof PUPPET>['options'],
  ) {
    this.#character = character;
    this.rig = rig;
    this.#capsules = capsules && capsules.bones.length > 0 ? capsules : undefined;
    this.#options = options;
    this.humanBones = humanBonesOf(character, rig);
  }

  /** How the performer stood; undefined until then, and for sources that need no calibration. */
  get calibration(): PerformerCalibration | undefined {
    return this.#calibration;
  }

  /**
   * The pose for a frame.
   *
   * @returns m × 12, the same array every time, overwritten by the next call
   */
  update(frame: LiveFrame): Float64Array {
    if (!this.#puppet || frame.joints.join() !== this.#joints.join()) this.#start(frame);
    if (!this.#calibration && frame.camera && this.#options.calibrate !== 'none') this.#calibrate(frame);
    return (this.#puppet as Puppet).update(frame.positions, frame.time, frame.confidence).transforms;
  }

  #start({ joints, camera }: LiveFrame): void {
    this.#joints = joints;
    this.#standing = new LiveCalibration(joints, { forward: forwardOf(this.#options.forward) });
    const { puppet: saved, humanBones } = this.#character;
    const { delay, travel, turn, prior } = this.#options;
    const settings = { ...saved?.settings, ...settingsOf(this.#options) };
    const data = { character: this.rig, humanBones, pairs: saved?.pairs, performer: joints, camera };
    const facing = camera && !this.#calibration ? 0 : undefined;
    this.#puppet = createPuppet(
      { ...data, capsules: this.#capsules, calibration: this.#calibration, facing },
      { ...settings, delay, travel, turn, prior: priorOf(prior), restAfter: RESTS_AFTER },
    );
  }

  /** Looks whether the performer has stood for the last second. */
  #calibrate(frame: LiveFrame): void {
    const found = this.#standing?.add(frame.positions, frame.confidence, frame.time);
    if (!found) return;
    this.#calibration = found;
    this.#start(frame);
  }
}

function forwardOf(forward: Checked<typeof PUPPET>['options']['forward']): 'standing' | 'camera' | number {
  if (forward === undefined || forward === 'start') return 'standing';
  return forward;
}

const BONES_OF_FINGER = ['Proximal', 'Intermediate', 'Distal'];

/** VRM's names of the places of a recognised body. */
const PLACES: readonly (readonly [string, string])[] = [
  ['Hip', 'UpperLeg'],
  ['Knee', 'LowerLeg'],
  ['Ankle', 'Foot'],
  ['Toes', 'Toes'],
  ['Shoulder', 'UpperArm'],
  ['Elbow', 'LowerArm'],
  ['Wrist', 'Hand'],
];

function humanBonesOf({ humanBones }: Character, rig: Rig): Record<string, number> {
  if (humanBones && Object.keys(humanBones).length > 0) return { ...humanBones };
  let humanoid: Humanoid;
  try {
    humanoid = recogniseHumanoid(rig.bones, rig.name);
  } catch {
    return {};
  }
  const index = (name: string | undefined) => rig.bones.findIndex((bone) => bone.name === name);
  const [first, ...spine] = humanoid.spine;
  const found: [string, number][] = [
    ['hips', humanoid.pelvis],
    ['spine', first ?? -1],
    ['chest', spine.length > 1 ? spine[0] : (spine.at(-1) ?? -1)],
    ['upperChest', spine.length > 1 ? (spine.at(-1) ?? -1) : -1],
    ['neck', humanoid.neck],
    ['head', humanoid.head],
    ...['left', 'right'].flatMap((side) =>
      PLACES.map(([place, name]): [string, number] => [side + name, index(humanoid.bones[side + place])]),
    ),
  ];
  // The names of VRM 0 and of VMC, whose thumbs have no metacarpal.
  const fingers = findFingers(rig.bones.map(({ name }) => name)).flatMap(({ side, finger, joints }) =>
    joints
      .slice(0, BONES_OF_FINGER.length)
      .map((bone, k): [string, number] => [
        `${side}${finger[0].toUpperCase()}${finger.slice(1)}${BONES_OF_FINGER[k]}`,
        bone,
      ]),
  );
  return Object.fromEntries([...found.filter(([, bone]) => bone >= 0), ...fingers]);
}
