/** The character's pose by direct retargeting to a recognised humanoid; see `direct-pose.ts`. */
import type { Rig } from '@pelt/model';
import type { CharacterShape } from '../character-shape.ts';
import type { Performance, PoseSource } from '../pose-source.ts';
import { DirectPose } from './direct-pose.ts';
import type { Humanoid } from './humanoid.ts';
import { measureRest } from './humanoid-rest.ts';

export interface HumanoidPoseInput {
  readonly character: Rig;
  readonly humanoid: Humanoid;
  readonly shape: CharacterShape;
  /** Names of the performer's joints. */
  readonly joints: readonly string[];
  /** J × 3: the performer standing upright; undefined where that is unknown */
  readonly neutral: Float64Array | undefined;
  readonly travel: number;
  readonly turn: boolean;
}

export class HumanoidPose implements PoseSource {
  readonly parts: readonly string[] = [];
  readonly joints: readonly string[];
  readonly weights = new Float64Array(0);
  readonly #direct: DirectPose;
  readonly #bones: number;

  constructor({ character, humanoid, shape, joints, neutral, travel, turn }: HumanoidPoseInput) {
    const { bones } = character;
    const rest = measureRest(bones, humanoid, (bone) => shape.tips([bone]));
    this.#direct = new DirectPose({ bones, humanoid, rest, joints, neutral, ground: shape.floor, travel, turn });
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
