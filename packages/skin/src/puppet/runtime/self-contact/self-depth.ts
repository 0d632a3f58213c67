/** How deep limbs are inside the body, by its capsules; what is inside at rest may be. */
import { type Bone, CAPSULE_SIZE, type Capsules } from '@pelt/model';
import { poseCapsules } from '../../../capsules/runtime/index.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { type CollisionPair, collisionLimbs } from './collision-pairs.ts';
import { segmentDistance } from './segment-distance.ts';

export class SelfDepth {
  readonly #capsules: Capsules;
  readonly #pairs: readonly CollisionPair[];
  readonly #posed: Float64Array;
  readonly #between = new Float64Array(5);

  constructor(bones: readonly Bone[], humanoid: Humanoid, capsules: Capsules) {
    this.#capsules = capsules;
    this.#pairs = collisionLimbs(bones, humanoid, capsules).flatMap(({ pairs }) => pairs);
    this.#posed = new Float64Array(CAPSULE_SIZE * capsules.bones.length);
  }

  /**
   * @param transforms  m × 12
   * @returns           length by which the two surfaces that overlap most do; 0 for none
   */
  deepest(transforms: Float64Array): number {
    const posed = poseCapsules(this.#capsules, transforms, 0, this.#posed);
    const v = this.#between;
    let deepest = 0;
    for (const { own, other, allowance } of this.#pairs) {
      const [a, b] = [CAPSULE_SIZE * own, CAPSULE_SIZE * other];
      segmentDistance(posed, a, posed, b, v);
      const apart = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      deepest = Math.max(deepest, posed[a + 6] + posed[b + 6] - apart - allowance);
    }
    return deepest;
  }
}
