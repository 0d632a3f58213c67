/** The character's pose by direct retargeting to a recognised humanoid; see `direct-pose.ts`. */
import type { Rig } from '@pelt/model';
import type { CharacterShape } from '../character-shape.ts';
import type { Performance, PoseSource } from '../pose-source.ts';
import { DirectPose } from './direct-pose.ts';
import { handOf } from './fingers.ts';
import type { Humanoid } from './humanoid.ts';
import { measureRest } from './humanoid-rest.ts';

export interface HumanoidPoseInput {
  readonly character: Rig;
  /** Bones by the human bones of VRM, where a file says which they are. */
  readonly humanBones?: Readonly<Record<string, number>> | undefined;
  readonly humanoid: Humanoid;
  readonly shape: CharacterShape;
  /** Names of the performer's joints. */
  readonly joints: readonly string[];
  /** J × 3: the performer standing upright; undefined where that is unknown */
  readonly neutral: Float64Array | undefined;
  readonly travel: number;
  readonly turn: boolean;
  /** Heading of the performer that corresponds to the character's front; undefined: the first. */
  readonly facing: number | undefined;
}

export class HumanoidPose implements PoseSource {
  readonly parts: readonly string[] = [];
  readonly joints: readonly string[];
  readonly weights = new Float64Array(0);
  readonly #direct: DirectPose;
  readonly #bones: number;

  constructor({ character, humanBones = {}, humanoid, shape, joints, ...performer }: HumanoidPoseInput) {
    const { bones } = character;
    const humanNames = new Map(Object.entries(humanBones).map(([name, bone]) => [bone, name]));
    const tipOf = (bone: number) => shape.tips([bone]);
    const rest = measureRest(bones, humanoid, tipOf);
    const named = bones.map((bone, j) => humanNames.get(j) ?? bone.place ?? bone.name);
    const hands = humanoid.arms.flatMap(({ side, end }) => {
      const hand = handOf({ bones, names: named, joints }, side, end);
      return hand ? [hand] : [];
    });
    this.#direct = new DirectPose({ bones, humanoid, rest, joints, hands, ground: shape.floor, ...performer });
    this.#bones = bones.length;
    this.joints = this.#direct.joints;
  }

  /** m: 1 where a bone is driven, 0 where it follows its parent */
  get driven(): Uint8Array {
    return this.#direct.driven;
  }

  reset(): void {
    this.#direct.reset();
  }

  update({ filter, frame, placed }: Performance, seconds: number, out: Float64Array): void {
    if (!placed) {
      this.blend(out);
      return;
    }
    this.#direct.update(filter.positions, filter.seen, filter.lost, frame.heading, frame.size, seconds, out);
  }

  /** The rest pose: there are no weights. */
  blend(out: Float64Array): void {
    for (let k = 0; k < 12 * this.#bones; k++) out[k] = (k % 12) % 5 === 0 ? 1 : 0;
  }
}
