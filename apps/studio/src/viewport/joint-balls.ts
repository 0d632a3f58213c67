import { type Bone, Mesh, MeshBasicMaterial, type Raycaster, SphereGeometry, Vector3 } from 'three/webgpu';
import type { Stage } from './stage.ts';

const JOINT_COLOUR = '#22262b';
const CHOSEN_COLOUR = '#d9822b';
/** Of a ball, in parts of the model's radius. */
const JOINT_SIZE = 0.022;

/** A ball at each joint, seen through the skin. */
export class JointBalls {
  readonly #bones: readonly Bone[];
  readonly #balls: readonly Mesh<SphereGeometry, MeshBasicMaterial>[];

  constructor(stage: Stage, bones: readonly Bone[]) {
    this.#bones = bones;
    this.#balls = bones.map(() => {
      const look = { color: JOINT_COLOUR, depthTest: false, opacity: 0.85, transparent: true };
      const ball = new Mesh(new SphereGeometry(JOINT_SIZE * stage.radius, 16, 12), new MeshBasicMaterial(look));
      ball.renderOrder = 15;
      stage.world.add(ball);
      return ball;
    });
  }

  /** Puts them where the joints are. */
  update(): void {
    const place = new Vector3();
    for (const [j, bone] of this.#bones.entries()) this.#balls[j].position.copy(bone.getWorldPosition(place));
  }

  choose(joint: number): void {
    for (const [j, ball] of this.#balls.entries()) ball.material.color.set(j === joint ? CHOSEN_COLOUR : JOINT_COLOUR);
  }

  /** The joint under a ray; −1 for none. */
  at(caster: Raycaster): number {
    const [hit] = caster.intersectObjects([...this.#balls], false);
    return hit ? this.#balls.indexOf(hit.object as Mesh<SphereGeometry, MeshBasicMaterial>) : -1;
  }

  dispose(): void {
    for (const ball of this.#balls) {
      ball.removeFromParent();
      ball.geometry.dispose();
      ball.material.dispose();
    }
  }
}
