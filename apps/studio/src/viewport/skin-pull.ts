/**
 * Pulls a point of the skin by turning the joints above it: cyclic coordinate descent, from the joint that carries the point
 * up its ancestors. Each turns so that the point comes into line with where it is wanted; the nearest turns first.
 *
 * Reference: Wang, Chen. A combined optimization method for solving the inverse kinematics problem of mechanical
 * manipulators. IEEE Transactions on Robotics and Automation, 1991.
 */
import { type Bone, type Object3D, Quaternion, Vector3 } from 'three/webgpu';

/** Joints that turn for one pull, at most: a finger pulls its arm along, not the whole body. */
const MOST_JOINTS = 3;
const ROUNDS = 8;
/** Of a turn towards the target in one round: what is left is shared with the joints above. */
const SHARE = 0.6;

export class SkinPull {
  readonly #chain: readonly Bone[];
  /** The point in the frame of the joint that carries it. */
  readonly #point: Vector3;

  /**
   * @param joint  that carries the point
   * @param point  in the world
   */
  constructor(joint: Bone, point: Vector3) {
    this.#chain = chainOf(joint);
    this.#point = joint.worldToLocal(point.clone());
  }

  /** Turns the joints so that the point is as near to a place in the world as they can bring it. */
  pullTo(target: Vector3): void {
    const [last] = this.#chain;
    const [pivot, point, inverse, turn] = [new Vector3(), new Vector3(), new Quaternion(), new Quaternion()];
    const still = new Quaternion();
    for (let round = 0; round < ROUNDS; round++) {
      for (const joint of this.#chain) {
        last.updateWorldMatrix(true, false);
        joint.getWorldPosition(pivot);
        const from = last.localToWorld(point.copy(this.#point)).sub(pivot);
        const to = target.clone().sub(pivot);
        if (from.lengthSq() === 0 || to.lengthSq() === 0) continue;
        turn.setFromUnitVectors(from.normalize(), to.normalize()).slerp(still, 1 - SHARE);
        // A turn in the world as one in the frame of the parent: P⁻¹ T P.
        const parent = joint.parent?.getWorldQuaternion(new Quaternion()) ?? new Quaternion();
        inverse.copy(parent).invert();
        joint.quaternion.premultiply(inverse.multiply(turn).multiply(parent)).normalize();
      }
    }
    last.updateWorldMatrix(true, false);
  }
}

/** A joint and those above it; the root stays where it is, unless there is nothing else. */
function chainOf(joint: Bone): Bone[] {
  const chain: Bone[] = [joint];
  let above: Object3D | null = joint.parent;
  while (chain.length < MOST_JOINTS && isJoint(above) && isJoint(above.parent)) {
    chain.push(above);
    above = above.parent;
  }
  return chain;
}

function isJoint(object: Object3D | null): object is Bone {
  return object !== null && 'isBone' in object;
}
