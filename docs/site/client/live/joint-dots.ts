/** Joints as dots and the hierarchy as sticks, drawn over the skin. */
import {
  type Bone,
  Color,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three/webgpu';

const INK = new Color('#22262b');
const CHOSEN = new Color('#d9822b');
const UP = new Vector3(0, 1, 0);
/** Thickness of a stick, in sizes of a dot. */
const STICK = 0.32;

export class JointDots {
  readonly group = new Group();
  readonly #joints: readonly Bone[];
  readonly #size: number;
  readonly #dots: InstancedMesh;
  readonly #sticks: InstancedMesh;
  readonly #pairs: readonly (readonly [Bone, Bone])[];
  readonly #matrix = new Matrix4();
  readonly #at = new Vector3();
  readonly #end = new Vector3();
  readonly #direction = new Vector3();
  readonly #turn = new Quaternion();

  /** @param size  of a dot, in the model's units */
  constructor(joints: readonly Bone[], size: number) {
    this.#joints = joints;
    this.#size = size;
    this.#pairs = joints.flatMap((joint) =>
      joints.includes(joint.parent as Bone) ? [[joint.parent as Bone, joint] as const] : [],
    );
    this.#dots = new InstancedMesh(
      new SphereGeometry(1, 16, 12),
      new MeshBasicMaterial({ depthTest: false }),
      joints.length,
    );
    this.#sticks = new InstancedMesh(
      new CylinderGeometry(1, 1, 1, 10),
      new MeshBasicMaterial({ color: INK, depthTest: false, transparent: true, opacity: 0.75 }),
      Math.max(1, this.#pairs.length),
    );
    this.#sticks.visible = this.#pairs.length > 0;
    for (const object of [this.#sticks, this.#dots]) {
      object.frustumCulled = false;
      object.renderOrder = 10;
      this.group.add(object);
    }
    this.show(-1);
  }

  /** @param chosen  the joint in the colour of the hand; −1 for none */
  show(chosen: number): void {
    this.#joints.forEach((joint, j) => {
      const size = this.#size * (j === chosen ? 1.6 : 1);
      this.#placeOf(joint, this.#at);
      this.#dots.setMatrixAt(j, this.#matrix.makeScale(size, size, size).setPosition(this.#at));
      this.#dots.setColorAt(j, j === chosen ? CHOSEN : INK);
    });
    this.#dots.instanceMatrix.needsUpdate = true;
    if (this.#dots.instanceColor) this.#dots.instanceColor.needsUpdate = true;
    this.#pairs.forEach(([from, to], k) => {
      this.#placeOf(from, this.#at);
      this.#placeOf(to, this.#end);
      const thick = STICK * this.#size;
      const length = this.#end.distanceTo(this.#at);
      this.#direction.subVectors(this.#end, this.#at).normalize();
      this.#turn.setFromUnitVectors(UP, this.#direction);
      this.#at.add(this.#end).multiplyScalar(0.5);
      this.#sticks.setMatrixAt(
        k,
        this.#matrix.compose(this.#at, this.#turn, this.#direction.set(thick, length, thick)),
      );
    });
    this.#sticks.instanceMatrix.needsUpdate = true;
  }

  #placeOf(joint: Bone, out: Vector3): Vector3 {
    return this.group.worldToLocal(joint.getWorldPosition(out));
  }
}
