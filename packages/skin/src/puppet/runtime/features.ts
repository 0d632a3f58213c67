/**
 * Turns a performer's joints into the numbers that projections compare, the same wherever the performer stands, looks
 * and however tall they are.
 *
 * Reference: Sun. Example-based approach for real-time rigged character animation. 2017, §4.3: translation and rotation
 * are split off (table 5.7 shows what happens if not) and joint positions compared. Positions let an arm's swing drown
 * what its hand does, and differ with the length of limbs. Directions, from each joint's parent to it, do neither: on a
 * captured walk with twelve examples, limb by limb, joint angles are off by 1.25° instead of 1.70°. They are weighted by
 * the root of the limb's length, since trackers see short limbs' directions badly.
 */

import { InputError, UsageError } from '@pelt/model';
import type { FeatureJoints, FeatureKind } from '../options.ts';
import type { BodyFrame } from './body-frame.ts';
import { isBodyJoint, segmentTo } from './body-tree.ts';
import type { Part } from './parts.ts';

/** Below this many joints of a body, all joints are compared: they are no body's. */
const FEWEST_BODY_JOINTS = 4;
/** A limb shorter than this, in metres, has no direction. */
const SHORTEST_LIMB = 0.005;
/** No segment: the joint's position is compared. */
const POSITION = -2;

/** The joints to compare: indices into `joints`, which both the pairs and the live source have. */
export function featureJoints(joints: readonly string[], wanted: FeatureJoints): number[] {
  const all = joints.map((_, j) => j);
  if (wanted === 'all') return all;
  if (wanted === 'body') {
    const body = all.filter((j) => isBodyJoint(joints[j]));
    return body.length >= FEWEST_BODY_JOINTS ? body : all;
  }
  if (!Array.isArray(wanted)) throw new UsageError(`puppet: joints are 'body', 'all' or names, not '${wanted}'`);
  const missing = wanted.filter((name) => !joints.includes(name));
  if (missing.length > 0) {
    throw new InputError(
      `puppet: no joint '${missing.join("', '")}' in both pairs and performer; ${joints.join(', ')}`,
    );
  }
  return wanted.map((name) => joints.indexOf(name));
}

/** The features of one part of a body. */
export class PartFeatures {
  readonly part: Part;
  /** Numbers in a pose: 3 a joint. */
  readonly dimension: number;
  readonly #joints: Int32Array;
  /** Where each joint's limb comes from; −1 for the pelvis, `POSITION` for none. */
  readonly #from: Int32Array;
  readonly #weights: Float64Array;

  /** @param joints  names, in the order of the positions that will be encoded */
  constructor(part: Part, joints: readonly string[], kind: FeatureKind) {
    if (kind !== 'directions' && kind !== 'positions') {
      throw new UsageError(`puppet: unknown features '${kind}'; there are directions, positions`);
    }
    const segments = part.joints.map((j) => (kind === 'directions' ? segmentTo(joints[j], joints) : undefined));
    this.part = part;
    this.dimension = 3 * part.joints.length;
    this.#joints = Int32Array.from(part.joints);
    this.#from = Int32Array.from(segments, (segment) => segment?.from ?? POSITION);
    this.#weights = Float64Array.from(segments, (segment) => Math.sqrt(segment?.length ?? 1));
  }

  /**
   * @param positions  J × 3
   * @param frame      measured from the same positions
   * @param lost       J; where not 0 the joint's features keep their values; absent: none is lost
   * @param out        `dimension` numbers
   */
  encode(
    positions: Float32Array | Float64Array,
    frame: BodyFrame,
    lost: Uint8Array | undefined,
    out: Float64Array,
  ): void {
    const chest = this.part.frame === 'chest';
    const axes = chest ? frame.chestAxes : frame.bodyAxes;
    const origin = chest ? frame.chestOrigin : frame.origin;
    for (let k = 0; k < this.#joints.length; k++) {
      const j = this.#joints[k];
      const from = this.#from[k];
      if (lost !== undefined && (lost[j] !== 0 || (from >= 0 && lost[from] !== 0))) continue;
      const start = from >= 0 ? positions : from === POSITION ? origin : frame.origin;
      const at = from >= 0 ? 3 * from : 0;
      const x = positions[3 * j] - start[at];
      const y = positions[3 * j + 1] - start[at + 1];
      const z = positions[3 * j + 2] - start[at + 2];
      let length = frame.size;
      if (from !== POSITION) {
        length = Math.sqrt(x * x + y * y + z * z);
        if (length < SHORTEST_LIMB * frame.size) continue;
      }
      const scale = this.#weights[k] / length;
      out[3 * k] = scale * (x * axes[0] + y * axes[1] + z * axes[2]);
      out[3 * k + 1] = scale * (x * axes[3] + y * axes[4] + z * axes[5]);
      out[3 * k + 2] = scale * (x * axes[6] + y * axes[7] + z * axes[8]);
    }
  }
}
